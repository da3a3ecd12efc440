// SPDX-License-Identifier: Apache-2.0
// The generalised Pareto law: its formulas, its fit, and the check that refuses what does not follow it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/rng.hpp"
#include "stats/tail/pareto.hpp"

namespace assay {
namespace {

std::vector<double> excesses_of(const ParetoLaw& law, std::size_t size, Rng& random) {
  std::vector<double> drawn(size);
  for (double& y : drawn) y = std::max(1e-12, law.excess_at(1 - random.uniform()));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

TEST(ParetoLaw, HasTheFormulasOfTheBook) {
  EXPECT_NEAR((ParetoLaw{0.5, 2}.above(4)), 0.25, 1e-15) << "(1 + 0.5 4 / 2)^-2";
  EXPECT_NEAR((ParetoLaw{0, 2}.above(2)), std::exp(-1), 1e-15);
  EXPECT_NEAR((ParetoLaw{-1, 3}.above(1)), 2.0 / 3, 1e-15) << "uniform over 0 to 3";
  EXPECT_EQ((ParetoLaw{-0.5, 1}.above(2)), 0) << "its end";
  EXPECT_EQ((ParetoLaw{0.5, 1}.above(-1)), 1);
  for (const double shape : {-1.0, -0.3, 0.0, 1e-12, 0.2, 1.5})
    EXPECT_NEAR((ParetoLaw{shape, 3}.above(ParetoLaw{shape, 3}.excess_at(0.01))), 0.01, 1e-12) << shape;
}

TEST(ParetoFit, FindsShapeAndScale) {
  for (const double shape : {-0.3, 0.0, 0.2, 0.5, 1.0, 2.0}) {
    Rng random(11);
    const ParetoLaw found = fit_pareto(excesses_of({shape, 3}, 20'000, random));
    EXPECT_NEAR(found.shape, shape, 0.04 * (1 + shape));
    EXPECT_NEAR(found.scale, 3, 0.15 * (1 + shape)) << shape;
  }
}

// No law of the family is more likely: neighbours of the fit are compared with it.
TEST(ParetoFit, IsTheGreatestLikelihood) {
  Rng random(12);
  const auto excesses = excesses_of({0.3, 1}, 400, random);
  const auto likelihood = [&](const ParetoLaw& law) {
    double sum = 0;
    for (const double y : excesses)
      sum -= std::log(law.scale) + (1 + 1 / law.shape) * std::log1p(law.shape * y / law.scale);
    return sum;
  };
  const ParetoLaw best = fit_pareto(excesses);
  for (const double by : {0.99, 1.01}) {
    EXPECT_LT(likelihood({best.shape * by, best.scale}), likelihood(best));
    EXPECT_LT(likelihood({best.shape, best.scale * by}), likelihood(best));
  }
}

TEST(ParetoFit, OfUniformExcessesEndsAtTheLargest) {
  Rng random(13);
  const auto excesses = excesses_of({-1, 5}, 2000, random);
  const ParetoLaw found = fit_pareto(excesses);
  EXPECT_NEAR(found.shape, -1, 0.02);
  EXPECT_NEAR(-found.scale / found.shape, 5, 0.02);
}

TEST(ParetoFit, NeedsTwoPositiveExcesses) {
  EXPECT_THROW(fit_pareto(std::vector<double>{1}), std::invalid_argument);
  EXPECT_THROW(fit_pareto(std::vector<double>{0, 1}), std::invalid_argument);
}

TEST(ParetoRegion, ContainsTheFitAndWidensWithTheDistance) {
  Rng random(14);
  const auto excesses = excesses_of({0.2, 1}, 300, random);
  const ParetoLaw best = fit_pareto(excesses);
  const Exceeding exceeding{300, 6000};
  const double value = best.excess_at(1e-4 / exceeding.share());
  const Interval near = ParetoRegion(excesses, exceeding, 1).excess(1e-4);
  const Interval far = ParetoRegion(excesses, exceeding, 3.84).excess(1e-4);
  EXPECT_LT(near.low, value);
  EXPECT_GT(near.high, value);
  EXPECT_LT(far.low, near.low);
  EXPECT_GT(far.high, near.high);
  EXPECT_GT(far.high - value, value - far.low) << "an extrapolated quantile is less certain upwards";
  const Interval shape = ParetoRegion(excesses, exceeding, 3.84).shape();
  EXPECT_LT(shape.low, best.shape);
  EXPECT_GT(shape.high, best.shape);
  // The standard error of the shape is (1 + shape) / sqrt(count) (Smith, Annals of Statistics 15, 1987).
  EXPECT_NEAR(shape.high - shape.low, 2 * 1.96 * (1 + best.shape) / std::sqrt(300), 0.05);
}

// Values worked out by hand: one excess at the median has F = 1/2, so that A2 = -1 - 2 log(1/2).
TEST(AndersonDarling, IsKnownForOneValue) {
  const ParetoLaw law{0, 1};
  EXPECT_NEAR(anderson_darling(law, std::vector<double>{std::log(2)}), -1 + 2 * std::log(2), 1e-12);
}

TEST(ParetoCheck, AcceptsWhatFollowsTheLaw) {
  int refused = 0;
  constexpr int trials = 200;
  for (int trial = 0; trial < trials; ++trial) {
    Rng random(static_cast<std::uint64_t>(trial) + 100);
    const auto excesses = excesses_of({0.2, 1}, 100, random);
    refused += pareto_check(fit_pareto(excesses), excesses, 5) < 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(refused, 0.1 * trials, 3 * std::sqrt(0.1 * 0.9 * trials)) << "at level 0.1";
}

TEST(ParetoCheck, RefusesTwoModes) {
  Rng random(15);
  std::vector<double> mixed(500);
  for (double& y : mixed) y = random.uniform() < 0.7 ? random.uniform() + 1e-9 : 10 + random.uniform();
  std::sort(mixed.begin(), mixed.end());
  EXPECT_LT(pareto_check(fit_pareto(mixed), mixed, 5), 0.02);
}

}  // namespace
}  // namespace assay
