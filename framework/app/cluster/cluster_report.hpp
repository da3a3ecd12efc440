// SPDX-License-Identifier: Apache-2.0
// One journal out of those that the nodes of a cluster and the launches between them left.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/link_points.hpp"
#include "record/cluster/screened_unit.hpp"

namespace assay {

/// What the latest session among a node's own records learned of its cores, under the node's name; nothing where it
/// read none.
std::optional<CoresRecord> cores_of_campaign(const std::string& node, const std::vector<Record>& records);

/// The same of the batches of its member in launches. CPUs of different nodes have equal numbers, so that what a launch
/// says of all its ranks together belongs to none of them. `campaign`: what the node's own campaign knew.
std::optional<CoresRecord> cores_of_launches(const std::string& node, const std::vector<LinkLaunch>& launches,
                                             const std::optional<CoresRecord>& campaign);

/// What a node's own campaign left.
struct NodeResults {
  std::string node;
  std::vector<Record> records;
  std::string problem;  ///< why it left nothing, or not all; empty where it came to its end
};

/// Everything that a report is made of.
struct ClusterResults {
  std::vector<NodeResults> nodes;
  std::vector<LinkLaunch> launches;
  std::vector<std::string> screenings = {};  ///< how screenings of links went: then these are not reported one by one
  std::vector<cluster::ScreenedUnit> screened = {};  ///< what they found
};

/// The records of the report, in the order of a journal: the campaign, `session`, the series, the points of the nodes
/// each with a factor `node` before its own, the links (see link_points), the facts of each node, what was read of its
/// cores, a note on each node that came to no end, and the end. Of a point that a node measured several times the
/// latest counts. A node that left nothing has failed at every point that others finished, for its reason. What the
/// nodes measured by another rule or another version of a measurement is noted.
std::vector<Record> cluster_report(const CampaignPlan& plan, const SessionRecord& session,
                                   const ClusterResults& results);

}  // namespace assay
