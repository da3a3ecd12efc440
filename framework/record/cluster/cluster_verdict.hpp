// SPDX-License-Identifier: Apache-2.0
// What all tables of a cluster together say of each node and link.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "record/cluster/cluster_tables.hpp"
#include "record/record.hpp"

namespace assay::cluster {

/// What is to be explained.
struct Symptom {
  std::string node;
  /// How many times as long it takes as the others (or how much less it yields, as that ratio); nothing where it lacks
  /// a result because its cores were hardly ever alone.
  std::optional<double> slowdown;
  bool is_of_lone_cores = false;  ///< the value is of cores that were alone: work that shared them is not the cause
  bool by_ranks = false;          ///< of launches between nodes
};

/// The causes that readings of the cores give for it, in words: "its cores were shared 80 % of the time, the others' 3
/// %", "its clock is 2.1 GHz, the others' 2.9 GHz". Empty where they say nothing, or too little: it takes two other
/// nodes that were read; the cores shared for 40 % of the time at least, and twice as long as theirs; or a clock that
/// is slower by 5 % at least and by half of the slowdown (as a power). Other work on a core costs less than 2.5 times.
std::vector<std::string> causes_in_cores(const std::vector<const CoresRecord*>& nodes, const Symptom& symptom);

/// The records of nodes' cores in a report.
std::vector<const CoresRecord*> cores_of_nodes(const std::vector<Record>& records);

/// How a node stands, the worst of what its tables say first. Closed list.
enum class Standing : std::uint8_t {
  slow,     ///< in some table
  lacking,  ///< it failed, or was too noisy, where most nodes have a result
  fast,     ///< in some table
  unclear,  ///< undecided in some table
  ok        ///< in all of them
};
/// "slow", "lacking", "fast", "unclear", "ok".
std::string to_text(Standing standing);

/// A node with the series in which it stands so.
struct NodeVerdict {
  std::string node;
  Standing standing = Standing::ok;
  std::vector<std::string> series;
  std::vector<std::string> causes = {};  ///< in words (node_causes.hpp)
  std::optional<Shift> shift = {};       ///< against the others where it deviates most, if it is slow or fast
  std::string shift_in = {};             ///< the series of that
};

/// A link that is slow, or without a result where most links have one.
struct LinkVerdict {
  std::string node;
  std::string peer;
  Standing standing = Standing::slow;
  std::string series;
  friend bool operator==(const LinkVerdict&, const LinkVerdict&) = default;
};

/// A part of the network that a screening found to be slow: a switch, a group of switches, all links between two
/// groups.
struct PartVerdict {
  std::string part;  ///< "switch leaf1 (n0, n1)"
  std::string series;
  Shift shift;
};

/// The verdict on a cluster.
struct Verdicts {
  std::vector<NodeVerdict> nodes;  ///< in the order of the tables; of a screening those that deviate or are unclear
  std::vector<LinkVerdict> links;  ///< those that deviate, once for each series
  std::vector<PartVerdict> parts = {};
  std::size_t compared = 0;  ///< nodes of the report, whether or not they stand above
  /// True when a node, a link or a part is slow, or lacks what the others have.
  bool has_deviating() const;
};

/// How many of the nodes stand so.
std::size_t count_of(const std::vector<NodeVerdict>& nodes, Standing standing);
/// How many times as long, or much, as the others: "1.3 times the others"; of a difference "more than the others by
/// 0.031".
std::string against_others(const Shift& shift);

/// What the tables whose units are nodes say. That a link of a node that itself deviates lacks a result is not said:
/// the node may have been why. A slow one is slow beyond what its nodes explain. `records` include those of the nodes'
/// cores.
Verdicts verdicts_of(const std::vector<Table>& tables, const std::vector<Record>& records);
/// The same of the records of a journal alone.
Verdicts verdicts_of(const std::vector<Record>& records);

/// Prints a line per node and per deviating link; nothing where there are no nodes.
void print_verdicts(std::ostream& out, const Verdicts& verdicts);

}  // namespace assay::cluster
