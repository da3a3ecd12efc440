// SPDX-License-Identifier: Apache-2.0
// Modes of what was read of one pair of CPUs.
#include "stats/core/near_distances.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stats/core/distance_levels.hpp"
#include "stats/core/grid_modes.hpp"

namespace assay {
namespace {

// Undelayed readings of one distance had a standard deviation of 1 to 1.5 %, and the distances of a processor with
// eight cores on one cache were 118, 128 and 138 ns.
constexpr double step = 0.0025;  // of the logarithm
constexpr int bins_around = 5;   // on each side, that are counted with one
constexpr double levels_apart = 1.04;
constexpr double level_width = 1.02;  // of a level, a ratio: half of the way to the next
constexpr double least_of_all = 0.05;
constexpr double learned_again = 1.25;  // times the readings of the last time
constexpr double unmoved = 1.01;
constexpr std::size_t plenty = 500;  // readings, that say more than another session did

int bin_at(double distance) { return static_cast<int>(std::floor(std::log(distance) / step)); }
double middle_of_bin(int bin) { return std::exp((bin + 0.5) * step); }

}  // namespace

void NearDistances::add(double distance) {
  if (!(distance > 0) || !std::isfinite(distance)) return;
  ++bins_[bin_at(distance)];
  if (++size_ < next_look_) return;
  next_look_ = static_cast<std::size_t>(std::ceil(learned_again * static_cast<double>(size_)));
  learn();
}

void NearDistances::confirm(std::vector<double> earlier) {
  earlier_ = std::move(earlier);
  if (levels_.size() < earlier_.size() && size_ < plenty) use(earlier_);
}

void NearDistances::learn() {
  const int first = bins_.begin()->first - bins_around;
  std::vector<std::size_t> counts(static_cast<std::size_t>(bins_.rbegin()->first + bins_around - first + 1));
  for (const auto& [bin, readings] : bins_)
    for (int i = bin - bins_around; i <= bin + bins_around; ++i)
      counts[static_cast<std::size_t>(i - first)] += readings;
  const auto middle = [&](std::size_t cell) { return middle_of_bin(first + static_cast<int>(cell)); };
  const auto are_apart = [&](std::size_t one, std::size_t fuller, std::size_t least) {
    return factor_between(middle(one), middle(fuller)) > levels_apart &&
           is_valley(static_cast<double>(least), static_cast<double>(counts[one]));
  };
  std::vector<double> modes;
  for (const std::size_t cell : grid_modes(counts, are_apart))
    if (static_cast<double>(counts[cell]) >= least_of_all * static_cast<double>(size_)) modes.push_back(middle(cell));
  std::ranges::sort(modes);
  std::vector<double> found;
  for (std::size_t i = 0; i < modes.size(); ++i) found.push_back(in_three_digits(middle_of(modes, i)));
  const bool says_more = found.size() >= earlier_.size() || size_ >= plenty;
  use(says_more ? std::move(found) : earlier_);
}

/// The median of those that are at it.
double NearDistances::middle_of(std::span<const double> modes, std::size_t one) const {
  std::size_t all = 0;
  const auto is_at = [&](int bin) { return near_level(modes, middle_of_bin(bin)) == modes[one]; };
  for (const auto& [bin, readings] : bins_) all += is_at(bin) ? readings : 0;
  std::size_t below = 0;
  for (const auto& [bin, readings] : bins_) {
    below += is_at(bin) ? readings : 0;
    if (2 * below >= all && is_at(bin)) return middle_of_bin(bin);
  }
  return modes[one];
}

void NearDistances::use(std::vector<double> levels) {
  const auto is_same = [](double a, double b) { return factor_between(a, b) <= unmoved; };
  if (std::ranges::equal(levels, levels_, is_same)) return;
  levels_ = std::move(levels);
  ++version_;
}

double near_level(std::span<const double> levels, double distance) {
  if (levels.empty() || !(distance > 0)) return 0;
  const auto factor = [distance](double level) { return factor_between(level, distance); };
  const double found = *std::ranges::min_element(levels, {}, factor);
  return factor(found) <= level_width ? found : 0;
}

}  // namespace assay
