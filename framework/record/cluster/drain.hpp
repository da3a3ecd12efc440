// SPDX-License-Identifier: Apache-2.0
// Which nodes a scheduler is to give no further jobs, and the words for Slurm.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record/cluster/cluster_verdict.hpp"

namespace assay::cluster {

/// Most bytes of a reason. Slurm's own daemons take any text, its accounting keeps 255 bytes (`tinytext`) of it.
inline constexpr std::size_t longest_reason = 200;
/// How every reason begins: by this a node that another program or a person drained is recognized.
inline constexpr std::string_view reason_prefix = "assay: ";

/// A node to be drained.
struct Drain {
  std::string node;
  std::string reason;
  friend bool operator==(const Drain&, const Drain&) = default;
};

/// What to do about a cluster.
struct DrainPlan {
  std::vector<Drain> nodes;         ///< slow or lacking; never those that are unclear
  std::vector<std::string> spared;  ///< what deviates or is unclear and yet drains nothing, with the reason
  std::size_t compared = 0;         ///< nodes of the report
};

/// Nodes that are slow or lack results are drained. Links, switches and groups drain no node: which of the two ends of
/// a link is at fault is not known. Nodes that are unclear are not drained; neither is one whose name is none of
/// Slurm's.
DrainPlan drain_plan(const Verdicts& verdicts);

/// What stands in Slurm's field: "assay: slow in lock, 1.3 times the others; its clock is 2.1 GHz, the others 2.9 GHz".
/// Letters, digits and `.,:;()[]+-/_%` only, so that no shell and no parser of Slurm's finds anything to interpret, and
/// at most longest_reason bytes, cut between words.
std::string drain_reason(const NodeVerdict& verdict);

/// The name that Slurm has for a host: without its domain. Empty where it can be none: other characters than letters,
/// digits, `_`, `-`, or a word that Slurm takes for all nodes.
std::string slurm_name(std::string_view host);

/// The arguments of `scontrol` that drain a node.
std::vector<std::string> drain_arguments(const Drain& drain);
/// The same as a line for a shell: scontrol update NodeName=n2 State=DRAIN Reason="...".
std::string drain_line(const Drain& drain);
/// The line that takes all of them back.
std::string resume_line(const std::vector<Drain>& drains);

/// What `scontrol --oneliner show node NAME` says of a node.
struct SlurmNode {
  bool is_drained = false;
  std::string reason;  ///< empty where there is none
};
SlurmNode parse_slurm_node(std::string_view text);

}  // namespace assay::cluster
