// SPDX-License-Identifier: Apache-2.0
// Finished points that are measured again, to see whether the machine is still what it was.
#pragma once
#include <vector>

#include "run/series/series_run.hpp"
#include "run/session/surroundings.hpp"
#include "run/session/visitor.hpp"

namespace assay {

/// Points that are measured again at most.
inline constexpr std::size_t most_anchors = 3;

/// Measures up to three of the points that stand, spread over all of them, and records in the journal for each whether
/// the sessions differ (stats/steadiness/steadiness.hpp). Their records stand. Points of variants that commands set up
/// are left out. Throws StorageError.
void check_anchors(const std::vector<SeriesRun>& series, const SessionOrder& order, const Surroundings& world,
                   Visitor& visitor);

}  // namespace assay
