// SPDX-License-Identifier: Apache-2.0
// Placements up to the machine's symmetry: one class for all that an exchange of identical parts makes equal.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "platform/placement/placement.hpp"
#include "platform/topology/machine_tree.hpp"

namespace assay {

/// The role of each rank; members of one role can take each other's place. "ordered": every member has its own;
/// "equal": all have one; "main+equal": the first has its own; "a,b,b": a word for each rank. Throws ConfigError.
std::vector<int> parse_roles(const std::string& text, int members);

/// Which placements are to be distinguished.
struct ClassesRequest {
  std::vector<int> roles;      ///< by rank, one to six of them, numbered from 0
  bool memory = false;         ///< with the home of shared memory as one more token, which sits on memory nodes
  std::size_t most = 100'000;  ///< classes
};

/// Placements that are equal up to the machine's symmetry and the exchange of members of one role.
struct PlacementClass {
  /// Stable across machines: the relation of the members where it is the same for all pairs, for one member "bound",
  /// else nested, "cross-package(0/smt(1/2))" by rank. On a machine with several kinds of CPU followed by the kinds,
  /// ":big/little", once where all are the same; where distances between memory nodes distinguish classes by
  /// "~d10/21"; with a memory home by "@memory=local/cross-package", how it is related to each member. Placements that
  /// differ by more than this have "~2" and so on behind it, the most numerous first.
  std::string name;
  double tuples = 0;  ///< placements in it, members distinguished; exact below 2^53
  bool shares_cpu = false;
};

/// The classes of one machine, from near to far. Source: the orbits of the automorphism group of the labelled tree of
/// the hardware, enumerated in canonical form bottom-up, so that the time depends on their number and not on that of
/// the CPUs. Where the memory nodes' distances do not follow the tree, classes are split by the distances between the
/// nodes touched.
class PlacementClasses {
 public:
  static constexpr int most_members = 6;
  /// Throws std::length_error when there are more than `request.most`, std::invalid_argument for a number of members
  /// out of range, std::out_of_range for a memory home on a machine without memory nodes.
  PlacementClasses(MachineTree tree, const ClassesRequest& request);
  ~PlacementClasses();
  PlacementClasses(PlacementClasses&&) noexcept;
  PlacementClasses& operator=(PlacementClasses&&) noexcept;

  const std::vector<PlacementClass>& all() const;
  /// Up to `count` different placements of a class, spread over the machine, fewer where it has no more; off the core
  /// of CPU 0, which serves most interrupts, or else off CPU 0, where that is possible.
  std::vector<Seats> representatives(std::size_t index, std::size_t count) const;
  /// The class of a placement. Throws std::out_of_range for a CPU or memory node that the machine does not have.
  std::size_t find(const Seats& seats) const;
  /// Classes that touch so many memory nodes that their distances were not looked at.
  std::size_t unrefined() const;

 private:
  struct Enumeration;
  std::unique_ptr<Enumeration> enumeration_;
};

}  // namespace assay
