// SPDX-License-Identifier: Apache-2.0
// A machine as a labelled tree, without a library's types: what placements are enumerated on.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace assay {

/// An object that CPUs share, or a leaf: a CPU, or a memory node beside the object whose CPUs are local to it.
struct MachineNode {
  /// Index into Topology::relations(): how two CPUs are related whose nearest common object this is. 0 for a CPU.
  std::size_t relation = 0;
  std::string label = {};  ///< what else distinguishes it: a cache's size or a memory's type where they differ
  std::string kind = {};   ///< of a CPU: the name of its kind on a machine that has several
  int cpu = -1;            ///< index of the CPU that a leaf is
  int memory = -1;         ///< index of the memory node that a leaf is
  std::vector<std::size_t> children = {};
  bool is_leaf() const { return cpu >= 0 || memory >= 0; }
};

/// A machine cut to what is usable. A node's children come after it, so the last nodes are leaves; the first is the
/// root. Every node has a CPU or a memory node below it or is one.
struct MachineTree {
  std::vector<MachineNode> nodes;
  std::vector<std::vector<double>>
      distances;  ///< between memory nodes, by index; empty where the machine does not report any

  /// Adds a node below `parent` and returns its number; `parent` of the root is ignored.
  std::size_t add(std::size_t parent, MachineNode node);
};

/// The tree without objects that have neither CPU nor memory, and without levels that add no sharing: an object with
/// one part, of which it differs in nothing, is one with it. The nearer relation counts, here and where an object of a
/// nearer relation contains one of a farther.
MachineTree pruned(const MachineTree& tree);

/// Paths through a tree, in memory proportional to its size.
class TreePaths {
 public:
  /// The tree is borrowed.
  explicit TreePaths(const MachineTree& tree);
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// The node above; none for the root.
  std::size_t parent(std::size_t node) const { return parents_[node]; }
  /// The leaf of a CPU or of a memory node. Throws std::out_of_range when the tree has none.
  std::size_t leaf_of_cpu(int cpu) const;
  std::size_t leaf_of_memory(int memory) const;
  bool has_cpu(int cpu) const;
  /// The memory node nearest to a CPU: the first beside the nearest object that has one. -1 where there is none.
  int local_memory(int cpu) const;
  /// The nearest node above both, or either where one is above the other.
  std::size_t common(std::size_t a, std::size_t b) const;
  /// The index of the relation of two CPUs. Throws std::out_of_range for a CPU that the tree does not have.
  std::size_t relation(int a, int b) const;
  /// The CPUs in the order of the tree, and the memory nodes.
  const std::vector<int>& cpus() const { return order_; }
  const std::vector<int>& memories() const { return memory_order_; }

 private:
  const MachineTree& tree_;
  std::vector<std::size_t> parents_;
  std::vector<std::size_t> depths_;
  std::vector<std::size_t> cpus_;      ///< leaf by CPU
  std::vector<std::size_t> memories_;  ///< leaf by memory node
  std::vector<int> order_;
  std::vector<int> memory_order_;
};

}  // namespace assay
