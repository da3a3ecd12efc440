// SPDX-License-Identifier: Apache-2.0
// Differences and ratios of estimates, with each side's half-width propagated by itself.
#include "stats/fit/derive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

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

}  // namespace assay
