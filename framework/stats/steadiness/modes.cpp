// SPDX-License-Identifier: Apache-2.0
// Otsu's split of sorted values, and what it takes for the parts to be modes.
#include "stats/steadiness/steadiness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "stats/sample/visits.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_values = 32;
constexpr double least_weight = 0.08;
constexpr double least_distance = 3.5;  // Ashman's D
constexpr double least_ratio = 1.03;
constexpr double fewest_steps = 3;
constexpr double no_cut = std::numeric_limits<double>::quiet_NaN();
constexpr double deepest_valley = 0.35;

/// Centre and variance of neighbouring sorted numbers.
struct Cluster {
  double centre = 0;
  double variance = 0;
};

Cluster cluster_of(std::span<const double> sorted) {
  const Summary moments = moments_of(sorted);
  const auto n = static_cast<double>(moments.n);
  return {moments.mean, moments.stddev * moments.stddev * (n - 1) / n};
}

/// Where to cut sorted numbers for the largest variance between the parts: the size of the lower part. Sums about the
/// first number run along: moments of both parts at every cut anew would take time with the square of their number.
std::size_t best_cut(std::span<const double> sorted) {
  const double first = sorted.front();
  const auto n = static_cast<double>(sorted.size());
  double all = 0;
  for (const double number : sorted) all += number - first;
  std::size_t best = 0;
  double most = 0;
  double below = 0;
  for (std::size_t cut = 1; cut < sorted.size(); ++cut) {
    below += sorted[cut - 1] - first;
    const auto size = static_cast<double>(cut);
    const double gap = (first + (all - below) / (n - size)) - (first + below / size);
    const double between = gap * gap * size * (n - size);
    if (between <= most) continue;
    most = between;
    best = cut;
  }
  return best;
}

/// Numbers per unit of length between two places.
double density(std::span<const double> sorted, double low, double high) {
  const auto from = std::lower_bound(sorted.begin(), sorted.end(), low);
  const auto to = std::upper_bound(from, sorted.end(), high);
  return static_cast<double>(to - from) / (high - low);
}

/// The ranks from 1 % to 95 %: extremes would pull the split to themselves.
std::vector<double> trimmed(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  const auto low = static_cast<std::ptrdiff_t>(0.01 * n);
  const auto high = static_cast<std::ptrdiff_t>(std::ceil(0.95 * n));
  return {sorted.begin() + low, sorted.begin() + high};
}

bool is_apart(const Cluster& low, const Cluster& high, bool logs, double half_step) {
  const double gap = high.centre - low.centre;
  if (gap * std::numbers::sqrt2 < least_distance * std::sqrt(low.variance + high.variance)) return false;
  const double steps = fewest_steps * 2 * half_step;
  if (logs) return gap >= std::log(least_ratio) && std::exp(high.centre) - std::exp(low.centre) > steps;
  return gap >= (least_ratio - 1) * std::max(std::abs(low.centre), std::abs(high.centre)) && gap > steps;
}

bool has_valley(std::span<const double> sorted, double low, double high) {
  const double sixth = (high - low) / 6;
  const double valley = density(sorted, low + 2 * sixth, high - 2 * sixth);
  const double hills = std::min(density(sorted, low - sixth, low + sixth), density(sorted, high - sixth, high + sixth));
  return valley < deepest_valley * hills;
}

/// The smallest value of the upper mode; NaN when there is one mode only.
double border_of(std::span<const double> sorted, double half_step) {
  std::vector<double> numbers = trimmed(sorted);
  const std::vector<double> values = numbers;
  const bool logs = sorted.front() > 0;
  if (logs)
    for (double& number : numbers) number = std::log(number);
  const std::size_t cut = best_cut(numbers);
  const auto n = static_cast<double>(numbers.size());
  const auto minor = static_cast<double>(std::min(cut, numbers.size() - cut));
  if (cut == 0 || minor < std::max(4.0, least_weight * n)) return no_cut;
  const std::span<const double> line = numbers;
  const Cluster low = cluster_of(line.first(cut));
  const Cluster high = cluster_of(line.subspan(cut));
  const bool found = is_apart(low, high, logs, half_step) && has_valley(line, low.centre, high.centre);
  return found ? values[cut] : no_cut;
}

/// True when processes keep to one side of the border each.
bool separates_processes(const Sample& sample, double border) {
  std::map<int, std::pair<std::size_t, std::size_t>> sides;
  const auto& all = sample.observations();
  for (const VisitSlice& visit : visits_of(sample)) {
    auto& [below, above] = sides[visit.incarnation];
    for (std::size_t i = visit.first; i < visit.first + visit.size; ++i) ++(all[i].value < border ? below : above);
  }
  std::size_t mixed = 0;
  for (const auto& [incarnation, side] : sides) mixed += std::min(side.first, side.second);
  return static_cast<double>(mixed) < least_weight / 2 * static_cast<double>(sample.size());
}

Mode mode_of(std::span<const double> sorted, std::size_t all, double alpha, double half_step) {
  Interval interval = rank_interval(sorted, 0.5, alpha);
  if (interval.available()) interval = {interval.low - half_step, interval.high + half_step, interval.level};
  return {quantile(sorted, 0.5), static_cast<double>(sorted.size()) / static_cast<double>(all), interval};
}

}  // namespace

std::vector<Mode> modes_of(const Sample& sample, std::span<const double> sorted, double alpha, double half_step) {
  if (sorted.size() < fewest_values) return {};
  const double border = border_of(sorted, half_step);
  if (std::isnan(border) || separates_processes(sample, border)) return {};
  const auto cut = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), border) - sorted.begin());
  return {mode_of(sorted.first(cut), sorted.size(), alpha, half_step),
          mode_of(sorted.subspan(cut), sorted.size(), alpha, half_step)};
}

}  // namespace assay
