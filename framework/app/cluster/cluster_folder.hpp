// SPDX-License-Identifier: Apache-2.0
// The directory of a cluster's results, where each node and each launch has its own campaign, and one journal out of
// all of them.
#pragma once
#include <filesystem>
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

/// DIR/nodes/NAME is a node's campaign, DIR/links/K the K-th launch between nodes, DIR/journal.jsonl the report of all.
class ClusterFolder {
 public:
  explicit ClusterFolder(const std::string& path) : path_(path) {}

  /// Whether the directory is one of a cluster.
  bool exists() const;
  /// Creates what there is not yet, and forgets turns of an earlier start. Throws StorageError.
  void prepare() const;

  std::string node(const std::string& name) const { return (path_ / "nodes" / name).string(); }
  std::string launch(int number) const { return (path_ / "links" / std::to_string(number)).string(); }
  /// The launch of a phase of the screening of the K-th series of links, and the pairs that it tests.
  std::string screening(std::size_t series, std::size_t phase) const {
    return (path_ / "links" / ("screening-" + std::to_string(series) + '-' + std::to_string(phase))).string();
  }
  std::string pairs(std::size_t series, std::size_t phase) const { return screening(series, phase) + ".pairs"; }
  /// The nodes that launches of the screening of a series lost, so far.
  std::vector<std::string> lost(std::size_t series) const;
  /// Keeps that further ones were lost, with what the launch left of the phase that is repeated. Throws StorageError.
  void note_lost(std::size_t series, std::size_t phase, const std::vector<std::string>& names) const;
  /// A node's word that it took part, though it may have nothing to measure, with its rank in the launch.
  void note_presence(const std::string& name, int rank = 0) const;
  /// Why a node's campaign could not be measured; an empty text: it could. Throws StorageError.
  void note_problem(const std::string& name, const std::string& text) const;
  /// Where nodes that measure one at a time hand each other the token.
  std::string turns() const { return (path_ / "nodes" / ".turns").string(); }

  /// The nodes that took part, by name.
  std::vector<std::string> names() const;
  /// The same in the order of their ranks.
  std::vector<std::string> names_by_rank() const;
  /// Whether a launch was measured to its end.
  bool has_launch(int number) const { return has_launch(launch(number)); }
  bool has_launch(const std::string& folder) const;
  /// What a launch left; nothing where there is no journal.
  std::optional<LinkLaunch> launch_in(const std::string& folder) const;
  /// All that there is. What cannot be read is the problem of its node; a launch that cannot is left out.
  ClusterResults results(int launches) const;

 private:
  NodeResults results_of(const std::string& name) const;
  std::filesystem::path path_;
};

/// Throws ConfigError, positioned at `command`, where a directory is one of a cluster, with which only `assay cluster`
/// goes on.
void refuse_cluster(const std::string& command, const std::string& directory);

/// Names of the nodes of a launch by rank, as its session names them; each once.
inline constexpr const char* nodes_fact = "mpi.nodes";

}  // namespace assay
