// SPDX-License-Identifier: Apache-2.0
// Building, pruning and walking the tree of a machine.
#include "platform/topology/machine_tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace assay {
namespace {

/// Copies what is useful of one tree into another.
class Pruner {
 public:
  explicit Pruner(const MachineTree& from) : from_(from), useful_(from.nodes.size(), false) {
    for (std::size_t i = from.nodes.size(); i-- > 0;) {
      const MachineNode& node = from.nodes[i];
      const auto& children = node.children;
      useful_[i] =
          node.is_leaf() || std::any_of(children.begin(), children.end(), [&](std::size_t c) { return useful_[c]; });
    }
    to_.distances = from.distances;
  }

  MachineTree run() {
    if (!from_.nodes.empty() && useful_[0]) copy(0, 0, from_.nodes[0].relation);
    return std::move(to_);
  }

 private:
  std::vector<std::size_t> useful_children(std::size_t node) const {
    auto children = from_.nodes[node].children;
    std::erase_if(children, [&](std::size_t child) { return !useful_[child]; });
    return children;
  }

  std::size_t take(std::size_t node, std::size_t parent, std::size_t relation, std::string label) {
    MachineNode copy = from_.nodes[node];
    copy.children.clear();
    copy.relation = copy.cpu >= 0 ? 0 : relation;
    copy.label = std::move(label);
    return to_.add(parent, std::move(copy));
  }

  void copy(std::size_t node, std::size_t parent, std::size_t farthest) {
    std::size_t relation = std::min(farthest, from_.nodes[node].relation);
    std::string label = from_.nodes[node].label;
    auto children = useful_children(node);
    std::vector<std::size_t> memories;
    const auto set_aside = [&] {
      for (const std::size_t child : children)
        if (from_.nodes[child].memory >= 0) memories.push_back(child);
      std::erase_if(children, [&](std::size_t child) { return from_.nodes[child].memory >= 0; });
    };
    set_aside();
    // A CPU cannot have memory beside it, so the object that has stays above it.
    while (children.size() == 1 && (memories.empty() || !from_.nodes[children[0]].is_leaf())) {
      node = children[0];
      relation = std::min(relation, from_.nodes[node].relation);
      if (!from_.nodes[node].label.empty()) label += (label.empty() ? "" : "/") + from_.nodes[node].label;
      children = useful_children(node);
      set_aside();
    }
    const std::size_t made = take(node, parent, relation, std::move(label));
    for (const std::size_t memory : memories) take(memory, made, 0, from_.nodes[memory].label);
    for (const std::size_t child : children) copy(child, made, relation);
  }

  const MachineTree& from_;
  std::vector<bool> useful_;
  MachineTree to_;
};

void note(std::vector<std::size_t>& leaves, int index, std::size_t node) {
  const auto at = static_cast<std::size_t>(index);
  if (leaves.size() <= at) leaves.resize(at + 1, TreePaths::none);
  leaves[at] = node;
}

}  // namespace

std::size_t MachineTree::add(std::size_t parent, MachineNode node) {
  const std::size_t made = nodes.size();
  if (made > 0) nodes.at(parent).children.push_back(made);
  nodes.push_back(std::move(node));
  return made;
}

MachineTree pruned(const MachineTree& tree) { return Pruner(tree).run(); }

TreePaths::TreePaths(const MachineTree& tree)
    : tree_(tree), parents_(tree.nodes.size(), none), depths_(tree.nodes.size(), 0) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const MachineNode& node = tree.nodes[i];
    for (const std::size_t child : node.children) {
      parents_[child] = i;
      depths_[child] = depths_[i] + 1;
    }
    if (node.cpu >= 0) note(cpus_, node.cpu, i);
    if (node.memory >= 0) note(memories_, node.memory, i);
    if (node.cpu >= 0) order_.push_back(node.cpu);
    if (node.memory >= 0) memory_order_.push_back(node.memory);
  }
}

std::size_t TreePaths::leaf_of_cpu(int cpu) const {
  if (!has_cpu(cpu)) throw std::out_of_range("there is no CPU " + std::to_string(cpu));
  return cpus_[static_cast<std::size_t>(cpu)];
}

std::size_t TreePaths::leaf_of_memory(int memory) const {
  const auto at = static_cast<std::size_t>(memory);
  if (memory < 0 || at >= memories_.size() || memories_[at] == none)
    throw std::out_of_range("there is no memory node " + std::to_string(memory));
  return memories_[at];
}

bool TreePaths::has_cpu(int cpu) const {
  const auto at = static_cast<std::size_t>(cpu);
  return cpu >= 0 && at < cpus_.size() && cpus_[at] != none;
}

int TreePaths::local_memory(int cpu) const {
  for (std::size_t node = parents_[leaf_of_cpu(cpu)]; node != none; node = parents_[node])
    for (const std::size_t child : tree_.nodes[node].children)
      if (tree_.nodes[child].memory >= 0) return tree_.nodes[child].memory;
  return -1;
}

std::size_t TreePaths::common(std::size_t a, std::size_t b) const {
  while (a != b) {
    if (depths_[a] < depths_[b]) std::swap(a, b);
    a = parents_[a];
  }
  return a;
}

std::size_t TreePaths::relation(int a, int b) const {
  return tree_.nodes[common(leaf_of_cpu(a), leaf_of_cpu(b))].relation;
}

}  // namespace assay
