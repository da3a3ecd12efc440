// SPDX-License-Identifier: Apache-2.0
// Within platform/: ways to occupy a machine, each a canonical form for all that its symmetry makes equal; their CPUs,
// names and order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/placement/placement.hpp"
#include "platform/topology/machine_tree.hpp"

namespace assay {

/// How many of each role are somewhere: four bits a role, the memory's home above all members'.
using Tokens = std::uint32_t;
inline constexpr int most_roles = 6;
inline constexpr Tokens home_token = Tokens{1} << (4 * most_roles);
/// How many of a role are among them.
constexpr int count_in(Tokens tokens, int role) { return static_cast<int>(tokens >> (4 * role) & 15U); }
/// One of a role.
constexpr Tokens token_of(int role) { return Tokens{1} << (4 * role); }
/// Thrown inside platform/ when there are more shapes than can be measured.
struct TooManyShapes {};

/// The shapes of one tree. Two nodes are of one class when label and classes below are the same, which makes them
/// interchangeable; a shape is a class with the multiset of the shapes of the parts that are occupied.
class Shapes {
 public:
  /// The tree is borrowed. No list gets longer than `most`.
  Shapes(const MachineTree& tree, std::size_t most);

  struct Shape {
    std::size_t of = 0;  ///< class
    Tokens tokens = 0;
    std::vector<std::size_t> parts;  ///< shapes of the occupied children, ascending
    bool shares_cpu = false;
    double tuples = 1;  ///< ways to put the tokens, each distinguished, onto one node of the class
  };

  /// All shapes of the whole machine with these tokens. Throws TooManyShapes.
  const std::vector<std::size_t>& all(Tokens tokens) { return list(classes_.front(), tokens); }
  /// The shape of what is there: tokens on leaves.
  std::size_t of(const std::vector<std::pair<std::size_t, Tokens>>& leaves);
  const Shape& operator[](std::size_t shape) const { return shapes_[shape]; }
  const TreePaths& paths() const { return paths_; }
  /// The class of a node.
  std::size_t class_of(std::size_t node) const { return classes_[node]; }

 private:
  struct Class {
    bool is_cpu = false;
    bool is_memory = false;
    std::vector<std::pair<std::size_t, int>> parts;  ///< classes of children with their numbers
  };
  struct Choice {
    Tokens left = 0;
    Tokens last = 0;       ///< tokens of the latest part
    std::size_t next = 0;  ///< where to go on in the pool of the same tokens
    std::vector<std::size_t> parts = {};
  };
  using Key = std::tuple<std::size_t, Tokens, std::vector<std::size_t>>;

  void classify();
  const std::vector<std::size_t>& list(std::size_t of, Tokens tokens);
  void choose(std::size_t of, Tokens tokens, const Choice& choice, std::vector<std::size_t>& found);
  const std::vector<Tokens>& takings(Tokens tokens);
  const std::vector<std::size_t>& pool(std::size_t of, Tokens tokens);
  bool has_room(std::size_t of, const std::vector<std::size_t>& parts, std::size_t shape) const;
  std::size_t made(std::size_t of, Tokens tokens, std::vector<std::size_t> parts);
  double tuples_of(const Shape& shape) const;

  const MachineTree& tree_;
  TreePaths paths_;
  std::size_t most_;
  std::vector<std::size_t> classes_;  ///< by node
  std::vector<Class> kinds_;          ///< by class
  std::vector<Shape> shapes_;
  std::map<Key, std::size_t> known_;
  std::map<std::pair<std::size_t, Tokens>, std::vector<std::size_t>> lists_;
  std::map<std::pair<std::size_t, Tokens>, std::vector<std::size_t>> pools_;
  std::map<Tokens, std::vector<Tokens>> takings_;
};

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

/// The name of a placement's class without what distinguishes equal names: relations, kinds, memory home.
std::string class_name(const MachineTree& tree, const TreePaths& paths, const Seats& seats);

/// A key that sorts placements from near to far.
std::vector<std::size_t> nearness(const MachineTree& tree, const TreePaths& paths, const Seats& seats);

}  // namespace assay
