// SPDX-License-Identifier: Apache-2.0
// How nodes are connected: leaf switches, groups of these, and the units of a cluster that may be slow.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

/// What may be slow in a cluster. Closed list, in the order in which units are explained by larger ones.
enum class UnitKind : std::uint8_t {
  group,  ///< leaf switches under one part of the fabric: a pod of a fat tree, half of it, a group of a dragonfly
  leaf,   ///< a leaf switch, with all its nodes
  trunk,  ///< everything between two groups, as the cable between two groups of a dragonfly
  node,   ///< with its adapter, and its cable to the leaf switch
  pair    ///< the link between two nodes, beyond what these explain
};
/// "group", "switch", "links between groups", "node", "link".
std::string_view to_text(UnitKind kind);

/// A unit by number; `second` counts for trunks and pairs only, and is above `first` there.
struct FabricUnit {
  UnitKind kind = UnitKind::node;
  std::size_t first = 0;
  std::size_t second = 0;
  friend auto operator<=>(const FabricUnit&, const FabricUnit&) = default;
};

/// The tree of nodes, leaf switches and groups.
class Fabric {
 public:
  /// Of which nothing is known: units are nodes and pairs only.
  explicit Fabric(std::size_t nodes) : nodes_(nodes) {}
  /// `leaf_of` by node, `group_of` by leaf, both numbered from 0 on. An empty `group_of`: one group. Throws
  /// std::invalid_argument for a leaf that `group_of` lacks.
  Fabric(std::vector<std::size_t> leaf_of, std::vector<std::size_t> group_of);

  std::size_t nodes() const { return nodes_; }
  std::size_t leaves() const { return members_.size(); }
  std::size_t groups() const { return groups_; }
  bool has_leaves() const { return members_.size() > 1; }
  bool has_groups() const { return groups_ > 1; }
  /// 0 where leaves are not known, as all are on one switch.
  std::size_t leaf_of(std::size_t node) const { return leaf_of_.empty() ? 0 : leaf_of_[node]; }
  std::size_t group_of(std::size_t node) const { return leaf_of_.empty() ? 0 : group_of_[leaf_of_[node]]; }
  std::size_t group_of_leaf(std::size_t leaf) const { return group_of_[leaf]; }
  /// The nodes of a leaf, in their order.
  const std::vector<std::size_t>& nodes_of(std::size_t leaf) const { return members_[leaf]; }
  /// How far apart two nodes are: 0 on one leaf, 1 within a group, 2 beyond.
  std::size_t distance(std::size_t a, std::size_t b) const;

 private:
  std::size_t nodes_;
  std::size_t groups_ = 1;
  std::vector<std::size_t> leaf_of_;
  std::vector<std::size_t> group_of_;
  std::vector<std::vector<std::size_t>> members_;
};

}  // namespace assay
