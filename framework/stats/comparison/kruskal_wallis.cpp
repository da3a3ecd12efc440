// SPDX-License-Identifier: Apache-2.0
// Sums of mid-ranks.
#include "stats/comparison/kruskal_wallis.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

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

}  // namespace assay
