// SPDX-License-Identifier: Apache-2.0
// What time stamps cost, from times of known pieces read on a clock of coarse steps.
#include "platform/clock/stamp_cost.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace assay {
namespace {

constexpr double piece = 369.9;
constexpr double cost = 14.4;
constexpr double step = 10;

/// Times of so many pieces and two stamps, each begun elsewhere between two steps of the clock.
std::vector<double> times_of(int pieces, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const double begins = step * std::fmod(0.618034 * (i + 1), 1);
    times.push_back(step * std::floor((begins + pieces * piece + cost) / step));
  }
  return times;
}

TEST(StampCost, StepsOfTheClockAreAveraged) {
  EXPECT_NEAR(cost_left_over(times_of(1, 160), times_of(4, 40), 4), cost, 0.3);
}

TEST(StampCost, WhatWasInterruptedDoesNotCount) {
  std::vector<double> of_one = times_of(1, 160);
  of_one[3] += 5000;
  of_one[77] += 300;
  std::vector<double> of_several = times_of(4, 40);
  of_several[7] += 2000;
  EXPECT_NEAR(cost_left_over(of_one, of_several, 4), cost, 0.3);
}

TEST(StampCost, StepsOfTheCoarsestClockAreNoInterruptions) {
  EXPECT_DOUBLE_EQ(mean_of_uninterrupted(std::array{6000.0, 7000.0, 7000.0, 6000.0}), 6500);
}

TEST(StampCost, TrialsInWhichTheCoreYieldedMostDecide) {
  StampTrials trials;
  for (const double wide : {0.12, 0.085, 0.13, 0.083, 0.14, 0.084, 0.083, 0.15, 0.084})
    trials.add({wide, wide < 0.1 ? 14 : 19.0});
  EXPECT_DOUBLE_EQ(trials.cost(), 14);
  EXPECT_FALSE(trials.are_outdated_by(0.082));
}

TEST(StampCost, OneTrialOnACoreThatIsAloneByChanceDoesNotDecide) {
  StampTrials trials;
  for (const double wide : {0.12, 0.13, 0.125, 0.083, 0.13, 0.128}) trials.add({wide, wide < 0.1 ? 9 : 19.0});
  EXPECT_DOUBLE_EQ(trials.cost(), 19);
  EXPECT_TRUE(trials.are_outdated_by(0.083));
  EXPECT_FALSE(trials.are_outdated_by(0.12));
}

TEST(StampCost, LaterTrialsOnACoreThatIsAloneTakeThePlaceOfTheEarlier) {
  StampTrials trials;
  for (int i = 0; i < 11; ++i) trials.add({0.12 + 0.001 * i, 19});
  int tried = 0;
  for (; trials.are_outdated_by(0.083); ++tried) trials.add({0.083, 14});
  EXPECT_EQ(tried, 5);
  EXPECT_DOUBLE_EQ(trials.cost(), 14);
}

TEST(StampCost, TheBestElevenAreKept) {
  StampTrials trials;
  for (int i = 0; i < 11; ++i) trials.add({0.083, 14});
  for (int i = 0; i < 100; ++i) trials.add({0.12, 19});
  EXPECT_DOUBLE_EQ(trials.cost(), 14);
  for (int i = 0; i < 11; ++i) trials.add({0.06, 12});
  EXPECT_DOUBLE_EQ(trials.cost(), 12);
}

TEST(StampCost, NoCostIsNegative) {
  StampTrials trials;
  trials.add({0.083, -3});
  EXPECT_DOUBLE_EQ(trials.cost(), 0);
}

}  // namespace
}  // namespace assay
