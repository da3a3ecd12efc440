// SPDX-License-Identifier: Apache-2.0
// The least of several estimates: its interval covers the true least however many there are to choose from.
#include "stats/fit/extreme.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

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
