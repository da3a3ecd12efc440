// SPDX-License-Identifier: Apache-2.0
// Room: the throughput of a core alone, and the states that results are keyed by.
// What a core yields while it is alone and at its usual clock, learned from readings of it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core_reading.hpp"
#include "stats/core/call_level.hpp"
#include "stats/core/clock_levels.hpp"
#include "stats/core/level_counts.hpp"
#include "stats/core/near_distances.hpp"

namespace assay {

/// Whether other work ran on the core.
enum class Sharing : std::uint8_t {
  unknown,  ///< not read, or not known what this core yields when it is alone
  alone,
  shared,
  mixed  ///< it changed meanwhile
};
/// "unknown", "alone", "shared", "mixed", and back.
std::string to_text(Sharing sharing);
std::optional<Sharing> parse_sharing(std::string_view text);

/// Why the best that was seen of a core is taken for what it yields alone.
enum class AloneBecause : std::uint8_t {
  nothing,     ///< it may have been shared all the time
  two_levels,  ///< it was seen to yield much less as well
  throughput,  ///< it yields more than a part of any known core can
  earlier,     ///< another session found the same
  one_thread   ///< the machine's cores have one hardware thread each
};
/// "nothing", "two-levels", "throughput", "earlier", "one-thread", and back.
std::string to_text(AloneBecause reason);
std::optional<AloneBecause> parse_alone_because(std::string_view text);

/// A CPU of a machine that may have several nodes, which number theirs alike.
struct NodeCpu {
  NodeCpu() = default;
  /// Of the session's own node.
  NodeCpu(int number) : cpu(number) {}
  NodeCpu(std::string name, int number) : node(std::move(name)), cpu(number) {}

  std::string node;  ///< name; empty: the session's own, where nothing else was measured or it was measured alone
  int cpu = -1;
  friend auto operator<=>(const NodeCpu&, const NodeCpu&) = default;
};
/// The CPU of a member; `nodes` are named by rank, or not at all.
NodeCpu cpu_of(std::span<const std::string> nodes, std::size_t rank, int cpu);
/// By rank: whether no other member is on its node. Nodes that have no names are one.
std::vector<bool> single_on_node(std::span<const std::string> nodes, std::size_t members);

/// What holds for all cores of a node, as it was found there.
struct NodeCores {
  std::string node;         ///< name; empty: the session's own
  int cycles_per_step = 0;  ///< of the chain; 0: not known
  bool one_thread = false;  ///< no core can be shared
};

/// What is known of one CPU.
struct CoreLevel {
  int cpu = 0;
  double alone = 0;     ///< time of an independent addition over that of a step of the chain, while the core is alone
  Nanoseconds chain{};  ///< of a step, at the usual clock
  AloneBecause because = AloneBecause::nothing;
  std::int64_t readings = 0;        ///< that it rests on
  std::int64_t readings_alone = 0;  ///< of them
  std::string node = {};            ///< name; empty: the session's own
  UsualCall call = {};              ///< while the core is alone by its throughput
  NodeCpu core() const { return {node, cpu}; }
};

/// Two CPUs, in either order.
struct CorePair {
  CorePair(NodeCpu one, NodeCpu other) : first(std::min(one, other)), second(std::max(one, other)) {}

  NodeCpu first;
  NodeCpu second;
  friend auto operator<=>(const CorePair&, const CorePair&) = default;
};

/// At which distances a pair was while both were alone.
struct PairDistances {
  CorePair pair;
  std::vector<double> levels;  ///< round trips of flags, ns, ascending
};

/// Learns by CPU, since kinds of cores differ, over everything that a session measures, since its points share one
/// machine, of one node or more. A reading is compared with what the same core yields alone at the same clock:
/// throughput over latency, so that a change of the clock is no neighbour.
class CoreLevels {
 public:
  /// `cycles_per_step` of the chain; 0 where it is not known. `one_thread`: no core can be shared. Both of the
  /// session's own node.
  explicit CoreLevels(int cycles_per_step = 0, bool one_thread = false) { know({{}, cycles_per_step, one_thread}); }

