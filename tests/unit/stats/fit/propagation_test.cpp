// SPDX-License-Identifier: Apache-2.0
// Differences, ratios and extremes of estimates against values worked out by hand, and the cases in which there is
// none.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "stats/fit/line_fit.hpp"
#include "stats/fit/propagation.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

Estimate estimate(double value, double low, double high, double level = 0.95) {
  return {"median", value, {low, high, level}, "visits"};
}

void expect_invalid(const Derived& derived, const std::string& reason) {
  EXPECT_FALSE(derived.valid);
  EXPECT_FALSE(derived.interval.available());
  EXPECT_TRUE(std::isnan(derived.value));
  EXPECT_EQ(derived.reason, reason);
}

TEST(Difference, CombinesEachSideInQuadrature) {
  const Derived derived = difference(estimate(10, 7, 11), estimate(4, 2, 8));
  EXPECT_TRUE(derived.valid);
  EXPECT_EQ(derived.reason, "");
  EXPECT_EQ(derived.value, 6);
  // Down: 3 below the first with 4 above the second; up: 1 above the first with 2 below the second.
  EXPECT_DOUBLE_EQ(derived.interval.low, 1);
  EXPECT_DOUBLE_EQ(derived.interval.high, 6 + std::sqrt(5));
  EXPECT_DOUBLE_EQ(derived.interval.level, 0.95);
}

TEST(Difference, IsAtTheLowerLevel) {
  EXPECT_EQ(difference(estimate(2, 1, 3, 0.9375), estimate(1, 0, 2)).interval.level, 0.9375);
}

TEST(Difference, OfInputsWithoutIntervalIsInvalid) {
  const Estimate bare{"median", 3, {}, ""};
  expect_invalid(difference(bare, estimate(1, 0, 2)), "the minuend has no interval");
  expect_invalid(difference(estimate(1, 0, 2), bare), "the subtrahend has no interval");
}

TEST(Difference, OfBrokenInputsIsInvalid) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_invalid(difference(estimate(std::nan(""), 0, 2), estimate(1, 0, 2)), "the minuend is not a finite number");
  expect_invalid(difference(estimate(1, 0, infinity), estimate(1, 0, 2)), "the interval of the minuend is not finite");
  expect_invalid(difference(estimate(1, 0, 2), estimate(3, 0, 2)), "the subtrahend lies outside its interval");
}

TEST(Ratio, CombinesTheLogarithms) {
  const Derived derived = ratio(estimate(8, 4, 16), estimate(2, 1, 4));
  EXPECT_TRUE(derived.valid);
  EXPECT_DOUBLE_EQ(derived.value, 4);
  const double half = std::sqrt(2) * std::log(2);
  EXPECT_NEAR(derived.interval.low, 4 * std::exp(-half), 1e-12);
  EXPECT_NEAR(derived.interval.high, 4 * std::exp(half), 1e-12);
}

TEST(Ratio, NeedsPositiveIntervals) {
  expect_invalid(ratio(estimate(1, 0.5, 2), estimate(1, -1, 2)), "the interval of the denominator reaches 0");
  expect_invalid(ratio(estimate(1, 0.5, 2), estimate(-1, -2, -0.5)), "the denominator is not positive");
  expect_invalid(ratio(estimate(1, 0, 2), estimate(1, 0.5, 2)), "the interval of the numerator reaches 0");
  const Estimate bare{"median", 3, {}, ""};
  expect_invalid(ratio(estimate(1, 0.5, 2), bare), "the denominator has no interval");
}

Abscissa at(double x, double y, double half) { return {x, estimate(y, y - half, y + half)}; }

TEST(Slope, OfALineIsExactWithTheWidthThatTheIntervalsImply) {
  // Equal standard errors of 1; x about its mean is -1, 0, 1, so the slope's standard error is 1 / sqrt(2).
  const double half = normal_quantile(0.975);
  const std::vector<Abscissa> points{at(1, 5, half), at(2, 7, half), at(3, 9, half)};
  const Derived derived = slope(points, 0.05);
  EXPECT_TRUE(derived.valid);
  EXPECT_NEAR(derived.value, 2, 1e-12);
  EXPECT_NEAR(derived.interval.high - derived.value, 12.7062047 / std::sqrt(2), 1e-6);
  EXPECT_NEAR(derived.value - derived.interval.low, 12.7062047 / std::sqrt(2), 1e-6);
  EXPECT_DOUBLE_EQ(derived.interval.level, 0.95);
}

TEST(Slope, WeighsByTheIntervals) {
  // The last point is off the line y = x, but its interval is as wide as to say nothing.
  const std::vector<Abscissa> points{at(0, 0, 0.001), at(1, 1, 0.001), at(2, 2, 0.001), at(3, 50, 1e6)};
  EXPECT_NEAR(slope(points, 0.05).value, 1, 1e-6);
}

TEST(Slope, ScatterBeyondTheIntervalsWidensIt) {
  const std::vector<Abscissa> on_line{at(0, 0, 0.1), at(1, 1, 0.1), at(2, 2, 0.1), at(3, 3, 0.1)};
  const std::vector<Abscissa> scattered{at(0, 2, 0.1), at(1, -1, 0.1), at(2, 0, 0.1), at(3, 5, 0.1)};
  const Derived narrow = slope(on_line, 0.05);
  const Derived wide = slope(scattered, 0.05);
  EXPECT_NEAR(narrow.value, 1, 1e-12);
  EXPECT_NEAR(wide.value, 1, 1e-12);
  // Residuals 2, -2, -2, 2: variance 16 / 2, over a sum of squares of 5; t on 2 degrees of freedom.
  EXPECT_NEAR(wide.interval.high - wide.value, 4.3026527 * std::sqrt(8.0 / 5), 1e-6);
  EXPECT_LT(narrow.interval.high - narrow.value, 0.2);
}

