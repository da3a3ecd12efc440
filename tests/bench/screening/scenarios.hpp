// SPDX-License-Identifier: Apache-2.0
// Clusters with planted faults, and what counts as finding them.
#pragma once
#include <string>
#include <vector>

#include "bench/screening/contenders.hpp"

namespace assay::bench {

/// A cluster with what is wrong with it.
struct PlantedCluster {
  test::ClusterNoise noise;
  test::ClusterFaults faults;
  std::vector<std::vector<FabricUnit>> truth;  ///< by fault: names for it, the first of which is the right one
  std::vector<FabricUnit> excused;             ///< naming these as well is no false alarm
};

struct Scenario {
  std::string name;
  /// Draws faults of a cluster; no truth where there are none.
  PlantedCluster (*plant)(const Fabric& fabric, test::Wiring wiring, Rng& rng);
};
const std::vector<Scenario>& scenarios();

/// How many faults were found, and how many units were named that have none. A switch or group is found where it is
/// named, and by a way that names nodes only where half of its nodes are.
struct Score {
  std::size_t faults = 0;
  std::size_t found = 0;
  std::size_t false_alarms = 0;
};
Score score_of(const PlantedCluster& planted, const Accusation& accusation, bool names_nodes_only);

}  // namespace assay::bench
