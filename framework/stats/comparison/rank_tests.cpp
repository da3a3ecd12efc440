// SPDX-License-Identifier: Apache-2.0
// Numbers of rankings of two groups by dynamic programming: the coefficients of a Gaussian binomial, which Boost.Math
// does not have. Several groups by mean ranks; one against all that are left by the exact tail of its sum.
#include "stats/comparison/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "stats/sample/distribution.hpp"
#include "stats/sample/summary.hpp"

namespace assay {
namespace {

/// Number of rankings of n and m values by their count of exceeding pairs: the coefficients of the product over
/// i = 1..m of (1 - x^(n + i)) / (1 - x^i). Whole numbers up to 40! / (20!)^2 stay exact.
std::vector<double> rankings(std::size_t n, std::size_t m) {
  std::vector<double> counts(n * m + 1, 0.0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t u = counts.size(); u-- > n + i;) counts[u] -= counts[u - n - i];
    for (std::size_t u = i; u < counts.size(); ++u) counts[u] += counts[u - i];
  }
  return counts;
}

std::vector<double> cumulated(std::vector<double> counts) {
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  const double all = counts.back();
  for (double& count : counts) count /= all;
  return counts;
}

constexpr double quantile_of_95 = 1.96;  // as the method is published
constexpr double level_of_95 = 0.95;

/// The number of counts that are each less probable, with all below them, than half of what the level leaves.
std::size_t exact_rank(const std::vector<double>& cumulative) {
  const auto end = std::upper_bound(cumulative.begin(), cumulative.end(), (1 - level_of_95) / 2);
  return static_cast<std::size_t>(end - cumulative.begin());
}

std::size_t approximate_rank(double n, double m) {
  const double rank = std::floor(n * m / 2 - quantile_of_95 * std::sqrt(n * m * (n + m + 1) / 12));
  return static_cast<std::size_t>(std::max(0.0, rank));
}

struct Ranked {
  double value;
  std::size_t group;
};

std::vector<Ranked> sorted_values(std::span<const std::vector<double>> groups) {
  std::vector<Ranked> all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) throw std::invalid_argument("an empty group cannot be compared");
    for (const double value : groups[g]) {
      if (!std::isfinite(value)) throw std::invalid_argument("a value that is not finite has no rank");
      all.push_back({value, g});
    }
  }
  std::sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.value < b.value; });
  return all;
}

/// 12 / (N (N + 1)) times the sum of R^2 / n, less 3 (N + 1).
double statistic_of(std::span<const std::vector<double>> groups, const std::vector<double>& rank_sums, double n) {
  double sum = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    sum += rank_sums[g] * rank_sums[g] / static_cast<double>(groups[g].size());
  return 12 / (n * (n + 1)) * sum - 3 * (n + 1);
}

/// H of groups that follow each other without overlap, in whatever order: what is left of the spread of all ranks
/// without that within the groups.
double largest_statistic(std::span<const std::vector<double>> groups, double n) {
  double spread = n * n * n - n;
  for (const auto& group : groups) {
    const auto count = static_cast<double>(group.size());
    spread -= count * count * count - count;
  }
  return spread / (n * (n + 1));
}

}  // namespace

double smallest_p(std::size_t n, std::size_t m) { return std::min(1.0, 2 / binomial_coefficient(n + m, n)); }

MannWhitney::MannWhitney(std::size_t n, std::size_t m)
    : n_(static_cast<double>(n)), m_(static_cast<double>(m)), smallest_(smallest_p(n, m)) {
  if (n == 0 || m == 0) throw std::invalid_argument("an empty group cannot be compared");
  // Both exact forms are symmetric in the groups; the shorter product is over the smaller one.
  if (n * m <= most_pairs) cumulative_ = cumulated(rankings(std::max(n, m), std::min(n, m)));
  rank_ = cumulative_.empty() ? approximate_rank(n_, m_) : exact_rank(cumulative_);
  if (rank_ > 0) level_ = cumulative_.empty() ? level_of_95 : 1 - 2 * cumulative_[rank_ - 1];
}

