// SPDX-License-Identifier: Apache-2.0
// Who learns the common clock from whom: first one rank of each node, then the others of its node.
#pragma once
#include <vector>

#include "team/wire/wire.hpp"

namespace assay {

/// A rank's place among those that learn the common clock, which is rank 0's own.
struct SyncPlace {
  int parent = -1;              ///< from whom it learns; -1 for rank 0
  bool parent_is_near = false;  ///< of the same node
  std::vector<int> children;    ///< whom it teaches, in order: leaders of other nodes before ranks of its own
};

/// The place of a rank, given the node of each. The first rank of each node leads it; a binomial tree over the leaders,
/// and one over the ranks of each node, end after log2(nodes) + log2(ranks per node) lessons in a row, rounded up.
SyncPlace sync_place(const std::vector<int>& nodes, int rank);
/// The place of this rank.
SyncPlace sync_place(const Wire& wire);

}  // namespace assay
