// SPDX-License-Identifier: Apache-2.0
// The factor `placement`: which placements a series requests, and which CPUs they are on this machine.
#pragma once
#include <string>
#include <vector>

#include "app/config/series_context.hpp"
#include "base/factor.hpp"
#include "platform/placement/placement.hpp"

namespace assay {

/// The levels of factor `placement` with the placements they stand for.
struct PlacementLevels {
  Domain domain;
  PlacementTable placements;         ///< for each level and number of members that can have it
  std::vector<std::string> refused;  ///< levels that some number cannot have: "smt for 4 members: why"
};

/// Resolves the series' placements for each number of members. `representative` stands for the relations that the
/// machine has, `classes` for every class of placements, `classes@memory` for those with a home of the shared memory,
/// `all` for every way to put the members onto different CPUs; "@memory=1" behind a word gives all it stands for that
/// home. Key `representatives` asks for so many placements of each class, `max-placements` bounds what one word may
/// stand for. A placement given by name that this machine can have for none of the numbers is a problem of the
/// environment.
PlacementLevels placement_levels(const SeriesContext& series, const std::vector<int>& members);
/// The same for members that are ranks: words of team/ranks/rank_map.hpp, which the launch gives a meaning.
PlacementLevels rank_placement_levels(const SeriesContext& series);

}  // namespace assay
