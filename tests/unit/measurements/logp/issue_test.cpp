// SPDX-License-Identifier: Apache-2.0
// Sends that are not received: both sides agree again afterwards, and a polling receiver proves that it ran.
#include <gtest/gtest.h>

#include "channel/polled.hpp"
#include "logp/issue.hpp"
#include "logp/protocol.hpp"
#include "support/measurements/one_batch.hpp"

namespace assay::test {
namespace {

class IssueTeam : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (binding_of_self().size() < 2) GTEST_SKIP() << "members that poll need two CPUs";
  }
  static OneBatch run(const std::string& receiver, Reps reps) {
    return run_named("logp/issue", {.vehicle = GetParam()}, {{"channel", "flag"}, {"receiver", receiver}}, reps);
  }
};
INSTANTIATE_TEST_SUITE_P(Team, IssueTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(IssueTeam, BatchesOfAnyLengthLeaveTheFlagAgreedUpon) {
  for (const std::string receiver : {"idle", "poll"})
    for (const std::int64_t reps : {1, 2, 1000}) {
      SCOPED_TRACE(receiver + " " + std::to_string(reps));
      const OneBatch batch =
          run(receiver, Reps{reps});  // the second of two: it would hang after a first that does not agree
      EXPECT_TRUE(observe(batch.batch, batch.description, 0, batch.traits).has_value());
      EXPECT_TRUE(observe(batch.batch, batch.description, 1, batch.traits).has_value());
    }
}

TEST_P(IssueTeam, OnlyAPollingReceiverBeatsItsHeart) {
  EXPECT_EQ(run("idle", Reps{1000}).batch.members[1].beats, 0);
  EXPECT_GT(run("poll", Reps{100'000}).batch.members[1].beats, 0);
}

}  // namespace
}  // namespace assay::test