  /// What holds for a node. Of others neither is known; cycles that are not leave what was known of them before.
  void know(const NodeCores& node);
  /// A reading while no other member of the same measurement was at work. Readings that were not taken, or that no core
  /// can yield, are passed over.
  void add(const NodeCpu& cpu, const CoreReading& reading);
  /// What an earlier session found on this machine. What it did not see alone either confirms nothing.
  void confirm(const CoreLevel& earlier);
  /// Of a CPU with 20 readings at least, or one that an earlier session knew.
  std::optional<CoreLevel> level(const NodeCpu& cpu) const;
  /// Of all CPUs that have one, ascending, by the nodes' names.
  std::vector<CoreLevel> levels() const;
  /// `alone` from 1/1.1 to 1.04 times the level; unknown where nothing says that the level is that of a core alone.
  /// Mixed, which is no state, where that is alone and a system call took another time than usual.
  Sharing judge(const NodeCpu& cpu, const CoreReading& reading) const;
  /// Whether a system call took what it usually does; true where either is not known, or a neighbour that worked
  /// delayed it: when he has gone, a core is alone.
  bool has_usual_call(const NodeCpu& cpu, const CoreReading& reading) const;
  /// The clock of a node during a visit whose first member was alone.
  void add_clock(const std::string& node, const SeenClock& clock) { clocks_[node].add(clock); }
  /// What was found before on this machine, or by a point that was finished.
  void confirm(const NodeClocks& earlier) { clocks_[earlier.node].confirm(earlier); }
  /// A round trip of flags between two CPUs, while both were alone.
  void add_distance(const CorePair& pair, Nanoseconds trip) { distances_[pair].add(trip.count); }
  /// As for clocks.
  void confirm(const PairDistances& earlier) { distances_[earlier.pair].confirm(earlier.levels); }
  /// Of pairs that were at several.
  std::vector<PairDistances> distances() const;
  /// Those of a pair; none where nothing is known.
  std::span<const double> distances(const CorePair& pair) const;
  /// The usual clock of every node stays what it is: results that are finished earlier and later are of the same one.
  void keep_usual_clocks();
  /// Of all nodes of which a usual one is known.
  std::vector<NodeClocks> clocks() const;
  /// The level that a step is at: the node's, or what the CPU's readings had mostly, where it is within 3 % of that;
  /// else the step itself.
  Nanoseconds level_of(const NodeCpu& cpu, Nanoseconds step) const;
  /// Whether the clocks of the CPU's node are known.
  bool knows_clocks(const NodeCpu& cpu) const;
  /// Whether more than one is: the processor changes it, and visits are at one or another.
  bool has_several_clocks(const NodeCpu& cpu) const;
  /// A step of the chain at the usual clock of the CPU's node, or of the CPU where those are not known; 0: neither is.
  Nanoseconds usual_step(const NodeCpu& cpu) const;
  /// The clock of a level over the usual one of this CPU; 1 where either is not known.
  double clock_ratio(const NodeCpu& cpu, Nanoseconds level) const;
  /// Of a core of that node, in GHz; 0 where it is not known how many cycles a step takes there.
  double clock_ghz(const std::string& node, Nanoseconds chain) const;
  /// On the session's own node.
  int cycles_per_step() const { return node({}).cycles_per_step; }
  /// The named nodes of which there are levels, and what holds for them.
  std::vector<NodeCores> named_nodes() const;
  /// Changes whenever a level that is used changes by more than 1 %: what was judged before may be judged otherwise.
  std::int64_t version() const;

 private:
  struct Core {
    LevelCounts costs;             ///< wide over chain
    LevelCounts steps;             ///< of all chains, whatever else ran
    double usual_chain = 0;        ///< ns, which most of them took; 0: not known yet
    std::int64_t next_steps = 20;  ///< readings at the next look at that
    LevelCounts chains;            ///< while it was alone by the level then
    CallLevel calls;               ///< likewise
    std::optional<CoreLevel> earlier;
    CoreLevel used;
    std::int64_t next_look = 20;  ///< readings
  };
  void learn(const NodeCpu& cpu, Core& core);
  AloneBecause why(const std::string& node, const Core& core, double alone) const;
  NodeCores node(const std::string& name) const;

  std::map<std::string, NodeCores> nodes_;
  std::map<std::string, ClockLevels> clocks_;  ///< by node
  std::map<NodeCpu, Core> cores_;
  std::map<CorePair, NearDistances> distances_;
  std::int64_t version_ = 0;
};

}  // namespace assay
