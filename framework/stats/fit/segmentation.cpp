// SPDX-License-Identifier: Apache-2.0
// Lines over all runs, and dynamic programming over where they begin.
#include "stats/fit/segmentation.hpp"

#include <algorithm>

namespace assay {
namespace {

void add_run(Misfit& misfit, const Weighed& quantity, double low, double high) {
  const auto begin = std::ranges::lower_bound(quantity.points, low, {}, &Abscissa::x);
  const auto end = std::ranges::upper_bound(quantity.points, high, {}, &Abscissa::x);
  const auto from = static_cast<std::size_t>(begin - quantity.points.begin());
  const auto count = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, end - begin));
  misfit.parameters += std::min<std::size_t>(count, 2);
  if (count < Segmentation::fewest) return;  // a line through two points leaves nothing
  misfit.admissible = true;
  misfit.residuals +=
      fit_line(std::span(quantity.points).subspan(from, count), std::span(quantity.errors).subspan(from, count))
          .residuals;
}

}  // namespace

Segmentation::Segmentation(std::span<const Weighed> quantities) {
  for (const Weighed& quantity : quantities) {
    observations_ += quantity.points.size();
    for (const Abscissa& point : quantity.points) abscissas_.push_back(point.x);
  }
  std::ranges::sort(abscissas_);
  abscissas_.erase(std::ranges::unique(abscissas_).begin(), abscissas_.end());
  const std::size_t n = abscissas_.size();
  misfits_.resize(n * n);
  for (std::size_t first = 0; first < n; ++first)
    for (std::size_t last = first; last < n; ++last)
      for (const Weighed& quantity : quantities)
        add_run(misfits_[first * n + last], quantity, abscissas_[first], abscissas_[last]);
}

std::optional<std::vector<std::size_t>> Segmentation::divided(std::size_t count) const {
  const std::size_t n = abscissas_.size();
  if (n == 0 || count == 0) return std::nullopt;
  // cost[k][j]: of the first j abscissas in k pieces; from[k][j]: where the last of them begins.
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> cost(count + 1, std::vector<double>(n + 1, never));
  std::vector<std::vector<std::size_t>> from(count + 1, std::vector<std::size_t>(n + 1, 0));
  cost[0][0] = 0;
  for (std::size_t k = 1; k <= count; ++k)
    for (std::size_t j = 1; j <= n; ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const double sum = cost[k - 1][i] + misfit(i, j - 1).cost();
        if (sum >= cost[k][j]) continue;
        cost[k][j] = sum;
        from[k][j] = i;
      }
  if (cost[count][n] == never) return std::nullopt;
  std::vector<std::size_t> starts;
  for (std::size_t k = count, j = n; k > 0; j = from[k][j], --k) starts.push_back(from[k][j]);
  std::ranges::reverse(starts);
  return starts;
}

Misfit Segmentation::misfit(const std::vector<std::size_t>& starts) const {
  Misfit sum{.admissible = true};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : abscissas_.size();
    const Misfit& piece = misfit(starts[i], end - 1);
    sum.residuals += piece.residuals;
    sum.parameters += piece.parameters;
    sum.admissible = sum.admissible && piece.admissible;
  }
  return sum;
}

}  // namespace assay
