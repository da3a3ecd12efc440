// SPDX-License-Identifier: Apache-2.0
// The headline estimate: the median, with the interval of the level of replication that decides.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "stats/rule/estimate.hpp"
#include "stats/rule/look.hpp"
#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_incarnation_medians = 3;
constexpr std::size_t fewest_group_medians = 5;

/// t interval of the logs, or of the values where one is not positive, extended to hold `value`.
Interval spread_interval(std::span<const double> values, double value, double alpha) {
  Interval interval = log_t_interval(values, alpha);
  if (!interval.available()) interval = t_interval(values, alpha);
  interval.low = std::min(interval.low, value);
  interval.high = std::max(interval.high, value);
  return interval;
}

/// The rank interval of the median, at the level of the extremes where n is too small for 1 - alpha.
Interval attainable_rank_interval(std::span<const double> sorted, double alpha) {
  const Interval interval = rank_interval(sorted, 0.5, alpha);
  if (interval.available()) return interval;
  return {sorted.front(), sorted.back(), 1 - std::exp2(1 - static_cast<double>(sorted.size()))};
}

/// From the lower of the lows to the higher of the highs; the one that is available when only one is.
Interval union_of(const Interval& a, const Interval& b) {
  if (!a.available() || !b.available()) return a.available() ? a : b;
  return {std::min(a.low, b.low), std::max(a.high, b.high), std::min(a.level, b.level)};
}

Interval few_long_interval(const Sample& sample, double value, double alpha) {
  if (sample.visits() < fewest_visits) return {};
  std::vector<double> values = sample.values();
  std::sort(values.begin(), values.end());
  const Interval ranks = attainable_rank_interval(values, alpha);
  const Interval spread = spread_interval(values, value, alpha);
  return union_of({ranks.low, ranks.high, std::min(ranks.level, 1 - alpha)}, spread);
}

/// Medians of `size` neighbouring visits each, aligned to the newest.
std::vector<double> group_medians(const Sample& sample, std::size_t size) {
  const std::vector<VisitSlice> visits = visits_of(sample);
  std::vector<double> medians;
  for (std::size_t first = visits.size() % size; first < visits.size(); first += size) {
    std::vector<double> values;
    for (std::size_t v = first; v < first + size; ++v)
      for (std::size_t i = 0; i < visits[v].size; ++i)
        values.push_back(sample.observations()[visits[v].first + i].value);
    medians.push_back(median(std::move(values)));
  }
  return medians;
}

bool is_wider(double value, const Interval& candidate, const Interval& other) {
  if (!candidate.available()) return false;
  return !other.available() || reach(value, candidate) > reach(value, other);
}

/// The visits' spread in the domain of values: what is left where visits differ by more than they vary within, so that
/// the ranks of the visit-based interval fall outside the sample.
Interval visit_spread_interval(const Sample& sample, double value, double alpha) {
  Interval widest;
  for (const std::size_t size : {1U, 2U, 4U}) {
    const std::vector<double> medians = group_medians(sample, size);
    if (medians.size() < fewest_group_medians) continue;
    const Interval interval = spread_interval(medians, value, alpha);
    if (is_wider(value, interval, widest)) widest = interval;
  }
  return widest;
}

/// The interval of the levels below the incarnation, with its basis.
Estimate within_incarnations(const Sample& sample, const VisitInterval& visits, double alpha, double half_step) {
  const double value = visits.estimate;
  if (is_few_long(sample))
    return {"median", value, widened(few_long_interval(sample, value, alpha), half_step), "values"};
  return {"median", value, visits.interval, "visits"};
}

}  // namespace

Estimate headline_over(const Sample& sample, const VisitInterval& visits, double alpha, double half_step) {
  const double value = visits.estimate;
  if (std::isnan(value)) return {"median", value, {}, {}};
  Estimate estimate = within_incarnations(sample, visits, alpha, half_step);
  const std::vector<double> medians = sample.incarnation_medians();
  if (medians.size() >= fewest_incarnation_medians) {
    // Incarnations dealt in turn do not show how the machine changes with time: the visits must have their say.
    if (!estimate.interval.available())
      estimate.interval = widened(visit_spread_interval(sample, value, alpha), half_step);
    const Interval between = widened(spread_interval(medians, value, alpha), half_step);
    if (is_wider(value, between, estimate.interval)) estimate.basis = "incarnations";
    estimate.interval = union_of(estimate.interval, between);
  }
  if (!estimate.interval.available()) estimate.basis.clear();
  return estimate;
}

Estimate headline(const Sample& sample, double alpha, double half_step) {
  return look_at(sample, {.alpha = alpha, .half_step = half_step}).headline;
}

}  // namespace assay
