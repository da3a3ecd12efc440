// SPDX-License-Identifier: Apache-2.0
// Batch means at three scales.
#include "stats/sample/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/sample/summary.hpp"

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

}  // namespace assay
