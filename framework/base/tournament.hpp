// SPDX-License-Identifier: Apache-2.0
// Every pair of n units once, in rounds of pairs that have nothing in common.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// Two units that meet, by number from 0; `first` is below `second`.
struct Match {
  std::size_t first = 0;
  std::size_t second = 0;
  friend bool operator==(const Match&, const Match&) = default;
};

/// Whether the pairs of a round meet at once.
enum class Meeting : std::uint8_t {
  together,   ///< all of them: they share switches and links between the units
  one_by_one  ///< each pair has the machine to itself: as many rounds as pairs
};

/// The rounds of a tournament of `units`: each pair meets exactly once, and no unit twice in a round. Together these
/// are n - 1 rounds of n / 2 pairs, or, of an odd number, n rounds in which each unit sits out once; no schedule has
/// fewer. None for fewer than two units. Method: one unit stays, the others go round (the circle method: Kirkman, 1847;
/// de Werra, Scheduling in sports, 1981).
std::vector<std::vector<Match>> tournament(std::size_t units, Meeting meeting = Meeting::together);

}  // namespace assay
