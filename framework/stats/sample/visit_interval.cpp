// SPDX-License-Identifier: Apache-2.0
// Batch means at several scales, of scores, and of an indicator, turned into ranks.
#include "stats/sample/visit_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "stats/sample/distribution.hpp"
#include "stats/sample/summary.hpp"
#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_groups = 5;
constexpr std::size_t most_batches = 32;

/// Scores of neighbouring observations, summed.
struct Total {
  double sum = 0;
  double count = 0;
  void add(const Total& other) {
    sum += other.sum;
    count += other.count;
  }
};

std::vector<Total> by_visit(const Sample& sample, std::span<const double> scores) {
  std::vector<Total> visits;
  const auto& observations = sample.observations();
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (i == 0 || observations[i].visit != observations[i - 1].visit) visits.emplace_back();
    visits.back().add({scores[i], 1});
  }
  return visits;
}

/// Totals of `size` neighbours each, up to the newest; what is left over are the oldest, which least resemble the rest.
std::vector<Total> merged(std::span<const Total> totals, std::size_t size) {
  std::vector<Total> groups(totals.size() / size);
  const auto newest = totals.last(groups.size() * size);
  for (std::size_t i = 0; i < newest.size(); ++i) groups[i / size].add(newest[i]);
  return groups;
}

/// Of the quotient of two sums, each group about what its number of values would have: no accumulator has it.
double standard_error(std::span<const Total> groups) {
  Total all;
  for (const Total& group : groups) all.add(group);
  double squares = 0;
  for (const Total& group : groups) {
    const double excess = group.sum - group.count * (all.sum / all.count);
    squares += excess * excess;
  }
  const auto n = static_cast<double>(groups.size());
  return std::sqrt(squares * n / (n - 1)) / all.count;
}

}  // namespace

MeanError batch_means_error(const Sample& sample, std::span<const double> scores, double alpha) {
  const auto visits = by_visit(sample, scores);
  const auto batches = merged(visits, std::max<std::size_t>(1, (visits.size() + most_batches - 1) / most_batches));
  MeanError widest;
  for (const std::size_t scale : {1U, 2U, 4U}) {
    const auto groups = merged(batches, scale);
    if (groups.size() < fewest_groups) continue;
    const double error = standard_error(groups);
    const double t = student_quantile(1 - alpha / 2, static_cast<double>(groups.size() - 1));
    widest = {std::max(widest.standard, error), std::max(widest.half_width, t * error)};
  }
  return widest;
}

namespace {

constexpr double guard_factor = 1.68;

std::vector<double> sorted_values(const Sample& sample) {
  std::vector<double> values = sample.values();
  std::sort(values.begin(), values.end());
  return values;
}

bool all_finite(const Sample& sample) {
  return std::all_of(sample.observations().begin(), sample.observations().end(),
                     [](const Observation& observation) { return std::isfinite(observation.value); });
}

void add_half_width(VisitInterval& result, const Sample& sample, double p, double alpha) {
  std::vector<double> indicators;
  indicators.reserve(sample.size());
  for (const Observation& observation : sample.observations())
    indicators.push_back(indicator(observation.value, result.estimate));
  const MeanError dependent = batch_means_error(sample, indicators, alpha);
  const double independent = std::sqrt(p * (1 - p) / static_cast<double>(sample.size()));
  result.share_error = std::max(independent, dependent.standard);
  result.rank_half_width = std::max(normal_quantile(1 - alpha / 2) * independent, dependent.half_width);
}

Interval by_ranks(std::span<const double> sorted, double p, double half, double half_step, double level) {
  const auto n = static_cast<double>(sorted.size());
  const double low = std::floor(n * (p - half));
  const double high = std::ceil(n * (p + half)) + 1;
  if (low < 1 || high > n) return {};
  return {sorted[static_cast<std::size_t>(low) - 1] - half_step, sorted[static_cast<std::size_t>(high) - 1] + half_step,
          level};
}

void require_shares(double p, double alpha) {
  if (!(p > 0 && p < 1)) throw std::invalid_argument("the quantile of a visit interval lies between 0 and 1");
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("alpha of a visit interval lies between 0 and 1");
}

}  // namespace

VisitInterval visit_interval(const Sample& sample, std::span<const double> sorted, double p, double alpha,
                             double half_step) {
  require_shares(p, alpha);
  VisitInterval result;
  result.estimate = std::numeric_limits<double>::quiet_NaN();
  if (sample.empty() || !all_finite(sample)) return result;
  result.estimate = quantile(sorted, p);
  if (sample.visits() < fewest_visits) return result;
  add_half_width(result, sample, p, alpha);
  result.interval = by_ranks(sorted, p, result.rank_half_width, half_step, 1 - alpha);
  // The normal law's confidence at the widened half-width: 99.9 % where alpha is 5 %.
  const double guard_level = 1 - 2 * normal_above(guard_factor * normal_quantile(1 - alpha / 2));
  result.guard = by_ranks(sorted, p, guard_factor * result.rank_half_width, half_step, guard_level);
  return result;
}

VisitInterval visit_interval(const Sample& sample, double p, double alpha, double half_step) {
  return visit_interval(sample, sorted_values(sample), p, alpha, half_step);
}

}  // namespace assay
