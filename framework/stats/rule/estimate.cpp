// SPDX-License-Identifier: Apache-2.0
// How far an interval reaches, and what a sample must be for an estimate.
#include "stats/rule/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "stats/rule/periods.hpp"
#include "stats/sample/visits.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {

namespace {

/// Below this number of single observations there are fewer than eight groups of four; their standard deviation is so
/// uncertain that the ranks of the guard often fall outside the sample.
constexpr std::size_t enough_long = 32;

constexpr std::size_t fewest_incarnations = 3;

Interval spread_of(std::span<const double> values, double alpha) {
  const Interval by_logs = log_t_interval(values, alpha);
  return by_logs.available() ? by_logs : t_interval(values, alpha);
}

}  // namespace

double reach(double value, const Interval& interval) {
  if (!interval.available() || std::isnan(value)) return std::numeric_limits<double>::infinity();
  return std::max(interval.high - value, value - interval.low);
}

Interval widened(Interval interval, double half_step) {
  if (!interval.available()) return interval;
  return {interval.low - half_step, interval.high + half_step, interval.level};
}

Estimate with_campaigns(Estimate estimate, const Sample& sample, double between) {
  if (!(between > 0) || sample.empty() || !estimate.interval.available()) return estimate;
  const int sessions = 1 + sample.observations().back().session - sample.observations().front().session;
  const double part = between * std::abs(estimate.value) / std::sqrt(std::max(1, sessions));
  estimate.interval.low = estimate.value - std::hypot(estimate.value - estimate.interval.low, part);
  estimate.interval.high = estimate.value + std::hypot(estimate.interval.high - estimate.value, part);
  return estimate;
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

double least_effective(std::size_t observations) {
  constexpr double nearly_all = 0.75;
  return std::min(enough_effective, nearly_all * static_cast<double>(observations));
}

bool is_too_dependent(const Sample& sample, double effective) {
  return !has_single_visits(sample) && effective < least_effective(sample.size());
}

double Estimate::relative_half_width() const {
  // A zero has nothing to be relative to, however narrow its interval; NaN must not look like a small width.
  if (!(std::abs(value) > 0)) return std::numeric_limits<double>::infinity();
  return reach(value, interval) / std::abs(value);
}

namespace {

/// Correlation of the indicators "below the median" of neighbours in a visit, or of successive visits of one value.
double autocorrelation_of(const Sample& sample, double median) {
  const bool across = has_single_visits(sample);
  const auto& all = sample.observations();
  double products = 0;
  double pairs = 0;
  double squares = 0;
  double before = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double excess = indicator(all[i].value, median) - 0.5;
    squares += excess * excess;
    if (i > 0 && (across || all[i].visit == all[i - 1].visit)) {
      products += excess * before;
      pairs += 1;
    }
    before = excess;
  }
  return pairs > 0 && squares > 0 ? products / pairs / (squares / static_cast<double>(all.size())) : 0;
}

/// Independent values that would estimate the median with this standard error of the share below it.
double effective_number(double share_error, std::size_t n) {
  if (!(share_error > 0)) return 0;
  return std::min(static_cast<double>(n), 0.25 / (share_error * share_error));
}

/// A change within the sessions is stronger evidence than one between them.
std::string change_of(const Sample& sample, double tolerance) {
  std::string drift = drift_of(sample, tolerance);
  return drift.empty() ? shift_of(sample.by_incarnation(), tolerance) : drift;
}

}  // namespace

Look look_at(const Sample& sample, const Accuracy& accuracy) {
  const auto& [alpha, eps, floor, half_step, between] = accuracy;
  Look look;
  const bool finite = !sample.empty() && count_not_finite(sample) == 0;
  Trimmed trimmed = finite ? without_warm_up(sample) : Trimmed{sample, 0};
  look.kept = std::move(trimmed.sample);
  std::vector<double> sorted = look.kept.values();
  if (finite) std::sort(sorted.begin(), sorted.end());
  // Where a value is no number that could be computed with, nothing is known, as of an empty sample.
  look.visits =
      finite ? visit_interval(look.kept, sorted, 0.5, alpha, half_step) : visit_interval({}, {}, 0.5, alpha, half_step);
  look.headline = with_campaigns(headline_over(look.kept, look.visits, alpha, half_step), look.kept, between);
  if (!finite) return look;
  const double median = look.visits.estimate;
  look.steadiness = {trimmed.dropped, effective_number(look.visits.share_error, look.kept.size()),
                     autocorrelation_of(look.kept, median),
                     change_of(look.kept, std::max(eps * std::abs(median), floor)),
                     modes_of(look.kept, sorted, alpha, half_step)};
  return look;
}

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

/// The medians of incarnations, without those that are known too little to say how processes differ.
std::vector<double> telling_medians(const Sample& sample) {
  const std::vector<IncarnationMedian> all = sample.by_incarnation();
  std::vector<double> sizes;
  for (const IncarnationMedian& one : all) sizes.push_back(static_cast<double>(one.n));
  const double least = least_telling_size(std::move(sizes));
  std::vector<double> medians;
  for (const IncarnationMedian& one : all)
    if (static_cast<double>(one.n) >= least) medians.push_back(one.value);
  return medians;
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
  const std::vector<double> medians = telling_medians(sample);
  if (medians.size() >= fewest_incarnation_medians) {
    // Incarnations dealt in turn do not show how the machine changes with time: the visits must have their say.
    if (!estimate.interval.available())
      estimate.interval = widened(visit_spread_interval(sample, value, alpha), half_step);
    const Interval between = widened(spread_interval(medians, value, alpha), half_step);
    if (is_wider(value, between, estimate.interval)) estimate.basis = "incarnations";
    estimate.interval = union_of(estimate.interval, between);
  }
  if (!estimate.interval.available()) {
    estimate.basis.clear();
    return estimate;
  }
  const auto [by_period, differ] = periods_in(sample);
  const bool is_their_turn = differ || (std::ssize(by_period) >= fewest_parts &&
                                        is_too_dependent(sample, effective_number(visits.share_error, sample.size())));
  if (!is_their_turn) return estimate;
  const Interval over_time = widened(spread_interval(by_period, value, alpha), half_step);
  if (is_wider(value, over_time, estimate.interval)) estimate.basis = "periods";
  estimate.interval = union_of(estimate.interval, over_time);
  return estimate;
}

Estimate headline(const Sample& sample, double alpha, double half_step, double between) {
  return look_at(sample, {.alpha = alpha, .half_step = half_step, .between = between}).headline;
}

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
