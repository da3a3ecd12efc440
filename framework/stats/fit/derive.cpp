// SPDX-License-Identifier: Apache-2.0
// Differences and ratios of estimates, with each side's half-width propagated by itself; slopes.
#include "stats/fit/derive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "stats/fit/line_fit.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

/// Why an estimate cannot enter a formula; empty when it can.
std::string flaw(const Estimate& estimate, std::string_view role) {
  const std::string name(role);
  if (!std::isfinite(estimate.value)) return name + " is not a finite number";
  if (!estimate.interval.available()) return name + " has no interval";
  if (!std::isfinite(estimate.interval.low) || !std::isfinite(estimate.interval.high))
    return "the interval of " + name + " is not finite";
  if (!estimate.interval.contains(estimate.value)) return name + " lies outside its interval";
  return {};
}

std::string flaw_of_positive(const Estimate& estimate, std::string_view role) {
  if (std::string found = flaw(estimate, role); !found.empty()) return found;
  if (estimate.value <= 0) return std::string(role) + " is not positive";
  if (estimate.interval.low <= 0) return "the interval of " + std::string(role) + " reaches 0";
  return {};
}

Interval difference_interval(const Estimate& a, const Estimate& b) {
  const double value = a.value - b.value;
  return {value - std::hypot(a.value - a.interval.low, b.interval.high - b.value),
          value + std::hypot(a.interval.high - a.value, b.value - b.interval.low),
          std::min(a.interval.level, b.interval.level)};
}

Estimate logarithm(const Estimate& estimate) {
  const Interval& interval = estimate.interval;
  return {estimate.statistic,
          std::log(estimate.value),
          {std::log(interval.low), std::log(interval.high), interval.level},
          estimate.basis};
}

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

Derived not_derived(std::string reason) {
  return {std::numeric_limits<double>::quiet_NaN(), {}, false, std::move(reason)};
}

Derived difference(const Estimate& a, const Estimate& b) {
  if (std::string found = flaw(a, "the minuend"); !found.empty()) return not_derived(std::move(found));
  if (std::string found = flaw(b, "the subtrahend"); !found.empty()) return not_derived(std::move(found));
  return {a.value - b.value, difference_interval(a, b), true, {}};
}

Derived ratio(const Estimate& a, const Estimate& b) {
  if (std::string found = flaw_of_positive(b, "the denominator"); !found.empty()) return not_derived(std::move(found));
  if (std::string found = flaw_of_positive(a, "the numerator"); !found.empty()) return not_derived(std::move(found));
  const Interval logs = difference_interval(logarithm(a), logarithm(b));
  return {a.value / b.value, {std::exp(logs.low), std::exp(logs.high), logs.level}, true, {}};
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
