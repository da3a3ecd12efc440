// SPDX-License-Identifier: Apache-2.0
// The spread of earlier campaigns about a value.
#include "stats/rule/another_day.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace assay {
namespace {

bool has_logarithm(double value) { return value > 0 && std::isfinite(value); }

bool is_known(double value, const Interval& own) {
  return own.available() && has_logarithm(value) && has_logarithm(own.low) && has_logarithm(own.high);
}

}  // namespace

AnotherDay another_day(double value, const Interval& own, std::span<const double> earlier, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha is not between 0 and 1");
  if (earlier.size() > most_for_another_day) earlier = earlier.last(most_for_another_day);
  if (earlier.size() < fewest_for_another_day || !is_known(value, own)) return {};
  if (!std::ranges::all_of(earlier, has_logarithm)) return {};
  std::vector<double> logs;
  for (const double one : earlier) logs.push_back(std::log(one / value));
  const double freedom = static_cast<double>(earlier.size() - 1);
  const double apart = std::sqrt(2.0) * student_quantile(1 - alpha / 2, freedom) * moments_of(logs).stddev;
  const double below = std::hypot(apart, std::log(value / own.low));
  const double above = std::hypot(apart, std::log(own.high / value));
  // A value may lie outside its own interval by rounding only; the second one holds the first all the same.
  const Interval interval{std::min(value * std::exp(-below), own.low), std::max(value * std::exp(above), own.high),
                          std::min(own.level, 1 - alpha)};
  if (!(interval.low > 0) || !std::isfinite(interval.high)) return {};
  return {interval, earlier.size()};
}

}  // namespace assay
