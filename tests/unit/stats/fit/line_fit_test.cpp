// SPDX-License-Identifier: Apache-2.0
// Linear models of known parameters: values, intervals, what is not determined, and what a wrong model shows.
#include "stats/fit/line_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

Estimate known_at(double value, double half) { return {"median", value, {value - half, value + half, 0.95}, "visits"}; }

// Places a and b, and an operation's cost on top of either.
std::vector<ModelRow> additive(double a, double b, double cost, double half) {
  return {{{1, 0, 0}, known_at(a, half)},
          {{1, 0, 1}, known_at(a + cost, half)},
          {{0, 1, 0}, known_at(b, half)},
          {{0, 1, 1}, known_at(b + cost, half)}};
}

TEST(LinearModel, ExactRowsGiveTheParametersBack) {
  const LinearModel model = fit_linear(additive(2, 130, 5, 0.1), 3, 0.05);
  EXPECT_NEAR(model.parameters[0].value, 2, 1e-9);
  EXPECT_NEAR(model.parameters[1].value, 130, 1e-9);
  EXPECT_NEAR(model.parameters[2].value, 5, 1e-9);
  EXPECT_NEAR(model.misfit, 0, 1e-6);
  EXPECT_GT(model.parameters[2].interval.high, model.parameters[2].value) << "an exact fit is not exact knowledge";
}

TEST(LinearModel, IntervalsCoverTheTruthAsOftenAsTheySay) {
  Rng rng(5);
  constexpr double error = 0.5;
  int covered = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    auto rows = additive(2, 130, 5, 1.96 * error);
    for (ModelRow& row : rows) {
      const double shift = error * rng.normal();
      row.y = known_at(row.y.value + shift, 1.96 * error);
    }
    covered += fit_linear(rows, 3, 0.05).parameters[2].interval.contains(5) ? 1 : 0;
  }
  // The variance is not taken below what the intervals imply, so that they cover a little more.
  EXPECT_GT(covered, 0.94 * trials);
}

TEST(LinearModel, WhatTheRowsDoNotDetermineIsNotReported) {
  // The cost is in rows of place b alone, which occurs with it only; place a stands by itself.
  const std::vector<ModelRow> rows{{{1, 0, 0}, known_at(2, 0.1)}, {{0, 1, 1}, known_at(135, 0.1)}};
  const LinearModel model = fit_linear(rows, 3, 0.05);
  EXPECT_TRUE(model.parameters[0].valid);
  EXPECT_FALSE(model.parameters[1].valid);
  EXPECT_FALSE(model.parameters[2].valid);
  EXPECT_NEAR(model.fitted[1], 135, 1e-9);
  EXPECT_TRUE(std::isnan(model.misfit)) << "there is nothing to compare with";
}

TEST(LinearModel, AWrongModelHasWideIntervalsAndAMisfit) {
  auto rows = additive(2, 130, 5, 0.1);
  rows[3].y = known_at(130 + 50, 0.1);  // the cost is no constant
  const LinearModel wrong = fit_linear(rows, 3, 0.05);
  const LinearModel right = fit_linear(additive(2, 130, 5, 0.1), 3, 0.05);
  const auto width = [](const Derived& derived) { return derived.interval.high - derived.interval.low; };
  EXPECT_GT(wrong.misfit, 100);
  EXPECT_GT(width(wrong.parameters[2]), 100 * width(right.parameters[2]));
}

TEST(LinearModel, RowsThatDoNotFitAreRefused) {
  EXPECT_THROW(fit_linear(additive(1, 2, 3, 0.1), 2, 0.05), std::invalid_argument);
  EXPECT_THROW(fit_linear(additive(1, 2, 3, 0.1), 3, 1), std::invalid_argument);
}

}  // namespace
}  // namespace assay
