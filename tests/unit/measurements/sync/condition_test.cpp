// SPDX-License-Identifier: Apache-2.0
// Condition variables with real teams: every member is released, once per broadcast, and nothing hangs.
#include <gtest/gtest.h>

#include "support/measurements/one_batch.hpp"

namespace assay {
namespace {

class ConditionTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, ConditionTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(ConditionTeam, ASaturatedWaitIsSignalledAtLeastOnce) {
  const auto one = test::run_named("sync/condition_wait", {GetParam()}, {}, Reps{200});
  EXPECT_GT(one.value("time"), 0);
  EXPECT_GE(one.value("signals"), 0.9) << "the signal of the first wait may have been sent before the count began";
  EXPECT_GE(one.value("switches"), 0);
  EXPECT_FALSE(one.batch.members[0].claims.has(0)) << "the signaller claims nothing";
}

TEST_P(ConditionTeam, ABroadcastReachesAllWaiters) {
  for (const int members : {2, 3, 6})
    for (const std::string held : {"no", "yes"}) {
      SCOPED_TRACE(std::to_string(members) + " held " + held);
      const auto one = test::run_named("sync/broadcast", {GetParam(), members}, {{"held", held}}, Reps{20});
      EXPECT_GT(one.value("call"), 0);
      EXPECT_GT(one.value("first"), 0);
      EXPECT_GE(one.value("last"), one.value("first"));
      if (members == 2) {
        EXPECT_EQ(one.value("last"), one.value("first")) << "one waiter is the first and the last";
      }
    }
}

TEST(Condition, UnheardSignalsAndBroadcasts) {
  for (const std::string call : {"signal", "broadcast"})
    EXPECT_GT(test::run_named("sync/condition_signal", {}, {{"call", call}}, Reps{1000}).value("time"), 0);
}

TEST(Condition, ASignallerThatNeverYieldsOneCpuIsRefused) {
  Registry registry;
  register_all(registry);
  TeamRequest request;
  request.members = 2;
  request.policy = "fifo";
  request.placement = {"same-pu", {binding_of_self().front(), binding_of_self().front()}};
  try {
    open_team(*registry.find("sync/condition_wait"), request);
    ADD_FAILURE();
  } catch (const Unsupported& refusal) {
    EXPECT_TRUE(refusal.code() == "N1" || refusal.code() == "N8") << refusal.what();
  }
}

}  // namespace
}  // namespace assay
