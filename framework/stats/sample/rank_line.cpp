// SPDX-License-Identifier: Apache-2.0
// Slopes of pairs, and their weighted median.
#include "stats/sample/rank_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr std::size_t most = 100;  // points: all pairs of more would take milliseconds
constexpr int turns = 3;
constexpr double normal_over_median = 1.4826;  // standard deviation over the median absolute one
constexpr double efficiency = 0.9549;          // of Wilcoxon scores on normal residuals, 3 / pi

std::vector<Dot> some_of(std::span<const Dot> dots) {
  const std::size_t every = (dots.size() + most - 1) / most;
  std::vector<Dot> some;
  for (std::size_t i = 0; i < dots.size(); i += every) some.push_back(dots[i]);
  return some;
}

/// Slopes with their weights.
using WeightedSlopes = std::vector<std::pair<double, double>>;

WeightedSlopes slopes_of(const std::vector<Dot>& dots) {
  WeightedSlopes slopes;
  slopes.reserve(dots.size() * dots.size() / 2);
  for (std::size_t i = 1; i < dots.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double run = dots[i].x - dots[j].x;
      if (run != 0) slopes.emplace_back((dots[i].y - dots[j].y) / run, std::fabs(run));
    }
  return slopes;
}

double weighted_median(WeightedSlopes slopes) {
  std::ranges::sort(slopes);
  double all = 0;
  for (const auto& [slope, weight] : slopes) all += weight;
  double below = 0;
  for (const auto& [slope, weight] : slopes) {
    below += weight;
    if (2 * below >= all) return slope;
  }
  return slopes.back().first;
}

double deviation_by_median(std::vector<double> residuals) {
  const double middle = median(residuals);
  for (double& one : residuals) one = std::fabs(one - middle);
  return normal_over_median * median(std::move(residuals));
}

}  // namespace

std::optional<RankLine> rank_line(std::span<const Dot> all) {
  const std::vector<Dot> dots = some_of(all);
  WeightedSlopes slopes = slopes_of(dots);
  if (dots.size() < 3 || slopes.empty()) return std::nullopt;
  RankLine line{weighted_median(std::move(slopes))};
  std::vector<double> abscissas;
  std::vector<double> residuals;
  double sum = 0;
  for (const Dot& dot : dots) {
    abscissas.push_back(dot.x);
    residuals.push_back(dot.y - line.slope * dot.x);
    sum += dot.x;
  }
  const double mean = sum / static_cast<double>(dots.size());
  double squares = 0;
  for (const Dot& dot : dots) squares += (dot.x - mean) * (dot.x - mean);
  line.middle = median(std::move(abscissas));
  line.error = deviation_by_median(std::move(residuals)) / std::sqrt(efficiency * squares);
  return line;
}

RankPlane rank_plane(std::span<const PlaneDot> dots) {
  RankPlane plane;
  std::vector<Dot> left(dots.size());
  const auto slope = [](const std::optional<RankLine>& line) { return line ? line->slope : 0; };
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < dots.size(); ++i)
      left[i] = {dots[i].first, dots[i].y - slope(plane.second) * dots[i].second};
    plane.first = rank_line(left);
    for (std::size_t i = 0; i < dots.size(); ++i)
      left[i] = {dots[i].second, dots[i].y - slope(plane.first) * dots[i].first};
    plane.second = rank_line(left);
    if (!plane.first || !plane.second) break;
  }
  return plane;
}

}  // namespace assay
