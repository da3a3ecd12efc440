// SPDX-License-Identifier: Apache-2.0
// The links of a cluster, out of the launches in which rounds of a tournament were measured.
#pragma once
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// Name of the measurement whose points are rounds of a tournament: each member claims the time of its own pair.
inline constexpr const char* link_measurement = "mpi/links";

/// What one launch left: one incarnation of every link.
struct LinkLaunch {
  std::vector<std::string> nodes;  ///< by member, that is by rank among those on nodes of their own
  std::vector<Record> records;     ///< with the batches of its visits
};

/// The finished points of a series of that measurement, one per pair of nodes, with factors `node` and `peer` in the
/// place of `round`, `members` and `placement`: observations are the claims of the pair's first member, guarded by the
/// reports of the two, and in the state of their two cores by what the launches learned of these; the k-th launch is
/// the k-th incarnation. A pair that was never measured has the reason for which its round was not. In the order of the
/// nodes of the first launch.
std::vector<PointRecord> link_points(const SeriesPlan& series, const std::vector<LinkLaunch>& launches);

}  // namespace assay
