// SPDX-License-Identifier: Apache-2.0
// Weighted sums about the weighted means, which keep their digits over long ranges of abscissas. Boost.Accumulators has
// the means; its weighted covariance updates both at each point and rounds as often, and Boost.Math fits lines without
// weights only.
#include "stats/fit/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "stats/fit/derive.hpp"
#include "stats/sample/moments.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

constexpr std::size_t fewest_abscissas = 3;

/// Why no slope can be had; empty when it can.
std::string flaw(std::span<const Abscissa> points) {
  std::set<double> abscissas;
  for (const Abscissa& point : points) {
    if (std::string found = flaw_of(point); !found.empty()) return found;
    abscissas.insert(point.x);
  }
  if (abscissas.size() >= fewest_abscissas) return {};
  return counted(abscissas.size(), "different abscissa") + ", of at least " + std::to_string(fewest_abscissas);
}

}  // namespace

LineFit fit_line(std::span<const Abscissa> points, std::span<const double> errors) {
  const auto weight = [&](std::size_t i) { return 1 / (errors[i] * errors[i]); };
  WeightedMean abscissas;
  WeightedMean ordinates;
  for (std::size_t i = 0; i < points.size(); ++i) {
    abscissas(points[i].x, acc::weight = weight(i));
    ordinates(points[i].y.value, acc::weight = weight(i));
  }
  const double total = acc::sum_of_weights(abscissas);
  const double x = acc::weighted_mean(abscissas);
  const double y = acc::weighted_mean(ordinates);
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    xx += weight(i) * (points[i].x - x) * (points[i].x - x);
    xy += weight(i) * (points[i].x - x) * (points[i].y.value - y);
  }
  LineFit fit{.slope = xy / xx, .intercept_factor = 1 / total + x * x / xx, .slope_factor = 1 / xx};
  fit.intercept = y - fit.slope * x;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double residual = points[i].y.value - y - fit.slope * (points[i].x - x);
    fit.residuals += weight(i) * residual * residual;
  }
  return fit;
}

std::vector<double> implied_errors(std::span<const Abscissa> points) {
  std::vector<double> errors;
  double smallest = std::numeric_limits<double>::infinity();
  for (const Abscissa& point : points) {
    const Interval& interval = point.y.interval;
    const double z = normal_quantile(0.5 + std::min(interval.level, 0.999999) / 2);
    errors.push_back((interval.high - interval.low) / 2 / z);
    if (errors.back() > 0) smallest = std::min(smallest, errors.back());
  }
  if (std::isinf(smallest)) return errors;
  for (double& error : errors) error = std::max(error, smallest);
  return errors;
}

std::string flaw_of(const Abscissa& point) {
  const std::string name = "the point at " + rounded(point.x);
  if (!std::isfinite(point.x)) return "an abscissa is not finite";
  if (!std::isfinite(point.y.value)) return name + " is not a finite number";
  if (!point.y.interval.available()) return name + " has no interval";
  if (!std::isfinite(point.y.interval.high - point.y.interval.low)) return "the interval of " + name + " is not finite";
  return {};
}

Derived slope(std::span<const Abscissa> points, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of a slope lies between 0 and 1");
  if (std::string found = flaw(points); !found.empty()) return not_derived(std::move(found));
  std::vector<double> errors = implied_errors(points);
  // The variance of an observation of weight 1 that the intervals imply: none where no interval has a width.
  const double implied = errors.front() > 0 ? 1 : 0;
  if (implied == 0) std::ranges::fill(errors, 1.0);
  const LineFit line = fit_line(points, errors);
  const auto freedom = static_cast<double>(points.size() - 2);
  const double variance = std::max(implied, line.residuals / freedom);
  const double half = student_quantile(1 - alpha / 2, freedom) * std::sqrt(variance * line.slope_factor);
  return {line.slope, {line.slope - half, line.slope + half, 1 - alpha}, true, {}};
}

}  // namespace assay
