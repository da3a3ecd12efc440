// SPDX-License-Identifier: Apache-2.0
// Modes of distances on a grid of their logarithms.
#include "stats/core/distance_levels.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "stats/core/grid_modes.hpp"

namespace assay {
namespace {

constexpr double cell = 1.03;               // a ratio: visits to one distance spread over five such cells
constexpr std::ptrdiff_t kernel_cells = 4;  // that the kernel extends to on each side
constexpr std::size_t least_visits = 3;
constexpr double least_share = 0.03;

/// An estimate of their density with a triangular kernel.
class Density {
 public:
  /// `sorted`: above 0, one at the least.
  explicit Density(std::span<const double> sorted) : least_(sorted.front()) {
    around_.resize(static_cast<std::size_t>(cell_of(sorted.back())) + 1);
    for (const double distance : sorted) {
      const std::ptrdiff_t at = cell_of(distance);
      const std::ptrdiff_t last = std::min(std::ssize(around_) - 1, at + kernel_cells);
      for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, at - kernel_cells); i <= last; ++i)
        around_[static_cast<std::size_t>(i)] += static_cast<std::size_t>(kernel_cells + 1 - std::abs(i - at));
    }
  }

  /// The middles of cells that are modes, densest first.
  std::vector<double> modes() const {
    std::vector<double> middles;
    const auto are_apart = [&](std::size_t one, std::size_t denser, std::size_t least) {
      return factor_between(middle_of(one), middle_of(denser)) > same_distance && 2 * least < around_[one];
    };
    for (const std::size_t one : grid_modes(around_, are_apart)) middles.push_back(middle_of(one));
    return middles;
  }

 private:
  std::ptrdiff_t cell_of(double distance) const {
    return static_cast<std::ptrdiff_t>(std::log(distance / least_) / std::log(cell));
  }
  double middle_of(std::size_t one) const { return least_ * std::pow(cell, static_cast<double>(one) + 0.5); }

  double least_;
  std::vector<std::size_t> around_;  ///< distances, each the more the nearer it lies
};

}  // namespace

// Through its decimal digits, so that it is written with as many.
double in_three_digits(double value) {
  std::array<char, 32> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific, 2).ptr;
  double rounded = 0;
  std::from_chars(digits.data(), end, rounded);
  return rounded;
}

double factor_between(double a, double b) { return a > 0 && b > 0 ? std::max(a, b) / std::min(a, b) : 1; }

std::vector<DistanceLevel> distance_levels(std::span<const double> distances) {
  std::vector<double> sorted;
  std::ranges::copy_if(distances, std::back_inserter(sorted), [](double d) { return d > 0 && std::isfinite(d); });
  if (sorted.empty()) return {};
  std::ranges::sort(sorted);
  std::vector<DistanceLevel> modes;
  for (const double middle : Density(sorted).modes()) modes.push_back({middle});
  std::vector<std::vector<double>> at(modes.size());
  for (const double distance : sorted) {
    const double level = level_at(modes, distance);
    for (std::size_t i = 0; i < modes.size(); ++i)
      if (modes[i].middle == level) at[i].push_back(distance);
  }
  std::vector<DistanceLevel> levels;
  for (const std::vector<double>& visits : at) {
    if (visits.empty()) continue;
    const bool is_rare = visits.size() < least_visits ||
                         static_cast<double>(visits.size()) < least_share * static_cast<double>(sorted.size());
    if (levels.empty() || !is_rare) levels.push_back({in_three_digits(visits[visits.size() / 2]), visits.size()});
  }
  std::ranges::sort(levels, {}, &DistanceLevel::middle);
  return levels;
}

double level_at(std::span<const DistanceLevel> levels, double distance) {
  if (levels.empty() || !(distance > 0)) return 0;
  const auto factor = [distance](const DistanceLevel& level) { return factor_between(level.middle, distance); };
  const DistanceLevel& nearest = *std::ranges::min_element(levels, {}, factor);
  return factor(nearest) <= same_distance ? nearest.middle : 0;
}

}  // namespace assay
