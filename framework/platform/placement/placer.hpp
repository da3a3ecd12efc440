// SPDX-License-Identifier: Apache-2.0
// From the words of a series' placements to CPUs and homes of memory, classes and representatives included; members as
// near to each other, and as far from each other, as the machine allows.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/placement/placement.hpp"
#include "platform/placement/placement_classes.hpp"
#include "platform/topology/machine_tree.hpp"
#include "platform/topology/topology.hpp"

namespace assay {

/// Resolves placements on one machine; keeps what it enumerated.
///
/// A placement is a word of place(), "close", "spread", a part of the machine or the name of a class; behind it "@4+5"
/// says that it is a further representative, on these CPUs, and "@memory=1" where the shared memory is at home.
class Placer {
 public:
  /// `most` is the number of placements beyond which a word for many is refused.
  /// The topology is borrowed.
  Placer(const Topology& topology, std::size_t most);
  Placer(const Placer&) = delete;
  Placer& operator=(const Placer&) = delete;

  /// A placement by its name, of the class that it is in; or why this machine cannot have it.
  PlacementChoice place(const std::string& word, int members);
  /// Each class with `representatives` of it; with the home of memory as a further token. Throws std::length_error,
  /// with the number in words, when these are too many. `members` is at most PlacementClasses::most_members.
  std::vector<Placement> classes(int members, bool memory, std::size_t representatives);
  /// A placement with further representatives of its class, up to that number in all.
  std::vector<Placement> representatives(const Placement& first, std::size_t count);
  /// Every way to put the members onto different CPUs, by CPU. Throws std::length_error as classes() does,
  /// and std::out_of_range when there are not so many.
  std::vector<Placement> all(int members);

 private:
  const PlacementClasses* known_classes(int members, bool memory);
  Placement named(Placement placement);
  std::string class_of(const Placement& placement);
  PlacementChoice place_base(const std::string& base, int members);
  PlacementChoice place_class(const std::string& name, int members);
  PlacementChoice place_on(const std::string& base, const std::string& list, int members);
  void extend(const std::vector<int>& chosen, std::size_t members, std::vector<Placement>& list);
  PlacementChoice with_home(PlacementChoice choice, const std::string& home) const;

  const Topology& topology_;
  std::size_t most_;
  MachineTree tree_;
  TreePaths paths_;
  std::map<std::pair<int, bool>, PlacementClasses> classes_;
};

/// CPUs by rank, each its own while there are enough (then again from the first): filled up in the order of the tree
/// within the smallest and nearest part of the machine that has so many, off the core of CPU 0 among equal parts.
std::vector<int> close_together(const MachineTree& tree, int members);

/// CPUs by rank, each its own while there are enough: each further one as far as possible from the nearest before it,
/// then from all of them, off the core of CPU 0 among equal ones. Where relations nest, as they do in a tree, this
/// makes the smallest distance as large as can be.
std::vector<int> far_apart(const MachineTree& tree, int members);

}  // namespace assay
