// SPDX-License-Identifier: Apache-2.0
// Planted clocks, read as coarsely as time stamps are, and what is learned of them.
#include "stats/core/clock_levels.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>

#include "base/rng.hpp"

namespace assay {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double cycles = 3;  // of a step

/// What a visit reads at a clock: steps that scatter by 0.5 %, rounded to the grain of the time stamps.
std::vector<double> steps_at(double ghz, Rng& rng, int readings = 16, double grain = 0) {
  std::vector<double> steps;
  for (int i = 0; i < readings; ++i) {
    const double step = cycles / ghz * (1 + 0.005 * rng.normal());
    steps.push_back(grain > 0 ? grain * std::floor(step / grain + rng.uniform()) : step);
  }
  return steps;
}

struct Stay {
  double ghz = 0;
  int visits = 0;
};

ClockLevels learned(const std::vector<Stay>& stays, double grain = 0) {
  ClockLevels levels;
  Rng rng(11);
  for (const auto& [ghz, visits] : stays)
    for (int i = 0; i < visits; ++i) levels.add(clock_of(steps_at(ghz, rng, 16, grain)));
  return levels;
}

std::vector<double> clocks_of(const ClockLevels& levels) {
  std::vector<double> clocks;
  for (const ClockLevel& level : levels.levels()) clocks.push_back(cycles / level.middle);
  return clocks;
}

TEST(ClockLevels, AreTheStepsThatAProcessorSwitchesBetween) {
  const ClockLevels levels = learned({{2.7, 300}, {2.8, 90}, {2.6, 150}, {2.5, 40}});
  EXPECT_THAT(clocks_of(levels),
              ElementsAre(DoubleNear(2.8, 0.02), DoubleNear(2.7, 0.02), DoubleNear(2.6, 0.02), DoubleNear(2.5, 0.02)));
  EXPECT_NEAR(cycles / levels.usual().count, 2.7, 0.02);
  for (const double ghz : {2.52, 2.61, 2.69, 2.79})
    EXPECT_NEAR(cycles / levels.level_of({cycles / ghz}).count, std::round(10 * ghz) / 10, 0.02) << ghz;
  EXPECT_EQ(levels.level_of({cycles / 2}).count, cycles / 2);
}

TEST(ClockLevels, CoarseStampsAreOneClock) {
  // Time stamps of 10 ns around 400 steps of 0.79 ns: readings are 0.775 or 0.8 ns.
  const ClockLevels levels = learned({{3.79, 500}}, 0.025);
  EXPECT_THAT(clocks_of(levels), ElementsAre(DoubleNear(3.79, 0.02)));
}

TEST(ClockLevels, RareOnesAreNone) {
  const ClockLevels levels = learned({{2, 5}, {3, 990}});
  EXPECT_THAT(clocks_of(levels), ElementsAre(DoubleNear(3, 0.02)));
}

TEST(ClockLevels, AShoulderIsNone) {
  // Readings of one clock whose loop took 2 % longer in some processes.
  const ClockLevels levels = learned({{2.937, 200}, {3, 500}});
  EXPECT_THAT(clocks_of(levels), ElementsAre(DoubleNear(3, 0.02)));
}

TEST(ClockLevels, ShortVisitsAndThoseInWhichItChangedTeachNothing) {
  ClockLevels levels;
  Rng rng(3);
  for (int i = 0; i < 500; ++i) levels.add(clock_of(steps_at(3, rng, 7)));
  std::vector<double> half = steps_at(3, rng, 16);
  for (const double step : steps_at(2.5, rng, 16)) half.push_back(step);
  EXPECT_TRUE(clock_of(half).changed);
  for (int i = 0; i < 500; ++i) levels.add(clock_of(half));
  EXPECT_THAT(levels.levels(), IsEmpty());
  EXPECT_EQ(levels.usual(), Nanoseconds{});
}

TEST(ClockLevels, AClockThatStaysIsNotChanged) {
  Rng rng(5);
  int changed = 0;
  for (int i = 0; i < 1000; ++i) changed += clock_of(steps_at(3.79, rng, 32, 0.025)).changed ? 1 : 0;
  EXPECT_LE(changed, 2);
}

TEST(ClockLevels, WhatWasInterruptedIsLeftOut) {
  const SeenClock clock = clock_of({1, 1, 1.5, 1, 1, 0.5, 1});
  EXPECT_EQ(clock.step.count, 1);
  EXPECT_EQ(clock.readings, 5U);
  EXPECT_EQ(clock_of({}).readings, 0U);
  EXPECT_EQ(clock_of({1, 1.3}).readings, 0U) << "of two that differ neither is to be believed";
}

TEST(ClockLevels, TheUsualOneIsKept) {
  ClockLevels levels = learned({{2.7, 100}});
  levels.keep_usual();
  Rng rng(7);
  for (int i = 0; i < 900; ++i) levels.add(clock_of(steps_at(2.5, rng)));
  EXPECT_NEAR(cycles / levels.usual().count, 2.7, 0.02);
  EXPECT_THAT(clocks_of(levels), ElementsAre(DoubleNear(2.7, 0.02), DoubleNear(2.5, 0.02)));

  ClockLevels later;
  later.keep_usual();  // nothing is known yet
  for (int i = 0; i < 900; ++i) later.add(clock_of(steps_at(2.5, rng)));
  EXPECT_NEAR(cycles / later.usual().count, 2.5, 0.02);
}

// 4.1 and 4.2 GHz, of which the first readings had seen as much each.
TEST(ClockLevels, AUsualOneThatIsBetweenTwoIsTheOneOfMostReadings) {
  Rng rng(11);
  ClockLevels levels;
  for (int i = 0; i < 6; ++i) levels.add(clock_of(steps_at(4.15, rng)));
  ASSERT_THAT(clocks_of(levels), ElementsAre(DoubleNear(4.15, 0.02)));
  levels.keep_usual();
  for (int i = 0; i < 300; ++i) levels.add(clock_of(steps_at(i % 3 == 0 ? 4.2 : 4.1, rng)));
  EXPECT_THAT(clocks_of(levels), ElementsAre(DoubleNear(4.2, 0.02), DoubleNear(4.1, 0.02)));
  EXPECT_NEAR(cycles / levels.usual().count, 4.1, 0.02);
}

TEST(ClockLevels, AnEarlierSessionsUsualClockIsTheUsualOne) {
  ClockLevels levels;
  levels.confirm({{}, {cycles / 2.9}, {{cycles / 2.9, 100}, {cycles / 2.6, 50}}});
  EXPECT_EQ(levels.level_of({cycles / 2.61}).count, cycles / 2.6);
  Rng rng(9);
  for (int i = 0; i < 100; ++i) levels.add(clock_of(steps_at(2.6, rng)));
  EXPECT_EQ(levels.usual().count, cycles / 2.9);
  EXPECT_EQ(levels.level_of({cycles / 2.89}), levels.usual());
}

TEST(ClockLevels, AVersionIsNewWhereALevelIs) {
  ClockLevels levels = learned({{3, 100}});
  const std::int64_t before = levels.version();
  Rng rng(13);
  for (int i = 0; i < 300; ++i) levels.add(clock_of(steps_at(3, rng)));
  EXPECT_EQ(levels.version(), before);
  for (int i = 0; i < 300; ++i) levels.add(clock_of(steps_at(2.5, rng)));
  EXPECT_GT(levels.version(), before);
}

TEST(ClockLevels, OfASurveyTakeWhatIsWithinThreePerCentOfTheirLowest) {
  const auto levels = clock_levels({2.96, 2.94, 2.1, 2.95, 2.12, 3.6});
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].middle, 2.12);
  EXPECT_EQ(levels[0].readings, 2U);
  EXPECT_EQ(levels[1].middle, 2.95);
  EXPECT_EQ(levels[1].readings, 3U);
  EXPECT_EQ(levels[2].middle, 3.6);
  EXPECT_THAT(clock_levels({}), IsEmpty());
}

TEST(NearestLevel, IsTheNearestByRatio) {
  EXPECT_EQ(nearest_level({100, 400}, 190), 100);
  EXPECT_EQ(nearest_level({100, 400}, 210), 400);
  EXPECT_EQ(nearest_level({}, 210), 0);
  EXPECT_EQ(nearest_level({100}, 0), 0);
}

}  // namespace
}  // namespace assay
