// SPDX-License-Identifier: Apache-2.0
// Within platform/: what hwloc found, as a tree of our own.
#pragma once
#include <hwloc.h>

#include <vector>

#include "platform/topology/machine_tree.hpp"

namespace assay {

/// The packages, memory parts, L3, L2, cores and CPUs of a loaded topology with its memory nodes, kinds of CPUs and
/// distances, cut to `usable` CPUs (ascending) and allowed memory nodes, and pruned.
MachineTree machine_tree(hwloc_topology_t topology, const std::vector<int>& usable);

}  // namespace assay