TEST(Slope, AConstantSampleDoesNotOutweighTheOthers) {
  const std::vector<Abscissa> points{at(0, 0, 0), at(1, 1, 0.1), at(2, 2, 0.1)};
  const std::vector<Abscissa> equal{at(0, 0, 0.1), at(1, 1, 0.1), at(2, 2, 0.1)};
  EXPECT_DOUBLE_EQ(slope(points, 0.05).value, slope(equal, 0.05).value);
  EXPECT_DOUBLE_EQ(slope(points, 0.05).interval.high, slope(equal, 0.05).interval.high);
}

TEST(Slope, OfConstantSamplesRestsOnTheResidualsAlone) {
  const std::vector<Abscissa> line{at(0, 1, 0), at(1, 3, 0), at(2, 5, 0)};
  EXPECT_DOUBLE_EQ(slope(line, 0.05).value, 2);
  EXPECT_NEAR(slope(line, 0.05).interval.high, 2, 1e-9);
  const std::vector<Abscissa> bent{at(0, 1, 0), at(1, 4, 0), at(2, 5, 0)};
  EXPECT_GT(slope(bent, 0.05).interval.high, 3);
}

TEST(Slope, NeedsThreeDifferentAbscissas) {
  const std::vector<Abscissa> two{at(0, 0, 1), at(1, 1, 1), at(1, 2, 1)};
  expect_invalid(slope(two, 0.05), "2 different abscissas, of at least 3");
  expect_invalid(slope({}, 0.05), "0 different abscissas, of at least 3");
}

TEST(Slope, NamesThePointThatIsBroken) {
  std::vector<Abscissa> points{at(0, 0, 1), at(16, 1, 1), at(32, 2, 1)};
  points[1].y.interval = {};
  expect_invalid(slope(points, 0.05), "the point at 16 has no interval");
  points[1] = at(16, std::nan(""), 1);
  expect_invalid(slope(points, 0.05), "the point at 16 is not a finite number");
  points[1] = at(std::nan(""), 1, 1);
  expect_invalid(slope(points, 0.05), "an abscissa is not finite");
}

TEST(Slope, RefusesAnImpossibleLevel) {
  const std::vector<Abscissa> points{at(0, 0, 1), at(1, 1, 1), at(2, 2, 1)};
  EXPECT_THROW(slope(points, 0), std::invalid_argument);
  EXPECT_THROW(slope(points, 1), std::invalid_argument);
}

Estimate about(double value, double half, double level = 0.95) {
  return {"median", value, {value - half, value + half, level}, "visits"};
}

TEST(Extreme, OfOneIsThatOne) {
  const std::vector<Estimate> one{about(10, 2)};
  EXPECT_EQ(least_of(one).interval.high, 12);
  EXPECT_EQ(greatest_of(one).interval.low, 8);
  EXPECT_THROW(least_of({}), std::invalid_argument);
}

TEST(Extreme, TakesTheLowestLowerEndAndACorrectedUpperEnd) {
  const std::vector<Estimate> three{about(10, 1), about(11, 4), about(30, 1)};
  const Estimate least = least_of(three);
  EXPECT_EQ(least.value, 10);
  EXPECT_EQ(least.interval.low, 7) << "the second may be the least";
  const double growth = normal_quantile(1 - 0.025 / 3) / normal_quantile(0.975);
  EXPECT_NEAR(least.interval.high, 10 + growth, 1e-12);
  EXPECT_EQ(least.interval.level, 0.95);
  const Estimate greatest = greatest_of(three);
  EXPECT_EQ(greatest.value, 30);
  EXPECT_EQ(greatest.interval.high, 31);
  EXPECT_NEAR(greatest.interval.low, 30 - growth, 1e-12);
}

TEST(Extreme, HasNoIntervalWhereOneOfThemHasNone) {
  const std::vector<Estimate> two{about(10, 1), {"median", 12, {}, ""}};
  EXPECT_EQ(least_of(two).value, 10);
  EXPECT_FALSE(least_of(two).interval.available());
}

TEST(Extreme, OfKnownNumbersIsKnown) {
  const std::vector<Estimate> two{{"known", 3, {3, 3, 1}, ""}, {"known", 5, {5, 5, 1}, ""}};
  EXPECT_EQ(least_of(two).interval.low, 3);
  EXPECT_EQ(least_of(two).interval.high, 3);
}

// Twenty cells of the same true value, where the choice errs most: the interval holds in 95 % of the trials at least.
TEST(Extreme, CoversTheTrueLeast) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> error(0, 1);
  int covered = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Estimate> cells;
    for (int cell = 0; cell < 20; ++cell) cells.push_back(about(100 + error(random), normal_quantile(0.975)));
    covered += least_of(cells).interval.contains(least_of(cells).value) && least_of(cells).interval.low <= 100 &&
               100 <= least_of(cells).interval.high;
  }
  EXPECT_GE(covered, trials * 95 / 100);
}

}  // namespace
}  // namespace assay
