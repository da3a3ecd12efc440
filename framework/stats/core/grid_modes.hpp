// SPDX-License-Identifier: Apache-2.0
// Which cells of a grid are modes of what was counted there.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace assay {

/// Whether so many readings at the least place between two modes are less than half of those at the lesser mode, and
/// fewer by more than chance explains: three standard deviations of the difference of two of Poisson's counts.
inline bool is_valley(double least, double peak) {
  constexpr double deviations = 3;
  return 2 * least < peak && peak - least >= deviations * std::sqrt(peak + least);
}

/// The cells that are modes, fullest first: a cell is one where `is_apart(one, fuller, least)` holds for each fuller
/// mode, `least` being the emptiest cell from the one to the other.
template <class IsApart>
std::vector<std::size_t> grid_modes(std::span<const std::size_t> counts, IsApart is_apart) {
  std::vector<std::size_t> fullest(counts.size());
  std::iota(fullest.begin(), fullest.end(), std::size_t{0});
  std::ranges::stable_sort(fullest, std::ranges::greater(), [&](std::size_t cell) { return counts[cell]; });
  std::vector<std::size_t> modes;
  for (const std::size_t one : fullest) {
    const auto is_separate = [&](std::size_t fuller) {
      const auto [first, last] = std::minmax(one, fuller);
      return is_apart(one, fuller, std::ranges::min(counts.subspan(first, last - first + 1)));
    };
    if (counts[one] > 0 && std::ranges::all_of(modes, is_separate)) modes.push_back(one);
  }
  return modes;
}

}  // namespace assay
