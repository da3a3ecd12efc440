// SPDX-License-Identifier: Apache-2.0
// Members as near to each other, and as far from each other, as the machine allows.
#pragma once
#include <vector>

#include "platform/topology/machine_tree.hpp"

namespace assay {

/// CPUs by rank, each its own while there are enough (then again from the first): filled up in the order of the tree
/// within the smallest and nearest part of the machine that has so many, off the core of CPU 0 among equal parts.
std::vector<int> close_together(const MachineTree& tree, int members);

/// CPUs by rank, each its own while there are enough: each further one as far as possible from the nearest before it,
/// then from all of them, off the core of CPU 0 among equal ones. Where relations nest, as they do in a tree, this
/// makes the smallest distance as large as can be.
std::vector<int> far_apart(const MachineTree& tree, int members);

}  // namespace assay
