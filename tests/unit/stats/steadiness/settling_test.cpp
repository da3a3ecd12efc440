// SPDX-License-Identifier: Apache-2.0
// Visits that start slowly, and such as do not, whatever the law of their batches.
#include "stats/steadiness/settling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr std::size_t longest = 16;

std::size_t settled_of(int visits, int length, const std::function<double(int)>& batch) {
  Settling settling(0.0025, longest);
  for (int v = 0; v < visits; ++v) {
    std::vector<double> times;
    for (int i = 0; i < length; ++i) times.push_back(batch(i));
    settling.add(times);
  }
  return settling.steady_from();
}

TEST(Settling, SteadyVisitsLoseNothing) {
  Rng rng(1);
  int lost = 0;
  for (int campaign = 0; campaign < 200; ++campaign)
    lost += settled_of(200, 10, [&](int) { return std::exp(0.1 * rng.normal()); }) > 0 ? 1 : 0;
  EXPECT_LE(lost, 4);
}

TEST(Settling, NeitherDoThoseOfTwoModesOrOfALongTail) {
  Rng rng(2);
  int lost = 0;
  for (int campaign = 0; campaign < 200; ++campaign) {
    lost += settled_of(200, 10, [&](int) { return rng.uniform() < 0.5 ? 1.0 : 1.2; }) > 0 ? 1 : 0;
    lost += settled_of(200, 10, [&](int) { return 1 + std::pow(rng.uniform(), 9); }) > 0 ? 1 : 0;
  }
  EXPECT_LE(lost, 8);
}

TEST(Settling, AStartIsFoundThatNoSingleVisitShows) {
  Rng rng(3);
  const auto slow = [&](int i) { return (i < 5 ? 1.06 : 1.0) * std::exp(0.05 * rng.normal()); };
  EXPECT_EQ(settled_of(3, 12, slow), 0U);
  EXPECT_EQ(settled_of(200, 12, slow), 6U) << "the segment of the fifth has the sixth in it";
}

// As thread creation does: 2 % at the fifth batch, 0.6 % at the ninth, none of which a batch shows among its like.
TEST(Settling, ALongStartIsLeftOutWhereVisitsAreLongEnoughToShowIt) {
  Rng rng(5);
  const auto fading = [&](int i) { return (1 + 0.08 * std::exp(-i / 3.0)) * std::exp(0.03 * rng.normal()); };
  EXPECT_GE(settled_of(250, 20, fading), 9U);
  EXPECT_LE(settled_of(250, 9, fading), 6U);
}

TEST(Settling, SaysHowLongVisitsHaveToBeToShowTheNextSegments) {
  Settling settling(0.0025, longest);
  EXPECT_EQ(settling.length_to_see(2), 2U + 3U);
  for (int v = 0; v < 20; ++v) settling.add(std::vector<double>{9, 8, 7, 6, 5, 5, 1, 1, 1});
  EXPECT_EQ(settling.steady_from(), 6U);
  EXPECT_EQ(settling.length_to_see(2), 13U + 3U);
  EXPECT_EQ(settling.length_to_see(4), longest + 3U);
}

TEST(Settling, WhatFadesIsLeftOutUntilItIsWithinTheTolerance) {
  const auto fading = [](int i) { return 1 + 0.5 * std::exp(-i); };
  // 0.5 exp(-5) is 0.34 %, exp(-6) 0.12 %.
  EXPECT_EQ(settled_of(8, 14, fading), 6U);
  EXPECT_EQ(settled_of(8, 14, [](int i) { return 1 + 0.002 * std::exp(-i); }), 0U);
}

TEST(Settling, AVisitThatIsSlowThroughoutHasNoStart) {
  Rng rng(4);
  double level = 1;
  EXPECT_EQ(settled_of(100, 10,
                       [&](int i) {
                         if (i == 0) level = rng.uniform() < 0.3 ? 2 : 1;
                         return level * std::exp(0.01 * rng.normal());
                       }),
            0U);
}

TEST(Settling, WhatIsSlowLaterOnlyIsNoStart) {
  EXPECT_EQ(settled_of(50, 12, [](int i) { return i == 4 ? 1.3 : 1.0; }), 0U);
}

TEST(Settling, NeverLeavesOutMoreThanItsLongest) {
  EXPECT_EQ(settled_of(50, 60, [](int i) { return 100.0 - i; }), longest);
}

TEST(Settling, AVisitNeedsThreeBatchesAfterTheOneInQuestion) {
  EXPECT_EQ(settled_of(50, 4, [](int i) { return i == 0 ? 2.0 : 1.0; }), 1U);
  EXPECT_EQ(settled_of(50, 3, [](int i) { return i == 0 ? 2.0 : 1.0; }), 0U);
}

TEST(Settling, PassesOverWhatHasNoTime) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(settled_of(50, 9, [&](int i) { return i == 1 ? none : i < 3 ? 2.0 : 1.0; }), 3U);
  EXPECT_EQ(settled_of(50, 9, [&](int) { return none; }), 0U);
}

TEST(Settling, NeverDecreases) {
  Settling settling(0.0025, longest);
  for (int v = 0; v < 20; ++v) settling.add(std::vector<double>{2, 2, 1, 1, 1, 1});
  EXPECT_EQ(settling.steady_from(), 2U);
  for (int v = 0; v < 500; ++v) settling.add(std::vector<double>{1, 1, 1, 1, 1, 1});
  EXPECT_EQ(settling.steady_from(), 2U);
}

}  // namespace
}  // namespace assay
