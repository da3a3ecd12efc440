// SPDX-License-Identifier: Apache-2.0
// The slope of a line through estimates, by weighted least squares.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "stats/derive.hpp"
#include "stats/phrase.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_abscissas = 3;

Derived invalid(std::string reason) { return {std::numeric_limits<double>::quiet_NaN(), {}, false, std::move(reason)}; }

std::string flaw(const Abscissa& point) {
  const std::string name = "the point at " + rounded(point.x);
  if (!std::isfinite(point.x)) return "an abscissa is not finite";
  if (!std::isfinite(point.y.value)) return name + " is not a finite number";
  if (!point.y.interval.available()) return name + " has no interval";
  if (!std::isfinite(point.y.interval.high - point.y.interval.low)) return "the interval of " + name + " is not finite";
  return {};
}

/// Why no slope can be had; empty when it can.
std::string flaw(std::span<const Abscissa> points) {
  std::set<double> abscissas;
  for (const Abscissa& point : points) {
    if (std::string found = flaw(point); !found.empty()) return found;
    abscissas.insert(point.x);
  }
  if (abscissas.size() >= fewest_abscissas) return {};
  return counted(abscissas.size(), "different abscissa") + ", of at least " + std::to_string(fewest_abscissas);
}

/// Standard errors that the intervals imply under normality. Zeros are replaced by the smallest other one, because one
/// constant sample must not outweigh all others; all zeros stay.
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

/// Weighted sums about the weighted means.
struct Fit {
  double slope = 0;
  double xx = 0;         ///< sum of w (x - mean)^2
  double residuals = 0;  ///< sum of w (y - line)^2
};

Fit fit(std::span<const Abscissa> points, const std::vector<double>& weights) {
  double total = 0;
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    total += weights[i];
    x += weights[i] * points[i].x;
    y += weights[i] * points[i].y.value;
  }
  x /= total;
  y /= total;
  Fit fit;
  double xy = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    fit.xx += weights[i] * (points[i].x - x) * (points[i].x - x);
    xy += weights[i] * (points[i].x - x) * (points[i].y.value - y);
  }
  fit.slope = xy / fit.xx;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double residual = points[i].y.value - y - fit.slope * (points[i].x - x);
    fit.residuals += weights[i] * residual * residual;
  }
  return fit;
}

}  // namespace

Derived slope(std::span<const Abscissa> points, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of a slope lies between 0 and 1");
  if (std::string found = flaw(points); !found.empty()) return invalid(std::move(found));
  std::vector<double> weights = implied_errors(points);
  // The variance of an observation of weight 1 that the intervals imply: none where no interval has a width.
  const double implied = weights.front() > 0 ? 1 : 0;
  for (double& weight : weights) weight = implied > 0 ? 1 / (weight * weight) : 1;
  const Fit line = fit(points, weights);
  const auto freedom = static_cast<double>(points.size() - 2);
  const double variance = std::max(implied, line.residuals / freedom);
  const double half = student_quantile(1 - alpha / 2, freedom) * std::sqrt(variance / line.xx);
  return {line.slope, {line.slope - half, line.slope + half, 1 - alpha}, true, {}};
}

}  // namespace assay
