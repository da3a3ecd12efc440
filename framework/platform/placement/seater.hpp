// SPDX-License-Identifier: Apache-2.0
// Within platform/: from a shape to CPUs.
#pragma once
#include <functional>
#include <vector>

#include "platform/placement/placement.hpp"
#include "platform/placement/shapes.hpp"

namespace assay {

/// The i-th of fractions that spread evenly over [0, 1) however many are taken: 0, 1/2, 1/4, 3/4, ... (van der Corput).
double spread_fraction(std::size_t i);

/// Puts the members of given roles onto a machine as a shape says. Borrows tree and shapes.
class Seater {
 public:
  Seater(const MachineTree& tree, const Shapes& shapes, const std::vector<int>& roles);

  /// Where on the machine: 0 the first place, 0.5 half-way round; with or without regard to CPU 0.
  Seats seat(std::size_t shape, double where, bool off_cpu0) const;
  /// Up to `count` different placements, spread over the machine.
  std::vector<Seats> several(std::size_t shape, std::size_t count) const;
  /// Calls `visit` for one placement of each way to choose memory nodes; false when there are more than `most`.
  bool each_choice_of_memory(std::size_t shape, double where, std::size_t most,
                             const std::function<void(const Seats&)>& visit) const;

 private:
  using Ranks = std::vector<std::vector<int>>;  ///< by role
  struct Seating {
    std::size_t shape;
    std::size_t node;
    Ranks ranks;
    double where;
  };

  Seating whole(std::size_t shape, double where) const;
  Seats nobody() const { return {std::vector<int>(roles_.size(), -1), -1}; }
  bool sit(const Seating& seating, Seats& seats) const;
  std::vector<Seating> parts_of(const Seating& seating) const;
  std::vector<std::size_t> candidates(const Seating& seating, std::size_t of) const;
  void keep_off(std::ptrdiff_t zero, const std::vector<Seating*>& wanting, std::vector<std::size_t>& nodes) const;
  void choose_nodes(const Seating& seating, std::vector<Seating>& parts, bool off_cpu0) const;
  void place(const Seating& seating, bool off_cpu0, Seats& seats) const;
  int cost_at_cpu0(std::size_t shape, std::size_t node) const;
  Seats canonical(const Seats& seats) const;

  const MachineTree& tree_;
  const Shapes& shapes_;
  const std::vector<int>& roles_;
  std::vector<bool> near_cpu0_;         ///< nodes with CPU 0 below them
  std::vector<bool> several_memories_;  ///< nodes whose CPUs have different local memory, or that have several nodes

  friend class MemoryChoices;
};

}  // namespace assay
