// SPDX-License-Identifier: Apache-2.0
// Two binomial trees, one over leaders and one within each node.
#include "team/clock/sync_tree.hpp"

#include <algorithm>
#include <set>

#include "team/wire/rank_tree.hpp"

namespace assay {
namespace {

std::vector<int> leaders_of(const std::vector<int>& nodes) {
  std::vector<int> leaders;
  std::set<int> seen;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (seen.insert(nodes[rank]).second) leaders.push_back(static_cast<int>(rank));
  return leaders;
}

std::vector<int> ranks_on(const std::vector<int>& nodes, int node) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (nodes[rank] == node) ranks.push_back(static_cast<int>(rank));
  return ranks;
}

// Adds a rank's place in the tree over these ranks, the first of which is the root.
void join(SyncPlace& place, const std::vector<int>& ranks, int rank, bool near) {
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  if (found == ranks.end()) return;
  const int position = static_cast<int>(found - ranks.begin());
  for (const int child : tree_children(position, static_cast<int>(ranks.size())))
    place.children.push_back(ranks[static_cast<std::size_t>(child)]);
  if (position == 0) return;
  place.parent = ranks[static_cast<std::size_t>(tree_parent(position))];
  place.parent_is_near = near;
}

}  // namespace

SyncPlace sync_place(const std::vector<int>& nodes, int rank) {
  SyncPlace place;
  join(place, leaders_of(nodes), rank, false);
  join(place, ranks_on(nodes, nodes[static_cast<std::size_t>(rank)]), rank, true);
  return place;
}

SyncPlace sync_place(const Wire& wire) {
  std::vector<int> nodes;
  for (int rank = 0; rank < wire.ranks(); ++rank) nodes.push_back(wire.node_of(rank));
  return sync_place(nodes, wire.rank());
}

}  // namespace assay
