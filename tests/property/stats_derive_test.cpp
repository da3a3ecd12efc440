// SPDX-License-Identifier: Apache-2.0
// Coverage of differences, ratios and slopes computed from estimates of known truth.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stats/fit/line_fit.hpp"
#include "stats/fit/propagation.hpp"
#include "support/laws/laws.hpp"

namespace assay {
namespace {

constexpr int campaigns = 1500;
constexpr double promised = 0.94;

std::vector<double> draws(const test::Law& law, int n, Rng& rng) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(law(rng));
  return values;
}

Estimate mean_of(const std::vector<double>& values) {
  return {"mean", summarize(values).mean, t_interval(values, 0.05), "values"};
}

Estimate geometric_mean_of(const std::vector<double>& values) {
  const Interval interval = log_t_interval(values, 0.05);
  return {"geometric mean", std::sqrt(interval.low * interval.high), interval, "values"};
}

TEST(DifferenceCoverage, OfEstimatesOfUnequalWidth) {
  for (const double stddev : {1.0, 5.0, 25.0}) {
    Rng rng(21);
    int covered = 0;
    for (int i = 0; i < campaigns; ++i) {
      const Estimate a = mean_of(draws(test::normal(110, 5), 10, rng));
      const Estimate b = mean_of(draws(test::normal(100, stddev), 20, rng));
      covered += difference(a, b).interval.contains(10) ? 1 : 0;
    }
    EXPECT_GE(covered, promised * campaigns) << stddev;
    EXPECT_LE(covered, 0.985 * campaigns) << stddev;
  }
}

TEST(RatioCoverage, OfLogNormalEstimates) {
  Rng rng(22);
  int covered = 0;
  for (int i = 0; i < campaigns; ++i) {
    const Estimate a = geometric_mean_of(draws(test::log_normal(300, 0.5), 10, rng));
    const Estimate b = geometric_mean_of(draws(test::log_normal(100, 0.2), 10, rng));
    covered += ratio(a, b).interval.contains(3) ? 1 : 0;
  }
  EXPECT_GE(covered, promised * campaigns);
  EXPECT_LE(covered, 0.985 * campaigns);
}

/// Points on y = 50 + 2 x whose noise the intervals state correctly, times an error `stated` leaves out.
std::vector<Abscissa> line(double unstated, Rng& rng) {
  const double z = normal_quantile(0.975);
  std::vector<Abscissa> points;
  for (const double x : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
    const double error = 0.5 + x / 16;
    const double y = 50 + 2 * x + error * unstated * rng.normal();
    points.push_back({x, {"median", y, {y - z * error, y + z * error, 0.95}, "visits"}});
  }
  return points;
}

TEST(SlopeCoverage, WithHonestIntervals) {
  Rng rng(23);
  int covered = 0;
  for (int i = 0; i < campaigns; ++i) covered += slope(line(1, rng), 0.05).interval.contains(2) ? 1 : 0;
  EXPECT_GE(covered, promised * campaigns);
}

TEST(SlopeCoverage, WithIntervalsFarTooNarrow) {
  // The scatter about the line is ten times what the intervals say: the residuals take over.
  Rng rng(24);
  int covered = 0;
  for (int i = 0; i < campaigns; ++i) covered += slope(line(10, rng), 0.05).interval.contains(2) ? 1 : 0;
  EXPECT_GE(covered, promised * campaigns);
  EXPECT_LE(covered, 0.965 * campaigns);
}

TEST(Slope, ALuckyFitDoesNotNarrowIt) {
  // Points on the line by accident: the width is what the intervals imply, whatever the residuals.
  Rng rng(25);
  const Derived lucky = slope(line(0, rng), 0.05);
  EXPECT_NEAR(lucky.value, 2, 1e-12);
  EXPECT_GT(lucky.interval.high - lucky.interval.low, 0.1);
}

}  // namespace
}  // namespace assay
