// SPDX-License-Identifier: Apache-2.0
// Room: the machine as a tree of packages, caches, cores and CPUs.
// The machine's CPUs and how they are related: this machine, a synthetic one, or one from a file. No hwloc type leaves
// these files.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/topology/machine_tree.hpp"

namespace assay {

/// How two CPUs are related: the nearest of "same-pu", "smt" (one core), "same-l2", "same-l3", "same-numa",
/// "same-package" whose hardware object they share, else "cross-package". A memory node counts for "same-numa" only
/// where a package has several. A machine that shows no packages counts as one.
using Relation = std::string;

/// A cache by its level: "L1".
struct Cache {
  std::string name;
  std::size_t bytes = 0;
};

/// A machine's CPUs. Copyable handle; immutable.
class Topology {
 public:
  /// This machine, cut to the CPUs that the cgroup allows and the inherited affinity mask permits. Throws
  /// PlatformError, also when an environment variable of hwloc puts another machine in this one's place.
  static Topology this_machine();
  /// A machine described by an hwloc synthetic string, e.g. "pack:2 l3:8 core:8 pu:2". Throws ConfigError for a bad
  /// string.
  static Topology synthetic(const std::string& description);
  /// A machine exported by hwloc or `assay` as XML. Throws ConfigError when the file cannot be read as such.
  static Topology from_xml(const std::string& file);

  /// Operating-system indexes of the usable CPUs, ascending. Never empty for this_machine().
  const std::vector<int>& usable() const;
  /// The usable CPUs in the order of the hardware tree: the CPUs of each core, cache, node and package are neighbours.
  const std::vector<int>& by_nearness() const;
  /// Why not all CPUs are usable: "1 of 2 CPUs usable: the inherited affinity mask leaves out 1". Empty when all are.
  const std::string& restriction() const;
  /// "usable are 0-3,8 (1 of 9 CPUs ...)".
  std::string usable_text() const;
  /// CPUs of the whole machine, for saying that only some are usable.
  int total() const;
  /// The relation of two usable CPUs. Throws std::out_of_range for others.
  Relation relation(int a, int b) const;
  /// All relations in order from near to far, whether or not the machine has them.
  static const std::vector<Relation>& relations();
  /// The usable part as a labelled tree, for enumerating placements: TreePaths::relation() is relation(). Built anew by
  /// each call.
  MachineTree tree() const;
  /// The data and unified caches of the first usable CPU, from near to far: "L1", "L2", "L3". None where the machine
  /// does not show them.
  std::vector<Cache> caches() const;
  /// One line for people: "1 package, 1 L3, 2 cores, 2 PUs; 2 usable".
  std::string summary() const;
  /// hwloc's XML export, for provenance; without serial numbers and other identities of the hardware.
  std::string xml() const;

 private:
  struct Machine;
  explicit Topology(std::shared_ptr<const Machine> machine) : machine_(std::move(machine)) {}
  std::shared_ptr<const Machine> machine_;
};

}  // namespace assay
