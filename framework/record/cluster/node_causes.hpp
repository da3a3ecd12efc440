// SPDX-License-Identifier: Apache-2.0
// Why a node deviates: facts in which it differs from most others (kernel, firmware, governor, limits), and what the
// results of its own campaign say beside theirs.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "record/cluster/cluster_tables.hpp"
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

/// What took the CPUs of a slow node in a table of noise (quantities `detours` and `switches`, os/noise-selfish):
/// "other threads took its CPU 40 times a second, the others' 2 times", where it has twice as many detours as they at
/// least and half of them are switches; else interrupts or a hypervisor. Where it has no more of them, that they are
/// longer. Empty where the table has no such quantities, or the two others that it takes are missing.
std::string cause_in_noise(const Table& table, const UnitRow& unit);

/// The disturbances that a node has and the others have not, of a slow or lacking one: "batches that a quota or heat
/// throttled: 12, the others' 0"; five of them at least, and four times as many as the others' median.
std::vector<std::string> causes_in_disturbances(const Table& table, const UnitRow& unit);

/// Where a node is slow, if that is at some levels only, while it is well at all others: "copy only at placement=8-15",
/// as for the memory of one socket. Tables of one series differ in the levels that they have in common. Empty where it
/// is slow everywhere, or undecided somewhere.
std::string cause_in_levels(const std::vector<Table>& tables, const std::string& series, const std::string& node);

/// Why it lacks results in a table: the reason of its point, in one line.
std::string cause_of_lack(const UnitRow& unit);

}  // namespace assay::cluster
