// SPDX-License-Identifier: Apache-2.0
// Draws of parameters: their own intervals come back, what varied together is drawn together, and intervals of
// predictions contain the truth as often as they promise.
#include "record/predict/draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.hpp"

namespace assay::predict {
namespace {

Parameter parameter_with(const std::string& symbol, double value, double low, double high) {
  Parameter parameter;
  parameter.symbol = symbol;
  parameter.origin = symbol;
  parameter.estimate = {"median", value, {low, high, 0.95}, "visits"};
  return parameter;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  double mean_a = 0;
  double mean_b = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

TEST(Draws, TheIntervalOfAParameterComesBackOnEitherSide) {
  const Draws draws(3, 20'000);
  for (const Parameter& one : {parameter_with("near", 100, 98, 110), parameter_with("signed", 1, -2, 3)}) {
    const Interval found = interval_of(draws.of(one), 0.95);
    EXPECT_NEAR(found.low, one.estimate.interval.low, 0.4);
    EXPECT_NEAR(found.high, one.estimate.interval.high, 0.4);
  }
}

TEST(Draws, AreThoseOfTheSeedAlone) {
  const Parameter one = parameter_with("x", 10, 9, 11);
  const Parameter other = parameter_with("y", 10, 9, 11);
  EXPECT_EQ(Draws(5, 10).of(one), Draws(5, 10).of(one));
  EXPECT_NE(Draws(5, 10).of(one), Draws(6, 10).of(one));
  EXPECT_NE(Draws(5, 10).of(one), Draws(5, 10).of(other));
}

TEST(Draws, WithoutAnIntervalThereIsOneValue) {
  Parameter one = parameter_with("x", 10, 0, 0);
  one.estimate.interval = {};
  EXPECT_EQ(Draws(1, 3).of(one), std::vector<double>(3, 10));
}

TEST(Draws, NumbersOfCommonReplicatesAreAsCorrelatedAsThese) {
  Parameter a = parameter_with("a", 10, 9, 11);
  Parameter same = parameter_with("same", 20, 18, 22);
  Parameter opposite = parameter_with("opposite", 10, 9, 11);
  for (Parameter* one : {&a, &same, &opposite}) one->varies_with = "a point";
  const std::vector<double> factors{0.9, 0.95, 1, 1.05, 1.1};
  for (int i = 0; i < 5; ++i) {
    const double factor = factors[static_cast<std::size_t>(i)];
    a.replicates.push_back({0, i, 10 * factor});
    same.replicates.push_back({0, i, 20 * factor});
    opposite.replicates.push_back({0, i, 10 / factor});
  }
  const Draws draws(1, 4000);
  EXPECT_NEAR(correlation(draws.of(a), draws.of(same)), 1, 0.01);
  EXPECT_NEAR(correlation(draws.of(a), draws.of(opposite)), -1, 0.02);
  Parameter elsewhere = same;
  elsewhere.varies_with = "another point";
  EXPECT_NEAR(correlation(draws.of(a), draws.of(elsewhere)), 0, 0.06);
}

// A sum and a maximum of parameters that were estimated with the error that their intervals state.
TEST(Draws, IntervalsOfPredictionsContainTheTruth) {
  constexpr int trials = 600;
  constexpr double spread = 0.03;
  const auto formula = [](double x, double y) { return 2 * std::max(y + x / 2, y / 2 + x); };
  const double truth = formula(26, 35);
  Rng rng(11);
  int contained = 0;
  for (int i = 0; i < trials; ++i) {
    const auto estimated = [&](const char* symbol, double value) {
      const double found = value * std::exp(spread * rng.normal());
      const double reach = std::exp(1.96 * spread);
      return parameter_with(symbol, found, found / reach, found * reach);
    };
    const Draws draws(static_cast<std::uint64_t>(i), 400);
    const auto xs = draws.of(estimated("x", 26));
    const auto ys = draws.of(estimated("y", 35));
    std::vector<double> values(xs.size());
    std::ranges::transform(xs, ys, values.begin(), formula);
    contained += interval_of(values, 0.95).contains(truth) ? 1 : 0;
  }
  // 95 % of 600 are 570, with a standard deviation of 5.3.
  EXPECT_GE(contained, 550);
  EXPECT_LE(contained, 590);
}

}  // namespace
}  // namespace assay::predict
