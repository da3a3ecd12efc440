// SPDX-License-Identifier: Apache-2.0
// How far an interval reaches, and what a sample must be for an estimate.
#include "stats/rule/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

/// Below this number of single observations there are fewer than eight groups of four; their standard deviation is so
/// uncertain that the ranks of the guard often fall outside the sample.
constexpr std::size_t enough_long = 32;

}  // namespace

double reach(double value, const Interval& interval) {
  if (!interval.available() || std::isnan(value)) return std::numeric_limits<double>::infinity();
  return std::max(interval.high - value, value - interval.low);
}

Interval widened(Interval interval, double half_step) {
  if (!interval.available()) return interval;
  return {interval.low - half_step, interval.high + half_step, interval.level};
}

std::size_t count_not_finite(const Sample& sample) {
  const auto& all = sample.observations();
  // Squares of larger ones, and sums of these, would be infinite.
  constexpr double largest = 1e150;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const Observation& observation) {
    return !(std::abs(observation.value) <= largest);
  }));
}

bool has_single_visits(const Sample& sample) {
  return !sample.empty() && sample.size() == static_cast<std::size_t>(sample.visits());
}

bool is_few_long(const Sample& sample) { return has_single_visits(sample) && sample.size() < enough_long; }

double Estimate::relative_half_width() const {
  // A zero has nothing to be relative to, however narrow its interval; NaN must not look like a small width.
  if (!(std::abs(value) > 0)) return std::numeric_limits<double>::infinity();
  return reach(value, interval) / std::abs(value);
}

}  // namespace assay
