// SPDX-License-Identifier: Apache-2.0
// Interpolation, choice of basis, and the assessment of gaps.
#include <gtest/gtest.h>

#include <cmath>

#include "design/curve.hpp"

namespace assay {
namespace {

const Axis sizes(Domain{{std::int64_t{1}, std::int64_t{10000}}, 0.05, true});

std::vector<Node> curve(double (*y)(double), double relative_sigma = 0) {
  std::vector<Node> nodes;
  for (double x = 1; x <= 4096; x *= 4) nodes.push_back({x, y(x), relative_sigma * std::abs(y(x))});
  return nodes;
}

double line(double x) { return 3 + 2 * x; }
double power(double x) { return 5 * std::pow(x, 0.7); }
double through_zero(double x) { return x - 100; }

TEST(Curve, InterpolatesAStraightLineExactlyInTheLinearBasis) {
  const auto nodes = curve(line);
  EXPECT_DOUBLE_EQ(interpolate(nodes, 100, Basis::linear), line(100));
  EXPECT_DOUBLE_EQ(interpolate(nodes, 4, Basis::linear), line(4));
  EXPECT_DOUBLE_EQ(interpolate(nodes, 8000, Basis::linear), line(8000));
  EXPECT_GT(std::abs(interpolate(nodes, 2, Basis::logarithmic) / line(2) - 1), 0.01);
}

TEST(Curve, InterpolatesAPowerExactlyInTheLogarithmicBasis) {
  EXPECT_NEAR(interpolate(curve(power), 100, Basis::logarithmic), power(100), 1e-9);
}

TEST(Curve, ChoosesTheBasisThatLeavesLessOut) {
  EXPECT_EQ(choose_basis(curve(line), sizes), Basis::linear);
  EXPECT_EQ(choose_basis(curve(power), sizes), Basis::logarithmic);
}

TEST(Curve, StaysLinearWhereLogarithmsDoNotExist) {
  EXPECT_EQ(choose_basis(curve(through_zero), sizes), Basis::linear);
  for (const Gap& gap : assess(curve(through_zero), Basis::logarithmic, sizes, 0.05)) EXPECT_NEAR(gap.error, 0, 1e-9);
}

TEST(Curve, AStraightCurveHasNoErrorInItsBasis) {
  for (const Gap& gap : assess(curve(line), Basis::linear, sizes, 0.05)) {
    EXPECT_NEAR(gap.error, 0, 1e-9);
    EXPECT_FALSE(gap.jump);
  }
}

TEST(Curve, TwoNodesAreJudgedByAQuarterOfTheirDifference) {
  const std::vector<Node> nodes{{1, 1, 0}, {100, std::exp(0.4), 0}};
  const auto gaps = assess(nodes, Basis::linear, sizes, 0.05);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_NEAR(gaps[0].error, 0.1, 1e-12);
}

TEST(Curve, NoiseIsTakenOffTheMiss) {
  // The outer node is 3 above the line through the others; r = 1, so the noise of the miss is sqrt(1 + 4 + 1) sigma.
  const std::vector<Node> exact{{100, 10, 0}, {200, 10, 0}, {300, 13, 0}};
  auto noisy = exact;
  for (Node& node : noisy) node.sigma = 0.5;
  const Axis linear(Domain{{std::int64_t{100}, std::int64_t{300}}, 0.05, true});
  const double noise = std::sqrt(6.0) * 0.5;
  const auto first = assess(noisy, Basis::linear, linear, 0.05).front();
  EXPECT_NEAR(assess(exact, Basis::linear, linear, 0.05).front().error, 0.3, 1e-12);
  EXPECT_NEAR(first.error, std::sqrt(9 - noise * noise) / 10, 1e-12);
  EXPECT_NEAR(first.certain, std::sqrt(9 - 4 * noise * noise) / 10, 1e-12);
}

TEST(Curve, AJumpIsMissedFromBothSidesAndHidesNothingBesideIt) {
  const std::vector<Node> nodes{{1000, 10, 0}, {2000, 10, 0}, {2001, 20, 0}, {4000, 20, 0}};
  const auto gaps = assess(nodes, Basis::linear, sizes, 0.05);
  EXPECT_FALSE(gaps[0].jump);
  EXPECT_TRUE(gaps[1].jump);
  EXPECT_FALSE(gaps[2].jump);
  EXPECT_EQ(gaps[0].certain, 0);
  EXPECT_EQ(gaps[2].certain, 0);
}

TEST(Curve, KeyGrowsWithErrorAndWidthAndNeverVanishes) {
  const Gap quiet{1, 2, 1, 0, 0, false};
  const Gap wrong{1, 2, 1, 0.1, 0, false};
  const Gap wide{1, 2, 2, 0.1, 0, false};
  EXPECT_DOUBLE_EQ(quiet.key(), 0.01);
  EXPECT_DOUBLE_EQ(wrong.key(), 0.11);
  EXPECT_DOUBLE_EQ(wide.key(), 0.11 * std::pow(2, 0.75));
}

}  // namespace
}  // namespace assay
