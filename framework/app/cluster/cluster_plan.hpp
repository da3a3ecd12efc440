// SPDX-License-Identifier: Apache-2.0
// Room: campaigns over many nodes.
// A campaign file dealt to the nodes of a cluster and to the launches between them.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "run/plan.hpp"

namespace assay {

/// Which series are whose.
struct ClusterPlan {
  std::vector<std::string> node_series;  ///< measured on each node by itself
  std::vector<std::string> link_series;  ///< rounds of a tournament between the nodes
  std::vector<bool> alone;               ///< by link series: whether some pairs have rounds to themselves
};

/// Deals the series. Throws ConfigError for those whose members are ranks and which are no links.
ClusterPlan cluster_plan(const CampaignPlan& plan);

/// Arguments of `assay run` that measure the links of so many nodes: --series and --set of members, rounds and
/// placement. At least two nodes.
std::vector<std::string> link_arguments(const ClusterPlan& plan, std::size_t nodes);

/// The same for a launch of a screening: one series, whose rounds are the lines of the file `pairs`.
std::vector<std::string> screening_arguments(const std::string& series, std::size_t nodes, std::size_t rounds,
                                             const std::string& pairs);

}  // namespace assay
