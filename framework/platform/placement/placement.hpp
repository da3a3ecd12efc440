// SPDX-License-Identifier: Apache-2.0
// Room: placements: which CPUs the members of a team are bound to.
// Where members sit: classes of placements, a representative of each, and those of a series, found by name however many
// there are.
#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/topology/topology.hpp"

namespace assay {

/// The CPU of each member, and the memory node that is the home of what they share; -1 where that is nowhere in
/// particular.
struct Seats {
  std::vector<int> cpus;  ///< by rank
  int memory = -1;
  friend bool operator==(const Seats&, const Seats&) = default;
};

/// The CPUs of the members. Unbound when `cpus` is empty: members may use every usable CPU.
struct Placement {
  std::string name;            ///< the class, or the explicit list as written
  std::vector<int> cpus = {};  ///< by rank; may repeat
  int memory = -1;             ///< node that is the home of what members share; -1: wherever it is first touched
  std::string group = {};  ///< name of the class that it is one of; empty where that was not asked or has no meaning
  bool bound() const { return !cpus.empty(); }
  /// True when two members are bound to one CPU.
  bool shares_cpu() const;
  friend bool operator==(const Placement&, const Placement&) = default;
};

/// The words that `representative` stands for on a machine: "unbound"; for one member "bound"; for two or more
/// "same-pu" and each further relation that so many usable CPUs have pairwise.
std::vector<std::string> placement_words(const Topology& topology, int members);

/// Either a placement, or why this machine cannot have it.
struct PlacementChoice {
  std::optional<Placement> placement;
  std::string why_not;  ///< "needs 4 CPUs that are pairwise smt, there are at most 2; usable are 0-7"
};
/// Resolves a word of placement_words, or an explicit list by rank such as "0+1". Representatives avoid the core of CPU
/// 0, which serves most interrupts, or else CPU 0, where they can; they are in the order of the hardware tree.
PlacementChoice place(const Topology& topology, std::string_view word, int members);
/// True when `word` has the form of a placement, possible or not; with "@4+5" and "@memory=1" behind it, as Placer
/// takes it, too.
bool is_placement_word(std::string_view word);
/// Whether a word is the name of a part of some machine (machine_parts.hpp), such as numa1.
bool is_part_name(std::string_view word);
/// What stands before the first "@".
std::string_view placement_base(std::string_view word);

/// Placements in the order in which they were added.
class PlacementTable {
 public:
  PlacementTable() = default;
  PlacementTable(std::initializer_list<Placement> placements) {
    for (const Placement& placement : placements) push_back(placement);
  }
  void push_back(Placement placement);
  /// The first of that name that is for so many members; unbound ones are for any number. nullptr when there is none.
  const Placement* find(const std::string& name, int members) const;

  std::size_t size() const { return list_.size(); }
  const Placement& operator[](std::size_t i) const { return list_[i]; }
  std::vector<Placement>::const_iterator begin() const { return list_.begin(); }
  std::vector<Placement>::const_iterator end() const { return list_.end(); }
  friend bool operator==(const PlacementTable& a, const PlacementTable& b) { return a.list_ == b.list_; }

 private:
  std::vector<Placement> list_;
  std::map<std::string, std::vector<std::size_t>> index_;
};

}  // namespace assay
