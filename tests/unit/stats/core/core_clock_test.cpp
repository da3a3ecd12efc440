// SPDX-License-Identifier: Apache-2.0
// Clocks from readings of known cores, and why there is none.
#include "stats/core/core_clock.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr int steps = 3;  // cycles

/// So many readings at a clock, with noise of half a per cent.
void read(ClockTally& tally, int cpu, double ghz, int readings, Sharing sharing = Sharing::alone) {
  Rng rng(static_cast<std::uint64_t>(cpu) + 7);
  for (int i = 0; i < readings; ++i) tally.add(cpu, {steps / ghz * (1 + 0.005 * rng.normal())}, sharing);
}

NoClock why_not(const ClockTally& tally, int cycles_per_step = steps) {
  const CoreClock clock = tally.clock(cycles_per_step);
  EXPECT_FALSE(clock.known());
  return clock.why;
}

TEST(CoreClock, IsThatOfTheChain) {
  for (const double ghz : {0.8, 2.9, 5.2}) {
    ClockTally tally;
    read(tally, 4, ghz, 200);
    const CoreClock clock = tally.clock(steps);
    ASSERT_TRUE(clock.known());
    EXPECT_NEAR(clock.ghz, ghz, clock.accuracy * ghz);
    EXPECT_GE(clock.accuracy, 0.005) << "what the yardstick itself may be wrong";
    EXPECT_LT(clock.accuracy, 0.007);
  }
}

TEST(CoreClock, ReadingsAreWholeStepsOfAClockAndItsMean) {
  constexpr double coarse = 0.025;  // ns for a step of the chain: 10 ns for all of it
  for (const double ghz : {3.22, 3.2436, 3.26}) {
    Rng rng(3);
    ClockTally tally;
    for (int i = 0; i < 400; ++i)
      tally.add(0, {coarse * std::floor(steps / ghz / coarse + rng.uniform())}, Sharing::alone);
    const CoreClock clock = tally.clock(steps);
    ASSERT_TRUE(clock.known());
    EXPECT_NEAR(clock.ghz, ghz, (clock.accuracy - 0.005) * ghz) << "by chance alone";
  }
}

TEST(CoreClock, InterruptedReadingsDoNotCount) {
  ClockTally tally;
  read(tally, 0, 3, 95);
  read(tally, 0, 1.5, 5);
  EXPECT_NEAR(tally.clock(steps).ghz, 3, 0.01);
}

TEST(CoreClock, FewReadingsKnowItLess) {
  ClockTally few;
  ClockTally many;
  read(few, 0, 3, 8);
  read(many, 0, 3, 800);
  EXPECT_GT(few.clock(steps).accuracy, many.clock(steps).accuracy);
}

TEST(CoreClock, NeedsAYardstickAndReadings) {
  ClockTally tally;
  EXPECT_EQ(why_not(tally), NoClock::not_read);
  read(tally, 0, 3, 20);
  EXPECT_EQ(why_not(tally, 0), NoClock::no_yardstick);
}

TEST(CoreClock, IsNotToldByACoreThatOthersShare) {
  ClockTally tally;
  read(tally, 0, 3, 49);
  read(tally, 0, 2.93, 51, Sharing::shared);
  EXPECT_EQ(why_not(tally), NoClock::shared);
  read(tally, 0, 3, 2);
  EXPECT_NEAR(tally.clock(steps).ghz, 3, 0.02) << "and where most are alone only those count";
  ClockTally unknown;
  read(unknown, 0, 3, 50, Sharing::unknown);
  EXPECT_EQ(why_not(unknown), NoClock::shared);
}

TEST(CoreClock, OneThatChangesIsNone) {
  ClockTally tally;
  read(tally, 0, 3, 80);
  read(tally, 0, 2.4, 20);
  EXPECT_EQ(why_not(tally), NoClock::changed);
}

TEST(CoreClock, CpusOfSeveralClocksHaveNone) {
  ClockTally kinds;
  read(kinds, 0, 3.6, 100);
  read(kinds, 8, 2.9, 100);
  EXPECT_EQ(why_not(kinds), NoClock::differ);
  ClockTally equals;
  read(equals, 0, 3.6, 100);
  read(equals, 1, 3.61, 100);
  const CoreClock clock = equals.clock(steps);
  EXPECT_NEAR(clock.ghz, 3.605, clock.accuracy * 3.605);
}

TEST(CoreClock, ReasonsAreReadBackAndHaveMeanings) {
  for (int i = 0; i <= static_cast<int>(NoClock::sessions); ++i) {
    const auto reason = static_cast<NoClock>(i);
    EXPECT_EQ(parse_no_clock(to_text(reason)), reason);
    EXPECT_FALSE(meaning_of(reason).empty());
  }
  EXPECT_EQ(parse_no_clock("soon"), std::nullopt);
}

}  // namespace
}  // namespace assay
