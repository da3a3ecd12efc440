// SPDX-License-Identifier: Apache-2.0
// The tree by number.
#include "stats/screening/fabric.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace assay {

std::string_view to_text(UnitKind kind) {
  constexpr std::array<std::string_view, 5> names{"group", "switch", "links between groups", "node", "link"};
  return names.at(static_cast<std::size_t>(kind));
}

Fabric::Fabric(std::vector<std::size_t> leaf_of, std::vector<std::size_t> group_of)
    : nodes_(leaf_of.size()), leaf_of_(std::move(leaf_of)), group_of_(std::move(group_of)) {
  std::size_t leaves = 0;
  for (const std::size_t leaf : leaf_of_) leaves = std::max(leaves, leaf + 1);
  if (group_of_.empty()) group_of_.assign(leaves, 0);
  if (group_of_.size() < leaves) throw std::invalid_argument("a leaf switch without a group");
  members_.resize(group_of_.size());
  for (std::size_t node = 0; node < nodes_; ++node) members_[leaf_of_[node]].push_back(node);
  for (const std::size_t group : group_of_) groups_ = std::max(groups_, group + 1);
}

std::size_t Fabric::distance(std::size_t a, std::size_t b) const {
  if (leaf_of(a) == leaf_of(b)) return 0;
  return group_of(a) == group_of(b) ? 1 : 2;
}

}  // namespace assay
