// SPDX-License-Identifier: Apache-2.0
// How far apart members were while a result was taken: a virtual machine moves its CPUs, so that a point may have
// results at several distances.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "stats/core/distance_levels.hpp"

namespace assay {

/// The share of a result's batches above which others of its state hardly matter.
inline constexpr double hardly_any_other = 0.9;

/// Whether its members polled for each other throughout: those that found each other awake are what luck left of the
/// others, where there were others.
bool polls_throughout(const Result& result);

/// The reference round trip of a result's members in ns; 0 where none was taken.
double distance_of(const PointRecord& point, const Result& result);

/// The results of a quantity at a point: the headline, in that regime or in the one of most batches, and those of other
/// distances of the members, which are other states of the same point. Of states those that tables show, whose
/// intervals are no wider than half of the value. Valid as long as the point.
std::vector<const Result*> results_by_distance(const PointRecord& point, const std::string& quantity,
                                               std::optional<Regime> regime);

}  // namespace assay
