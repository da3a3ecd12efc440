// SPDX-License-Identifier: Apache-2.0
// Machines for tests: trees written down as nested parts, and orbits of placements found by brute force.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "platform/placement/placement_classes.hpp"
#include "platform/topology/topology.hpp"

namespace assay::test {

/// An object with its parts; without parts a CPU, or memory.
struct Part {
  std::string word = "same-pu";  ///< how CPUs are related whose nearest common object it is
  std::string label = {};
  std::string kind = {};
  bool memory = false;
  std::vector<Part> parts = {};
};

inline Part cpu(std::string kind = {}) { return {.kind = std::move(kind)}; }
inline Part memory(std::string label = {}) { return {.label = std::move(label), .memory = true}; }
inline Part object(std::string word, std::vector<Part> parts) {
  return {.word = std::move(word), .parts = std::move(parts)};
}
/// So many of one part, then so many of the next.
inline std::vector<Part> parts(const std::vector<std::pair<int, Part>>& counted) {
  std::vector<Part> all;
  for (const auto& [count, part] : counted) all.insert(all.end(), static_cast<std::size_t>(count), part);
  return all;
}

inline std::size_t relation_number(const std::string& word) {
  const auto& words = Topology::relations();
  std::size_t i = 0;
  while (words.at(i) != word) ++i;
  return i;
}

inline void append(MachineTree& tree, std::size_t parent, const Part& part, int& cpus, int& memories) {
  MachineNode node{.relation = relation_number(part.word), .label = part.label, .kind = part.kind};
  if (part.memory)
    node.memory = memories++;
  else if (part.parts.empty())
    node.cpu = cpus++;
  const std::size_t made = tree.add(parent, node);
  for (const Part& below : part.parts) append(tree, made, below, cpus, memories);
}

/// The tree, with CPUs and memory nodes numbered as they are written.
inline MachineTree tree_of(const Part& machine) {
  MachineTree tree;
  int cpus = 0;
  int memories = 0;
  append(tree, 0, machine, cpus, memories);
  return pruned(tree);
}

/// Orbits of placements by brute force: placements are joined that an exchange of two identical siblings, or of two
/// members of one role, makes of each other.
class Orbits {
 public:
  Orbits(const MachineTree& tree, std::vector<int> roles, bool with_memory)
      : tree_(tree), roles_(std::move(roles)), with_memory_(with_memory) {
    for (const MachineNode& node : tree.nodes) {
      if (node.cpu >= 0) cpus_.push_back(node.cpu);
      if (node.memory >= 0) memories_.push_back(node.memory);
    }
    list(Seats{});
    joined_.resize(all_.size());
    std::iota(joined_.begin(), joined_.end(), std::size_t{0});
    join_siblings();
    join_roles();
  }

  const std::vector<Seats>& placements() const { return all_; }
  std::size_t orbit_of(std::size_t placement) const {
    while (joined_[placement] != placement) placement = joined_[placement];
    return placement;
  }
  /// Size of each orbit by its first placement.
  std::map<std::size_t, double> sizes() const {
    std::map<std::size_t, double> sizes;
    for (std::size_t i = 0; i < all_.size(); ++i) sizes[orbit_of(i)] += 1;
    return sizes;
  }

 private:
  using Map = std::map<int, int>;

  void list(Seats seats) {
    if (seats.cpus.size() < roles_.size()) {
      for (const int one : cpus_) {
        Seats next = seats;
        next.cpus.push_back(one);
        list(next);
      }
      return;
    }
    for (const int one : with_memory_ ? memories_ : std::vector<int>{-1}) {
      seats.memory = one;
      index_[{seats.cpus, one}] = all_.size();
      all_.push_back(seats);
    }
  }

  std::string form(std::size_t at) const {
    const MachineNode& node = tree_.nodes[at];
    std::vector<std::string> below;
    for (const std::size_t child : node.children) below.push_back(form(child));
    std::sort(below.begin(), below.end());
    std::string text = (node.cpu >= 0      ? "c"
                        : node.memory >= 0 ? "m"
                                           : "o") +
                       std::to_string(node.relation) + node.label + "," + node.kind + "(";
    for (const std::string& one : below) text += one;
    return text + ")";
  }

  std::vector<std::size_t> by_form(std::size_t at) const {
    auto children = tree_.nodes[at].children;
    std::stable_sort(children.begin(), children.end(),
                     [this](std::size_t a, std::size_t b) { return form(a) < form(b); });
    return children;
  }

  void exchange(std::size_t a, std::size_t b, Map& cpus, Map& memories) const {
    const MachineNode& left = tree_.nodes[a];
    const MachineNode& right = tree_.nodes[b];
    if (left.cpu >= 0) cpus[left.cpu] = right.cpu, cpus[right.cpu] = left.cpu;
    if (left.memory >= 0) memories[left.memory] = right.memory, memories[right.memory] = left.memory;
    const auto ours = by_form(a);
    const auto theirs = by_form(b);
    for (std::size_t i = 0; i < ours.size(); ++i) exchange(ours[i], theirs[i], cpus, memories);
  }

  void join(std::size_t a, std::size_t b) { joined_[orbit_of(a)] = orbit_of(b); }

  static int mapped(const Map& map, int one) {
    const auto found = map.find(one);
    return found == map.end() ? one : found->second;
  }

  void join_siblings() {
    for (const MachineNode& node : tree_.nodes)
      for (std::size_t i = 0; i < node.children.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          if (form(node.children[i]) != form(node.children[j])) continue;
          Map cpus;
          Map memories;
          exchange(node.children[i], node.children[j], cpus, memories);
          for (std::size_t k = 0; k < all_.size(); ++k) {
            Seats image = all_[k];
            for (int& one : image.cpus) one = mapped(cpus, one);
            join(k, index_.at({image.cpus, mapped(memories, image.memory)}));
          }
        }
  }

  void join_roles() {
    for (std::size_t a = 0; a < roles_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        if (roles_[a] != roles_[b]) continue;
        for (std::size_t k = 0; k < all_.size(); ++k) {
          Seats image = all_[k];
          std::swap(image.cpus[a], image.cpus[b]);
          join(k, index_.at({image.cpus, image.memory}));
        }
      }
  }

  const MachineTree& tree_;
  std::vector<int> roles_;
  bool with_memory_;
  std::vector<int> cpus_;
  std::vector<int> memories_;
  std::vector<Seats> all_;
  std::map<std::pair<std::vector<int>, int>, std::size_t> index_;
  std::vector<std::size_t> joined_;
};

}  // namespace assay::test
