// SPDX-License-Identifier: Apache-2.0
// Ranks among sorted values, and the exact tail of their sum.
#include "stats/comparison/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay {
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