double MannWhitney::at_most(std::size_t count) const { return cumulative_[std::min(count, cumulative_.size() - 1)]; }

double MannWhitney::two_sided(const PairCount& count) const {
  const double pairs = n_ * m_;
  const double nearer = std::min(count.exceeding, pairs - count.exceeding);
  if (count.ties == 0 && !cumulative_.empty()) return std::min(1.0, 2 * at_most(static_cast<std::size_t>(nearer)));
  const double all = n_ + m_;
  const double variance = pairs / 12 * (all + 1 - count.ties / (all * (all - 1)));
  if (!(variance > 0)) return 1;
  const double z = std::max(0.0, pairs / 2 - nearer - 0.5) / std::sqrt(variance);
  return std::clamp(2 * normal_above(z), smallest_, 1.0);
}

KruskalWallis kruskal_wallis(std::span<const std::vector<double>> groups) {
  if (groups.size() < 2) throw std::invalid_argument("one group cannot be compared");
  const auto all = sorted_values(groups);
  const auto n = static_cast<double>(all.size());
  std::vector<double> rank_sums(groups.size(), 0);
  double ties = 0;
  for (std::size_t from = 0, to = 0; from < all.size(); from = to) {
    while (to < all.size() && all[to].value == all[from].value) ++to;
    const auto count = static_cast<double>(to - from);
    ties += count * count * count - count;
    for (std::size_t i = from; i < to; ++i) rank_sums[all[i].group] += static_cast<double>(from + to + 1) / 2;
  }
  const auto freedom = static_cast<double>(groups.size() - 1);
  KruskalWallis test;
  test.smallest = chi_square_above(largest_statistic(groups, n), freedom);
  const double correction = 1 - ties / (n * n * n - n);
  if (correction <= 0) return test;
  test.statistic = std::max(0.0, statistic_of(groups, rank_sums, n) / correction);
  test.p = chi_square_above(test.statistic, freedom);
  return test;
}

namespace {

/// Two-sided p of a count near either end: exact up to `others`, where the bell curve is far too wide for a small unit
/// against thousands. Ties only narrow the distribution.
double far_tail(std::size_t own, std::size_t others, double nearer) {
  std::vector<double> counts(static_cast<std::size_t>(std::ceil(nearer)) + 1, 0.0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= own; ++i)
    for (std::size_t u = i; u < counts.size(); ++u) counts[u] += counts[u - i];
  return std::accumulate(counts.begin(), counts.end(), 0.0) * smallest_p(own, others);
}

}  // namespace

Ranking::Ranking(std::vector<double> all) : sorted_(std::move(all)) {
  std::sort(sorted_.begin(), sorted_.end());
  for (auto from = sorted_.begin(); from != sorted_.end();) {
    const auto to = std::upper_bound(from, sorted_.end(), *from);
    const auto count = static_cast<double>(to - from);
    ties_ += count * count * count - count;
    from = to;
  }
}

double Ranking::p_of(const std::vector<double>& group) {
  if (group.empty() || group.size() >= sorted_.size()) return 1;
  const auto own = static_cast<double>(group.size());
  double below = -own * own / 2;  // against itself
  for (const double value : group) {
    const auto [from, to] = std::equal_range(sorted_.begin(), sorted_.end(), value);
    below += static_cast<double>((from - sorted_.begin()) + (to - sorted_.begin())) / 2;
  }
  const auto known = known_.try_emplace(group.size(), group.size(), sorted_.size() - group.size()).first;
  const double p = known->second.two_sided({below, ties_});
  const auto others = static_cast<double>(sorted_.size()) - own;
  const double nearer = std::max(0.0, std::min(below, own * others - below));
  return nearer <= others ? std::min(p, far_tail(group.size(), sorted_.size() - group.size(), nearer)) : p;
}

}  // namespace assay
