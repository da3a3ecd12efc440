// SPDX-License-Identifier: Apache-2.0
// Slopes of known lines, some points of which are far off.
#include "stats/sample/rank_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr double truth = 0.6;

std::vector<Dot> noisy_line(Rng& rng, int dots, double noise) {
  std::vector<Dot> made;
  for (int i = 0; i < dots; ++i) {
    const double x = 0.06 * rng.normal();
    made.push_back({x, 4 + truth * x + noise * rng.normal()});
  }
  return made;
}

TEST(RankLine, OfExactPointsIsExact) {
  const std::vector<Dot> dots{{0, 1}, {1, 3}, {2, 5}, {5, 11}};
  const auto line = rank_line(dots);
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->slope, 2, 1e-12);
  EXPECT_NEAR(line->error, 0, 1e-12);
  EXPECT_EQ(line->middle, 1.5);
}

TEST(RankLine, NeedsThreePointsAndTwoAbscissas) {
  EXPECT_FALSE(rank_line({}));
  EXPECT_FALSE(rank_line(std::vector<Dot>{{0, 1}, {1, 3}}));
  EXPECT_FALSE(rank_line(std::vector<Dot>{{2, 1}, {2, 3}, {2, 5}}));
}

TEST(RankLine, OfWhichSomePointsAreFarOffIsMovedLittle) {
  Rng rng(3);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Dot> dots = noisy_line(rng, 60, 0.02);
    // Visits that a hypervisor moved far away behind their reading: four times as long, wherever they were read.
    for (std::size_t i = 0; i < dots.size(); i += 6) dots[i].y += 1.4;
    const auto line = rank_line(dots);
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->slope, truth, 4 * line->error);
    EXPECT_NEAR(line->slope, truth, 0.3);
  }
}

TEST(RankLine, IsWithinTwoOfItsErrorsAsOftenAsItShouldBe) {
  Rng rng(5);
  constexpr int trials = 1000;
  int within = 0;
  double squares = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto line = rank_line(noisy_line(rng, 40, 0.02));
    within += std::fabs(line->slope - truth) <= 2 * line->error ? 1 : 0;
    squares += std::pow((line->slope - truth) / line->error, 2);
  }
  EXPECT_GT(within, 0.92 * trials);
  EXPECT_LT(within, 0.98 * trials);
  EXPECT_NEAR(std::sqrt(squares / trials), 1, 0.12);
}

TEST(RankLine, OfManyPointsTakesSomeInTheOrderGiven) {
  std::vector<Dot> dots;
  for (int i = 0; i < 200; ++i) dots.push_back({static_cast<double>(i), i % 2 == 0 ? 3.0 * i : 0.0});
  EXPECT_NEAR(rank_line(dots)->slope, 3, 1e-12) << "every second one";
  dots.resize(100);
  EXPECT_LT(rank_line(dots)->slope, 2.5);
}

TEST(RankPlane, TellsBothSlopes) {
  Rng rng(7);
  std::vector<PlaneDot> dots;
  for (int i = 0; i < 90; ++i) {
    const double first = 0.06 * rng.normal();
    const double second = i % 3 == 0 ? 0.025 : 0;
    dots.push_back({first, second, 4 + 0.6 * first + 0.3 * second + 0.002 * rng.normal()});
  }
  const RankPlane plane = rank_plane(dots);
  ASSERT_TRUE(plane.first && plane.second);
  EXPECT_NEAR(plane.first->slope, 0.6, 4 * plane.first->error);
  EXPECT_NEAR(plane.second->slope, 0.3, 4 * plane.second->error);
  EXPECT_LT(plane.second->error, 0.05);
}

TEST(RankPlane, TellsOneWhereTheOtherNeverDiffered) {
  const std::vector<PlaneDot> dots{{0, 0, 1}, {1, 0, 3}, {2, 0, 5}};
  const RankPlane plane = rank_plane(dots);
  ASSERT_TRUE(plane.first);
  EXPECT_NEAR(plane.first->slope, 2, 1e-12);
  EXPECT_FALSE(plane.second);
}

}  // namespace
}  // namespace assay
