// SPDX-License-Identifier: Apache-2.0
// Wake-ups happen at the times planned, late or not, and never before.
#include "os/timer_latency.hpp"

#include <gtest/gtest.h>

#include "support/measurements/one_batch.hpp"

namespace assay {
namespace {

TEST(WakePlan, KeepsItsStepsThoughSomeWereMissed) {
  WakePlan plan(1000);
  EXPECT_EQ(plan.next(50'000), 51'000) << "the first one";
  EXPECT_EQ(plan.next(51'020), 52'000) << "lateness does not add up";
  EXPECT_EQ(plan.next(55'500), 56'000) << "steps that passed are left out";
  EXPECT_EQ(plan.next(56'950), 58'000) << "one that is hardly ahead, too: the sleep would be over before it began";
  EXPECT_EQ(plan.next(90'000'000), 90'001'000) << "after a pause it begins anew";
  EXPECT_EQ(plan.next(1000), 2000) << "and where the clock is another one";
}

TEST(TimerLatency, IsNeverNegative) {
  for (const char* how : {"clock_nanosleep", "timerfd"}) {
    const auto batch = test::run_named("os/timer_latency", {}, {{"how", std::string(how)}}, Reps{1});
    EXPECT_GE(batch.value("latency"), 0) << how;
    EXPECT_GT(batch.value("latency"), 100) << how << ": no wake-up takes less than a reading of the clock";
    EXPECT_GE(batch.batch.members.front().voluntary, 1) << how << ": it slept";
  }
}

// The kernel may delay a thread's timers by its slack, and does where that saves a wake-up; timerfd has none.
TEST(TimerLatency, TakesTheSlackAskedFor) {
  const auto batch = test::run_named("os/timer_latency", {}, {{"slack", std::int64_t{50'000'000}}}, Reps{1});
  EXPECT_GE(batch.value("latency"), 0);
  EXPECT_THROW(test::run_named("os/timer_latency", {}, {{"slack", std::int64_t{0}}}, Reps{1}), Unsupported);
  EXPECT_THROW(test::run_named("os/timer_latency", {}, {{"interval", std::int64_t{10}}}, Reps{1}), Unsupported);
}

}  // namespace
}  // namespace assay
