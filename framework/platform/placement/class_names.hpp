// SPDX-License-Identifier: Apache-2.0
// Within platform/: what a placement is called, and the order from near to far.
#pragma once
#include <string>
#include <vector>

#include "platform/placement/placement.hpp"
#include "platform/topology/machine_tree.hpp"

namespace assay {

/// The name of a placement's class without what distinguishes equal names: relations, kinds, memory home.
std::string class_name(const MachineTree& tree, const TreePaths& paths, const Seats& seats);

/// A key that sorts placements from near to far.
std::vector<std::size_t> nearness(const MachineTree& tree, const TreePaths& paths, const Seats& seats);

}  // namespace assay
