// SPDX-License-Identifier: Apache-2.0
// Wake-up latencies: quantiles are of enough values or not claimed, and every member is woken until the window is over.
#include "sync/wakeup_latency.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/measurements/one_batch.hpp"

namespace assay {
namespace {

TEST(TailQuantile, IsTheNearestRankWithTenValuesBeyondIt) {
  std::vector<std::int64_t> values(1001);
  std::iota(values.begin(), values.end(), 0);
  EXPECT_EQ(tail_quantile(values, 0.5), 500);
  EXPECT_EQ(tail_quantile(values, 0.99), 990);
  EXPECT_TRUE(std::isnan(tail_quantile(values, 0.999))) << "one value is beyond it";
  values.resize(20);
  EXPECT_EQ(tail_quantile(values, 0.5), 9);
  values.resize(19);
  EXPECT_TRUE(std::isnan(tail_quantile(values, 0.5)));
  EXPECT_TRUE(std::isnan(tail_quantile({}, 0.5)));
}

class WakeupTail : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, WakeupTail, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(WakeupTail, QuantilesAreInOrderForFewMembersAndForMoreThanCpus) {
  for (const int members : {2, 3, 9}) {
    SCOPED_TRACE(members);
    const test::Levels levels{
        {"window", std::int64_t{50'000'000}}, {"work", std::string("compute")}, {"work-size", std::int64_t{10'000}}};
    const auto one = test::run_named("sync/wakeup_latency", {GetParam(), members}, levels, Reps{1});
    EXPECT_GT(one.value("rate"), 0);
    EXPECT_GE(one.value("slept"), 0);
    EXPECT_LE(one.value("slept"), 1);
    const Claims& claims = one.batch.members[0].claims;
    if (claims.has(WakeupLatency::p99)) {
      EXPECT_GE(one.value("p99"), one.value("p50"));
      EXPECT_GE(one.value("longest"), one.value("p99"));
    }
  }
}

TEST(WakeupLatency, AWindowHasALength) {
  EXPECT_THROW(test::run_named("sync/wakeup_latency", {}, {{"window", std::int64_t{0}}}, Reps{1}), Unsupported);
}

}  // namespace
}  // namespace assay
