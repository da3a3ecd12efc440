// SPDX-License-Identifier: Apache-2.0
// The switches between the nodes of a cluster, from Slurm's description of them or from host names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "stats/screening/fabric.hpp"

namespace assay {

/// A fabric with the names of its parts, by number.
struct NamedFabric {
  Fabric fabric{0};
  std::vector<std::string> nodes;
  std::vector<std::string> leaves;
  std::vector<std::string> groups;
};

/// "node n3", "switch leaf1 (n0, n1, n2, n3)", "link n0 - n7" and so on.
std::string name_of(const NamedFabric& fabric, const FabricUnit& unit);

/// The names that a host list of Slurm stands for: "n[0-2,07],login" is n0, n1, n2, n07, login. Throws
/// std::invalid_argument that says what is wrong.
std::vector<std::string> hosts_in(std::string_view list);

/// The fabric between these nodes by the text of a topology.conf: lines "SwitchName=s0 Nodes=n[0-31]" are leaf
/// switches, "SwitchName=top Switches=s[0-3]" what connects them; groups are what the highest switch with more than one
/// below it connects. Other keys, comments and lines are left alone. Throws ConfigError with file and line for a list
/// that cannot be read and a switch that is not there, and for nodes that are under no switch, or under two.
NamedFabric fabric_from_text(const std::string& file, std::string_view text, const std::vector<std::string>& nodes);

/// By host names: those that differ in their last number only are under one switch, and those that differ in their last
/// two are of one group, as r1c2n3 and r1c2n4. Names without a second number make one switch.
NamedFabric fabric_from_names(const std::vector<std::string>& nodes);

/// Of which nothing is known but the nodes.
NamedFabric unknown_fabric(const std::vector<std::string>& nodes);

}  // namespace assay
