// SPDX-License-Identifier: Apache-2.0
// Ends of intervals, the one that the choice may have moved corrected for their number.
#include "stats/fit/extreme.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {
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
