// SPDX-License-Identifier: Apache-2.0
// Readings of one member over several launches.
#include "app/cluster/node_cores.hpp"

#include <algorithm>

namespace assay {
namespace {

/// Calls for each report of the node's member.
void for_each_report(const std::string& node, const LinkLaunch& launch, const auto& call) {
  const auto found = std::ranges::find(launch.nodes, node);
  if (found == launch.nodes.end()) return;
  const auto rank = static_cast<std::size_t>(found - launch.nodes.begin());
  for (const Record& record : launch.records)
    if (const auto* visit = std::get_if<VisitRecord>(&record))
      for (const JudgedBatch& judged : visit->batches)
        if (rank < judged.batch.members.size()) call(judged.batch.members[rank]);
}

const CoresRecord* latest_cores(const std::vector<Record>& records) {
  const CoresRecord* found = nullptr;
  for (const Record& record : records)
    if (const auto* cores = std::get_if<CoresRecord>(&record)) found = cores;
  return found;
}

int cycles_per_step(const std::vector<LinkLaunch>& launches, const std::optional<CoresRecord>& campaign) {
  if (campaign && campaign->cycles_per_step > 0) return campaign->cycles_per_step;
  for (const LinkLaunch& launch : launches)
    if (const CoresRecord* cores = latest_cores(launch.records)) return cores->cycles_per_step;
  return 0;
}

/// Time in batches by what their readings said.
struct ToldTime {
  double all = 0;
  double alone = 0;
  double shared = 0;
  void add(const MemberReport& report, const CoreLevels& levels) {
    const Sharing before = levels.judge(report.cpu_before, report.core_before);
    const Sharing after = levels.judge(report.cpu_after, report.core_after);
    if (before == Sharing::unknown || after == Sharing::unknown) return;
    all += report.wall.count;
    alone += before == Sharing::alone && after == Sharing::alone ? report.wall.count : 0;
    shared += before == Sharing::shared && after == Sharing::shared ? report.wall.count : 0;
  }
};

}  // namespace

std::optional<CoresRecord> cores_of_campaign(const std::string& node, const std::vector<Record>& records) {
  const CoresRecord* cores = latest_cores(records);
  if (cores == nullptr) return std::nullopt;
  CoresRecord named = *cores;
  named.session = 0;  // of the report
  named.node = node;
  return named;
}

std::optional<CoresRecord> cores_of_launches(const std::string& node, const std::vector<LinkLaunch>& launches,
                                             const std::optional<CoresRecord>& campaign) {
  CoreLevels levels(cycles_per_step(launches, campaign));
  if (campaign)
    for (const CoreLevel& level : campaign->levels) levels.confirm(level);
  bool is_read = false;
  for (const LinkLaunch& launch : launches)
    for_each_report(node, launch, [&](const MemberReport& report) {
      is_read = is_read || report.core_before.taken();
      levels.add(report.cpu_before, report.core_before);
      levels.add(report.cpu_after, report.core_after);
    });
  if (!is_read) return std::nullopt;
  ToldTime told;
  for (const LinkLaunch& launch : launches)
    for_each_report(node, launch, [&](const MemberReport& report) { told.add(report, levels); });
  CoresRecord cores;
  cores.cycles_per_step = levels.cycles_per_step();
  cores.levels = levels.levels();
  if (told.all > 0) {
    cores.alone = told.alone / told.all;
    cores.shared = told.shared / told.all;
  }
  cores.node = node;
  cores.by_ranks = true;
  return cores;
}

}  // namespace assay
