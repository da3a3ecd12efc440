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

TEST(Curve, AnUnresolvedJumpIsNotExtrapolatedEither) {
  const std::vector<Node> nodes{{1, 10, 0}, {16, 10, 0}, {256, 20, 0}, {4096, 20, 0}, {9000, 20, 0}};
  const auto gaps = assess(nodes, Basis::logarithmic, sizes, 0.05);
  EXPECT_FALSE(gaps[1].jump) << "it can be split";
  EXPECT_GT(gaps[1].certain, 0.5);
  for (const std::size_t beside : {0U, 2U, 3U}) EXPECT_NEAR(gaps[beside].certain, 0, 1e-12) << beside;
}

TEST(Curve, WhereEveryGapBendsAllLinesCount) {
  const std::vector<Node> nodes{{1, 10, 0}, {10, 20, 0}, {100, 10, 0}, {1000, 20, 0}, {9000, 10, 0}};
  const auto gaps = assess(nodes, Basis::logarithmic, sizes, 0.05);
  EXPECT_GT(gaps[1].certain, 0.5);
  EXPECT_GT(gaps[2].certain, 0.5);
}

TEST(Curve, FourStandardDeviationsAreEvident) {
  const std::vector<Node> nodes{{100, 10, 0.5}, {200, 10, 0.5}, {300, 16, 0.5}};
  const Axis linear(Domain{{std::int64_t{100}, std::int64_t{300}}, 0.05, true});
  const auto gap = assess(nodes, Basis::linear, linear, 0.05).front();
  const double noise = std::sqrt(6.0) * 0.5;
  EXPECT_NEAR(gap.noise, noise / 10, 1e-12);
  EXPECT_NEAR(gap.evident, std::sqrt(36 - 16 * noise * noise) / 10, 1e-12);
}

std::vector<Node> with_peak(std::size_t index, double factor, double sigma) {
  std::vector<Node> nodes;
  for (double x = 1; x <= 4096; x *= 4) nodes.push_back({x, 10, sigma});
  nodes[index].y *= factor;
  return nodes;
}

TEST(Curve, OneValueAmongQuietOnesIsALonePeak) {
  using Indices = std::vector<std::size_t>;
  for (const std::size_t index : {0U, 3U, 6U}) {
    EXPECT_EQ(lone_peaks(with_peak(index, 1.5, 0), Basis::logarithmic, 0.05), Indices{index});
    EXPECT_EQ(lone_peaks(with_peak(index, 1.5, 2.5), Basis::logarithmic, 0.05), Indices{}) << "noise explains it";
  }
  EXPECT_EQ(lone_peaks(with_peak(3, 0.5, 0), Basis::logarithmic, 0.05), Indices{3}) << "a dip is one too";
}

TEST(Curve, JumpsBendsAndShortCurvesHaveNoLonePeak) {
  std::vector<Node> jump = with_peak(0, 1, 0);
  for (std::size_t i = 3; i < jump.size(); ++i) jump[i].y = 20;
  EXPECT_TRUE(lone_peaks(jump, Basis::logarithmic, 0.05).empty());
  std::vector<Node> kink = with_peak(0, 1, 0);
  for (std::size_t i = 3; i < kink.size(); ++i) kink[i].y = 10 * std::pow(2, static_cast<double>(i) - 2);
  EXPECT_TRUE(lone_peaks(kink, Basis::logarithmic, 0.05).empty());
  EXPECT_TRUE(lone_peaks(std::vector<Node>{{1, 1, 0}, {2, 5, 0}, {3, 1, 0}, {4, 1, 0}}, Basis::linear, 0.05).empty());
}

TEST(Curve, KeyGrowsWithErrorAndWidthAndNeverVanishes) {
  const Gap quiet{1, 2, 1, 0};
  const Gap wrong{1, 2, 1, 0.1};
  const Gap wide{1, 2, 2, 0.1};
  EXPECT_DOUBLE_EQ(quiet.key(), 0.01);
  EXPECT_DOUBLE_EQ(wrong.key(), 0.11);
  EXPECT_DOUBLE_EQ(wide.key(), 0.11 * std::pow(2, 0.75));
}

}  // namespace
}  // namespace assay
