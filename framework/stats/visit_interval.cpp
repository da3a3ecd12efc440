// SPDX-License-Identifier: Apache-2.0
// Batch means of an indicator at several scales, turned into ranks.
#include "stats/visit_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>
#include <vector>

#include "stats/visits.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_groups = 5;
constexpr std::size_t most_batches = 32;
constexpr double guard_factor = 1.68;

/// Indicators of some neighbouring visits, summed.
struct Batch {
  double below = 0;
  double count = 0;
  void add(const Batch& other) {
    below += other.below;
    count += other.count;
  }
};

std::vector<double> sorted_values(const Sample& sample) {
  std::vector<double> values = sample.values();
  std::sort(values.begin(), values.end());
  return values;
}

bool all_finite(const Sample& sample) {
  return std::all_of(sample.observations().begin(), sample.observations().end(),
                     [](const Observation& observation) { return std::isfinite(observation.value); });
}

std::vector<Batch> indicators_by_visit(const Sample& sample, double quantile) {
  std::vector<Batch> batches;
  for (const VisitSlice& visit : visits_of(sample)) {
    Batch& batch = batches.emplace_back();
    for (std::size_t i = visit.first; i < visit.first + visit.size; ++i)
      batch.add({indicator(sample.observations()[i].value, quantile), 1});
  }
  return batches;
}

/// Sums of `size` neighbours, aligned to the newest: the oldest remainder is left out.
std::vector<Batch> grouped(std::span<const Batch> batches, std::size_t size) {
  std::vector<Batch> groups(batches.size() / size);
  const std::span<const Batch> kept = batches.last(groups.size() * size);
  for (std::size_t i = 0; i < kept.size(); ++i) groups[i / size].add(kept[i]);
  return groups;
}

double standard_error(std::span<const Batch> groups) {
  Batch all;
  for (const Batch& group : groups) all.add(group);
  double squares = 0;
  for (const Batch& group : groups) {
    const double excess = group.below - group.count * all.below / all.count;
    squares += excess * excess;
  }
  const auto n = static_cast<double>(groups.size());
  return std::sqrt(n / (n - 1) * squares) / all.count;
}

/// What one scale says: the standard error of the share, and the half-width that it comes to. 0 with too few groups.
struct Scale {
  double error = 0;
  double half = 0;
};

Scale at_scale(std::span<const Batch> batches, std::size_t scale, double alpha) {
  const std::vector<Batch> groups = grouped(batches, scale);
  if (groups.size() < fewest_groups) return {};
  const double error = standard_error(groups);
  return {error, student_quantile(1 - alpha / 2, static_cast<double>(groups.size() - 1)) * error};
}

void add_half_width(VisitInterval& result, const Sample& sample, double p, double alpha) {
  const std::vector<Batch> visits = indicators_by_visit(sample, result.estimate);
  const std::vector<Batch> batches = grouped(visits, (visits.size() + most_batches - 1) / most_batches);
  result.share_error = std::sqrt(p * (1 - p) / static_cast<double>(sample.size()));
  result.rank_half_width = normal_quantile(1 - alpha / 2) * result.share_error;
  for (const std::size_t size : {1U, 2U, 4U}) {
    const Scale scale = at_scale(batches, size, alpha);
    result.share_error = std::max(result.share_error, scale.error);
    result.rank_half_width = std::max(result.rank_half_width, scale.half);
  }
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
  const double guard_level = std::erf(guard_factor * normal_quantile(1 - alpha / 2) / std::numbers::sqrt2);
  result.guard = by_ranks(sorted, p, guard_factor * result.rank_half_width, half_step, guard_level);
  return result;
}

VisitInterval visit_interval(const Sample& sample, double p, double alpha, double half_step) {
  return visit_interval(sample, sorted_values(sample), p, alpha, half_step);
}

}  // namespace assay
