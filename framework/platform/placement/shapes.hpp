// SPDX-License-Identifier: Apache-2.0
// Within platform/: ways to occupy a machine, each a canonical form for all that its symmetry makes equal.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

}  // namespace assay
