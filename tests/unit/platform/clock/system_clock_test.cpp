// SPDX-License-Identifier: Apache-2.0
// Facts from the readings of good, coarse, frozen and jumping clocks.
#include "platform/clock/system_clock.hpp"

#include <gmock/gmock-matchers.h>

#include <limits>
#include <vector>

namespace assay {
namespace {

using Readings = std::vector<std::int64_t>;

TEST(ClockFacts, StepIsTheModeNotTheLeastDifference) {
  const Readings readings{0, 26, 52, 53, 79, 105, 209, 235};  // one stray step of 1, one preemption
  const ClockFacts facts = clock_facts(readings, Readings{52}, 0.5);
  ASSERT_TRUE(facts.usable) << facts.problem;
  EXPECT_DOUBLE_EQ(facts.step.count, 13);
}

TEST(ClockFacts, StepIsNotTheGreatestCommonDivisor) {
  const ClockFacts facts = clock_facts(Readings{0, 10, 20, 30, 45}, Readings{20}, 1);
  EXPECT_DOUBLE_EQ(facts.step.count, 10);
}

TEST(ClockFacts, OfEquallyFrequentStepsTheSmallestCounts) {
  EXPECT_DOUBLE_EQ(clock_facts(Readings{0, 30, 40, 70, 80}, Readings{20}, 1).step.count, 10);
}

TEST(ClockFacts, CoarseClockHasItsTick) {
  constexpr std::int64_t tick = 10'000'000;
  Readings readings(1000, 5 * tick);
  readings.insert(readings.end(), 1000, 6 * tick);
  readings.insert(readings.end(), 1000, 7 * tick);
  Readings empty(99, 0);
  empty.push_back(tick);
  const ClockFacts facts = clock_facts(readings, empty, 1);
  ASSERT_TRUE(facts.usable) << facts.problem;
  EXPECT_DOUBLE_EQ(facts.step.count, 1e7);
  EXPECT_DOUBLE_EQ(facts.read_cost.count, 0);
  EXPECT_DOUBLE_EQ(facts.cost_spread.count, 0);
}

TEST(ClockFacts, CostIsTheMedianAndSpreadTheQuartiles) {
  const ClockFacts facts = clock_facts(Readings{0, 10, 20}, Readings{50, 10, 40, 20, 30}, 2);
  EXPECT_DOUBLE_EQ(facts.read_cost.count, 60);
  EXPECT_DOUBLE_EQ(facts.cost_spread.count, 40);
  EXPECT_DOUBLE_EQ(clock_facts(Readings{0, 10, 20}, Readings{10, 20}, 1).read_cost.count, 15);
  EXPECT_DOUBLE_EQ(clock_facts(Readings{0, 10, 20}, Readings{7}, 1).cost_spread.count, 0);
}

TEST(ClockFacts, FrozenClockIsRefused) {
  const ClockFacts facts = clock_facts(Readings(100, 42), Readings{0}, 1);
  EXPECT_FALSE(facts.usable);
  EXPECT_THAT(facts.problem, testing::HasSubstr("never advanced"));
}

TEST(ClockFacts, BackwardStepIsRefused) {
  const ClockFacts facts = clock_facts(Readings{0, 10, 20, 19, 30}, Readings{0}, 1);
  EXPECT_FALSE(facts.usable);
  EXPECT_THAT(facts.problem, testing::HasSubstr("backward"));
}

TEST(ClockFacts, BackwardEmptyTimingIsRefused) {
  EXPECT_THAT(clock_facts(Readings{0, 10, 20}, Readings{5, -1}, 1).problem, testing::HasSubstr("backward"));
}

TEST(ClockFacts, WrappedCounterIsRefused) {
  EXPECT_FALSE(clock_facts(Readings{0xfffffff0, 0xfffffffa, 4, 14}, Readings{10}, 1).usable);
}

TEST(ClockFacts, ForwardJumpDoesNotMatter) {
  const auto most = std::numeric_limits<std::int64_t>::max();
  const auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_DOUBLE_EQ(clock_facts(Readings{least, least + 10, least + 20, most}, Readings{10}, 1).step.count, 10);
}

TEST(ConsecutiveReadings, GoOnUntilACoarseClockHasShownItsStep) {
  std::int64_t calls = 0;
  const auto coarse = [&] { return ++calls * 25 / 10'000'000 * 10'000'000; };  // read every 25 ns, steps of 10 ms
  const auto readings = consecutive_readings(coarse);
  const std::vector<std::int64_t> empty(100, 0);
  const ClockFacts facts = clock_facts(readings, empty, 1);
  EXPECT_TRUE(facts.usable) << facts.problem;
  EXPECT_EQ(facts.step.count, 1e7);
  EXPECT_LT(readings.size(), 2010U);
}

TEST(ConsecutiveReadings, EndOnAFrozenClock) {
  std::int64_t calls = 0;
  const auto readings = consecutive_readings([&] { return ++calls, std::int64_t{5}; });
  EXPECT_EQ(calls, 500 + (1 << 24));
  EXPECT_FALSE(clock_facts(readings, readings, 1).usable);
}

TEST(ConsecutiveReadings, OfAFineClockAreTheFirstOnes) {
  std::int64_t calls = 0;
  EXPECT_EQ(consecutive_readings([&] { return ++calls; }).size(), 500U);
  EXPECT_EQ(calls, 500);
}

TEST(SchedulerTick, IsOneOfThoseThatKernelsHave) {
  const double hertz = 1e9 / scheduler_tick().count;
  EXPECT_GE(hertz, 99);
  EXPECT_LE(hertz, 1201);
}

TEST(ClockFacts, TooFewReadingsAreRefused) {
  EXPECT_FALSE(clock_facts(Readings{1, 2}, Readings{1}, 1).usable);
  EXPECT_FALSE(clock_facts(Readings{1, 2, 3}, Readings{}, 1).usable);
  EXPECT_TRUE(clock_facts(Readings{1, 2, 3}, Readings{1}, 1).usable);
}

TEST(ClockFacts, UnknownTickIsRefused) {
  EXPECT_FALSE(clock_facts(Readings{1, 2, 3}, Readings{1}, 0).usable);
  EXPECT_FALSE(clock_facts(Readings{1, 2, 3}, Readings{1}, std::numeric_limits<double>::quiet_NaN()).usable);
}

TEST(Faults, F31_clock_that_became_slow_or_coarse_is_told) {
  const ClockFacts before{Nanoseconds{22}, Nanoseconds{22}, Nanoseconds{1}, true, {}};
  ClockFacts now = before;
  EXPECT_EQ(clock_change(before, now), "");
  now.read_cost = Nanoseconds{90};  // a busy machine
  EXPECT_EQ(clock_change(before, now), "");
  now.read_cost = Nanoseconds{900};
  EXPECT_EQ(clock_change(before, now), "the cost of a reading was 22 ns and is 900 ns");
  now.read_cost = before.read_cost;
  now.step = milliseconds(10);
  EXPECT_NE(clock_change(before, now).find("the clock's resolution was 22 ns"), std::string::npos);
  EXPECT_EQ(clock_change(before, {{}, {}, {}, false, "the clock never advanced"}), "the clock never advanced");
}

TEST(Faults, F31_clock_of_this_machine_is_measured) { EXPECT_TRUE(monotonic_clock_facts().usable); }

TEST(MonotonicClock, NeverGoesBackward) {
  const MonotonicClock clock;
  Instant last = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const Instant next = clock.now();
    ASSERT_LE(last, next);
    last = next;
  }
}

TEST(MonotonicClock, IsUsableByItsOwnReadings) {
  const MonotonicClock clock;
  Readings readings;
  for (int i = 0; i < 100'000; ++i) readings.push_back(clock.now().ns);
  const ClockFacts facts = clock_facts(readings, Readings{0}, 1);
  EXPECT_TRUE(facts.usable) << facts.problem;
  EXPECT_GE(facts.step.count, 1);
}

TEST(Counter, VerdictAndGroundsGoTogether) {
  const CounterFacts facts = probe_counter();
  EXPECT_FALSE(facts.reason.empty());
  EXPECT_TRUE(!facts.trusted || facts.ns_per_tick > 0) << facts.reason;
}

TEST(UtcNow, IsIso8601) {
  EXPECT_THAT(utc_now(), testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
}

}  // namespace
}  // namespace assay
