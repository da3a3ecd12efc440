// SPDX-License-Identifier: Apache-2.0
// Facts in which nodes of a cluster differ from most others: kernel, firmware, governor, limits.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.hpp"

namespace assay::cluster {

/// Of the facts of a session those that equal nodes have in common; not names, loads, times since the last boot, and
/// what was measured. What a program found out of a fact that is "not available" is shortened to these words.
Facts comparable_facts(const Facts& facts);

/// A fact with its value on most nodes, and what it is on the others.
struct OddFact {
  struct Other {
    std::string value;
    std::vector<std::string> nodes;
  };
  std::string key;
  std::string usual;
  std::size_t nodes = 0;  ///< that have the usual value
  std::vector<Other> others;
};

/// The facts in which a minority differs: more than half of the nodes that have the fact agree on its value. Sizes of
/// memory are the same when they are within 2 % of each other. In the order of the keys; values of the most nodes
/// first.
std::vector<OddFact> odd_facts(const std::vector<Record>& records);

/// Why they may explain that a node deviates, in words: "cpu.governor is powersave, on most nodes performance". Only of
/// facts that bear on times; those that explain most often come first.
std::vector<std::string> causes_in_facts(const std::vector<OddFact>& facts, const std::string& node);

/// Prints a line for each fact and value, with its nodes; nothing where there are none.
void print_odd_facts(std::ostream& out, const std::vector<OddFact>& facts);

}  // namespace assay::cluster
