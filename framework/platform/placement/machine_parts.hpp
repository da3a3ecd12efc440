// SPDX-License-Identifier: Apache-2.0
// The parts of a machine that have memory of their own, memory nodes and packages, as places for all members of a team.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/placement/placement.hpp"
#include "platform/topology/topology.hpp"

namespace assay {

/// What a machine is divided into: "numa", memory nodes with the CPUs to which each is the nearest, or "package".
enum class PartKind : std::uint8_t { numa, package };

/// One part with its usable CPUs, a list for each core, in the order of the hardware.
struct MachinePart {
  std::string name;  ///< "numa1", by the operating system's number, or "package0", by order
  std::vector<std::vector<int>> cores;
  std::size_t cpus() const;
};

/// The parts that have usable CPUs. A machine that shows no memory nodes is one, "numa0".
std::vector<MachinePart> machine_parts(const Topology& topology, PartKind kind);

/// "each-numa" or "each-package", a placement in each part; nothing for another word.
std::optional<PartKind> part_kind(std::string_view word);

/// All members in the part of that name: each on a core of its own while there are enough, then on further CPUs of
/// them; the core of CPU 0, which serves most interrupts, comes last. Refused for more members than the part has CPUs.
PlacementChoice place_in_part(const Topology& topology, std::string_view name, int members);

/// Usable cores of the whole machine.
std::size_t usable_cores(const Topology& topology);

}  // namespace assay
