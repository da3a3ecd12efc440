// SPDX-License-Identifier: Apache-2.0
// The factor `placement`: which placements a series asks for, and which CPUs they are on this machine.
#pragma once
#include <string>
#include <vector>

#include "app/series_context.hpp"
#include "base/factor.hpp"
#include "platform/placement.hpp"

namespace assay {

/// The levels of factor `placement` with the placements they stand for.
struct PlacementLevels {
  Domain domain;
  std::vector<Placement> placements;  ///< for each level and number of members that can have it
  std::vector<std::string> refused;   ///< levels that some number cannot have: "smt for 4 members: why"
};

/// Resolves the series' placements for each number of members. `representative` stands for what the machine has,
/// `all` for every CPU (one member) or every pair of CPUs (two). A class or list given by name that this machine can
/// have for none of the numbers is a problem of the environment.
PlacementLevels placement_levels(const SeriesContext& series, const std::vector<int>& members);

}  // namespace assay
