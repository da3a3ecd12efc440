// SPDX-License-Identifier: Apache-2.0
// Intervals of formulas over estimates of known truth.
#include "stats/fit/propagation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/laws/laws.hpp"

namespace assay {
namespace {

constexpr int propagation_campaigns = 1500;
constexpr double propagation_level = 0.94;

Estimate mean_of(const test::Law& law, int n, Rng& rng) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(law(rng));
  return {"mean", summarize(values).mean, t_interval(values, 0.05), "values"};
}

/// The share of campaigns in which a formula over means of normal laws covers what it has of their true means.
double coverage(const std::vector<double>& truths, double spread, const FormulaOf& formula) {
  Rng rng(31);
  int covered = 0;
  for (int i = 0; i < propagation_campaigns; ++i) {
    std::vector<Estimate> inputs;
    for (const double truth : truths) inputs.push_back(mean_of(test::normal(truth, spread * truth), 12, rng));
    covered += propagated(inputs, formula).interval.contains(formula(truths)) ? 1 : 0;
  }
  return static_cast<double>(covered) / propagation_campaigns;
}

TEST(PropagationCoverage, OfTheDerivedQuantitiesOfTables) {
  using Inputs = std::span<const double>;
  const auto net = [](Inputs v) { return 1e9 / v[0] - 1e9 / v[1]; };
  const auto gain = [](Inputs v) { return (v[0] - v[1]) / v[0]; };
  const auto cycles = [](Inputs v) { return (v[0] - v[1]) * v[2]; };
  for (const double spread : {0.02, 0.1, 0.3}) {
    EXPECT_GE(coverage({145010, 7571516}, spread, net), propagation_level) << spread;
    EXPECT_GE(coverage({396513, 179183}, spread, gain), propagation_level) << spread;
    EXPECT_GE(coverage({6896, 132, 2.5}, spread, cycles), propagation_level) << spread;
  }
}

TEST(PropagationCoverage, IsNotBoughtByWideIntervals) {
  const auto sum = [](std::span<const double> v) { return v[0] + v[1] + v[2] + v[3]; };
  EXPECT_LE(coverage({100, 100, 100, 100}, 0.1, sum), 0.985);
}

TEST(Propagation, IsMoverForDifferences) {
  const Estimate a{"median", 10, {9, 12, 0.95}, "visits"};
  const Estimate b{"median", 4, {3.5, 4.2, 0.9}, "visits"};
  const std::vector<Estimate> inputs{a, b};
  const Derived by_formula = propagated(inputs, [](std::span<const double> v) { return v[0] - v[1]; });
  const Derived by_name = difference(a, b);
  EXPECT_DOUBLE_EQ(by_formula.value, by_name.value);
  EXPECT_DOUBLE_EQ(by_formula.interval.low, by_name.interval.low);
  EXPECT_DOUBLE_EQ(by_formula.interval.high, by_name.interval.high);
  EXPECT_DOUBLE_EQ(by_formula.interval.level, 0.9);
}

TEST(Propagation, CountsAnInputThatOccursTwiceOnce) {
  const std::vector<Estimate> inputs{{"median", 10, {9, 12, 0.95}, "visits"}};
  const Derived nothing = propagated(inputs, [](std::span<const double> v) { return v[0] - v[0]; });
  EXPECT_EQ(nothing.interval.low, 0);
  EXPECT_EQ(nothing.interval.high, 0);
}

TEST(Propagation, KnowsExactNumbers) {
  const std::vector<Estimate> inputs{exactly_known(100), {"median", 10, {9, 12, 0.95}, "visits"}};
  const Derived ratio_of = propagated(inputs, [](std::span<const double> v) { return v[0] / v[1]; });
  EXPECT_DOUBLE_EQ(ratio_of.interval.low, 100.0 / 12);
  EXPECT_DOUBLE_EQ(ratio_of.interval.high, 100.0 / 9);
}

TEST(Propagation, RefusesWhatHasNoIntervalOrNoValue) {
  const FormulaOf inverse = [](std::span<const double> v) { return 1 / v[0]; };
  const std::vector<Estimate> bare{{"median", 10, {}, "visits"}};
  EXPECT_EQ(propagated(bare, inverse).reason, "an input has no interval");
  const std::vector<Estimate> at_zero{{"median", 1, {0, 2, 0.95}, "visits"}};
  EXPECT_FALSE(propagated(at_zero, inverse).valid);
  const std::vector<Estimate> outside{{"median", 10, {11, 12, 0.95}, "visits"}};
  EXPECT_FALSE(propagated(outside, inverse).valid);
}

}  // namespace
}  // namespace assay
