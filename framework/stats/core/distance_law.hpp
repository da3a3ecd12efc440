// SPDX-License-Identifier: Apache-2.0
// How times of members that are apart go with what differs from visit to visit of one state.
#pragma once
#include <optional>
#include <span>

#include "stats/sample/rank_line.hpp"

namespace assay {

/// Powers that times go with.
struct DistanceLaw {
  double distance_power = 0;            ///< of the distance; 0: they do not go with it, and nothing is known of them
  std::optional<double> clock_power{};  ///< of a step of the chain, from 0 to 1
  double unknown = 0;  ///< by how much what is not known of them moves the median visit, relative; 95 %. Not in
                       ///< journals: intervals contain it
  explicit operator bool() const { return distance_power > 0; }
};

/// The law of visits, each with the logarithms of its distance over that named (in ns), of its step over the usual one,
/// and of its median time in ns. From 12 visits on, by rank_plane; none where the power of the distance is less than
/// three of its errors or above 1.5, where the times would differ by more than four times what the distance does, or
/// where what is not known of it would move the median visit by more than 1 % (95 %). The last holds for the clock,
/// too.
DistanceLaw distance_law(std::span<const PlaneDot> visits, double distance);

}  // namespace assay
