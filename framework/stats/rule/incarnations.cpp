// SPDX-License-Identifier: Apache-2.0
// The t interval over incarnations.
#include "stats/rule/incarnations.hpp"

#include <algorithm>

#include "stats/rule/estimate.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_incarnations = 3;

Interval spread_of(std::span<const double> values, double alpha) {
  const Interval by_logs = log_t_interval(values, alpha);
  return by_logs.available() ? by_logs : t_interval(values, alpha);
}

}  // namespace

Estimate across_incarnations(Estimate estimate, const Sample& sample,
                             const std::function<double(std::span<const double>)>& statistic, double alpha,
                             double half_step) {
  const auto incarnations = sample.values_by_incarnation();
  if (incarnations.size() < fewest_incarnations || !estimate.interval.available()) return estimate;
  std::vector<double> values;
  for (const auto& incarnation : incarnations) values.push_back(statistic(incarnation));
  const Interval between = widened(spread_of(values, alpha), half_step);
  if (!between.available()) return estimate;
  if (reach(estimate.value, between) > reach(estimate.value, estimate.interval)) estimate.basis = "incarnations";
  estimate.interval.low = std::min(estimate.interval.low, between.low);
  estimate.interval.high = std::max(estimate.interval.high, between.high);
  return estimate;
}

}  // namespace assay
