// SPDX-License-Identifier: Apache-2.0
// Weighted sums about the weighted means, which keep their digits over long ranges of abscissas. Boost.Accumulators has
// the means; its weighted covariance updates both at each point and rounds as often, and Boost.Math fits lines without
// weights only.
#include "stats/fit/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/sample/moments.hpp"
#include "text/number_format.hpp"

namespace assay {

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

}  // namespace assay
