// SPDX-License-Identifier: Apache-2.0
// Each side's half-width by itself, one input of a formula at a time to the ends of its interval, the changes in
// quadrature; of extremes, the end that the choice may have moved corrected for their number.
#include "stats/fit/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stats/sample/summary.hpp"

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

namespace {

/// Why an estimate cannot enter a formula; empty when it can.
std::string flaw(const Estimate& estimate) {
  if (!std::isfinite(estimate.value)) return "an input is not a finite number";
  if (!estimate.interval.available()) return "an input has no interval";
  if (!std::isfinite(estimate.interval.low) || !std::isfinite(estimate.interval.high))
    return "the interval of an input is not finite";
  if (!estimate.interval.contains(estimate.value)) return "an input lies outside its interval";
  return {};
}

/// Sums of squares of the changes downwards and upwards.
struct Reach {
  double down = 0;
  double up = 0;

  void add(double lower, double higher) {
    const double least = std::min({lower, higher, 0.0});
    const double most = std::max({lower, higher, 0.0});
    down += least * least;
    up += most * most;
  }
};

}  // namespace

Estimate exactly_known(double value) { return {"known", value, {value, value, 1}, "known"}; }

Derived propagated(std::span<const Estimate> inputs, const FormulaOf& formula) {
  std::vector<double> at;
  double level = 1;
  for (const Estimate& input : inputs) {
    if (std::string found = flaw(input); !found.empty()) return not_derived(std::move(found));
    at.push_back(input.value);
    level = std::min(level, input.interval.level);
  }
  const double value = formula(at);
  Reach reach;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto change = [&](double end) {
      at[i] = end;
      return formula(at) - value;
    };
    const double lower = change(inputs[i].interval.low);
    const double higher = change(inputs[i].interval.high);
    at[i] = inputs[i].value;
    reach.add(lower, higher);
    if (!std::isfinite(lower) || !std::isfinite(higher))
      return not_derived("the formula has no value within the intervals");
  }
  if (!std::isfinite(value)) return not_derived("the formula has no finite value");
  return {value, {value - std::sqrt(reach.down), value + std::sqrt(reach.up), level}, true, {}};
}

namespace {

bool has_usable_interval(const Estimate& estimate) {
  const Interval& interval = estimate.interval;
  return interval.available() && std::isfinite(interval.low) && std::isfinite(interval.high) &&
         interval.contains(estimate.value);
}

/// By how much the half-width of an interval grows where it is one of so many.
double growth(double level, std::size_t number) {
  if (level >= 1) return 1;
  const double tail = (1 - level) / 2;
  return normal_quantile(1 - tail / static_cast<double>(number)) / normal_quantile(1 - tail);
}

Estimate turned(const Estimate& estimate) {
  const Interval& interval = estimate.interval;
  return {estimate.statistic, -estimate.value, {-interval.high, -interval.low, interval.level}, estimate.basis};
}

}  // namespace

Estimate least_of(std::span<const Estimate> estimates) {
  if (estimates.empty()) throw std::invalid_argument("the least of no estimates");
  Estimate least = *std::ranges::min_element(estimates, {}, &Estimate::value);
  if (estimates.size() == 1) return least;
  least.interval = {};
  if (!std::ranges::all_of(estimates, has_usable_interval)) return least;
  Interval interval = estimates.front().interval;
  interval.high = INFINITY;
  for (const Estimate& one : estimates) {
    interval.low = std::min(interval.low, one.interval.low);
    interval.high = std::min(
        interval.high, one.value + (one.interval.high - one.value) * growth(one.interval.level, estimates.size()));
    interval.level = std::min(interval.level, one.interval.level);
  }
  least.interval = interval;
  return least;
}

Estimate greatest_of(std::span<const Estimate> estimates) {
  std::vector<Estimate> below;
  for (const Estimate& one : estimates) below.push_back(turned(one));
  return turned(least_of(below));
}

}  // namespace assay
