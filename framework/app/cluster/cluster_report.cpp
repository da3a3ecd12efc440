// SPDX-License-Identifier: Apache-2.0
// Gathering what nodes found.
#include "app/cluster/cluster_folder.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "record/cluster/node_causes.hpp"
#include "run/series/identity.hpp"

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

namespace {

Point on_node(const std::string& node, const Point& point) {
  Point whole;
  whole.set("node", node);
  for (const auto& [factor, level] : point.levels()) whole.set(factor, level);
  return whole;
}

/// The latest record of each finished point of a series, in the order of the first ones.
std::vector<PointRecord> latest(const std::vector<Record>& records, const std::string& series) {
  std::vector<PointRecord> points;
  std::map<std::string, std::size_t> places;
  for (const Record& record : records) {
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr || point->series != series || point->unfinished) continue;
    const auto [place, is_new] = places.try_emplace(to_text(point->point), points.size());
    if (is_new)
      points.push_back(*point);
    else
      points[place->second] = *point;
  }
  return points;
}

const SeriesRecord* find_series(const std::vector<Record>& records, const std::string& name) {
  const SeriesRecord* found = nullptr;
  for (const Record& record : records)
    if (const auto* series = std::get_if<SeriesRecord>(&record); series != nullptr && series->series == name)
      found = series;
  return found;
}

/// Why a campaign did not end in order; empty where it did.
std::string early_end(const std::vector<Record>& records) {
  const EndRecord* end = nullptr;
  for (const Record& record : records) {
    if (std::holds_alternative<SessionRecord>(record)) end = nullptr;
    if (const auto* one = std::get_if<EndRecord>(&record)) end = one;
  }
  if (end == nullptr) return "its campaign did not come to an end";
  return end->reason == "complete" ? "" : "its campaign ended early: " + end->reason;
}

class Report {
 public:
  Report(const CampaignPlan& plan, const ClusterResults& results) : plan_(plan), results_(results) {}

  std::vector<Record> records(const SessionRecord& session) {
    records_.emplace_back(CampaignRecord{plan_.title, plan_.configuration, plan_.seed, to_text(plan_.schedule),
                                         id_of(meaning_of(plan_))});
    records_.emplace_back(session);
    for (const SeriesPlan& series : plan_.series)
      if (series.measurement.name != link_measurement)
        add_nodes(series);
      else if (results_.screenings.empty())
        add_links(series);
      else
        add_screened(series.name);
    add_facts();
    add_cores();
    add_notes();
    add_end(session.session);
    return std::move(records_);
  }

 private:
  void add_nodes(const SeriesPlan& series) {
    const SeriesRecord* first = nullptr;
    for (const NodeResults& node : results_.nodes) {
      const SeriesRecord* own = find_series(node.records, series.name);
      if (own == nullptr) continue;
      if (first == nullptr) records_.emplace_back(*(first = own));
      if (own->rule != first->rule || own->version != first->version || own->measurement != first->measurement)
        notes_["series " + series.name + " was measured otherwise than on the first node: by " + own->measurement +
               " " + own->version + " until " + own->rule]
            .push_back(node.node);
    }
    std::vector<Point> known;
    for (const NodeResults& node : results_.nodes)
      for (PointRecord& point : latest(node.records, series.name)) {
        if (std::ranges::find(known, point.point) == known.end()) known.push_back(point.point);
        add_point(node.node, std::move(point));
      }
    for (const NodeResults& node : results_.nodes)
      if (find_series(node.records, series.name) == nullptr) add_lack(node, series, known);
  }

  void add_point(const std::string& node, PointRecord point) {
    point.point = on_node(node, point.point);
    point.id.clear();  // of a point without a node
    for (CoreLevel& level : point.cores) level.node = node;
    count(point);
    records_.emplace_back(std::move(point));
  }

  void add_lack(const NodeResults& node, const SeriesPlan& series, const std::vector<Point>& known) {
    for (const Point& point : known) {
      PointRecord record;
      record.series = series.name;
      record.measurement = series.measurement.name;
      record.point = point;
      record.outcome = Outcome::failed;
      record.reason = node.problem.empty() ? "the node left no results" : node.problem;
      add_point(node.node, std::move(record));
    }
  }

  void add_links(const SeriesPlan& series) {
    auto points = link_points(series, results_.launches);
    if (points.empty()) return;
    for (const LinkLaunch& launch : results_.launches)
      if (const SeriesRecord* record = find_series(launch.records, series.name)) {
        records_.emplace_back(*record);
        break;
      }
    for (PointRecord& point : points) {
      count(point);
      records_.emplace_back(std::move(point));
    }
  }

  /// A row for each unit that is not well: all others are, as far as the screening sees.
  void add_screened(const std::string& series) {
    for (const LinkLaunch& launch : results_.launches)
      if (const SeriesRecord* record = find_series(launch.records, series)) {
        records_.emplace_back(*record);
        break;
      }
    for (const cluster::ScreenedUnit& unit : results_.screened)
      if (unit.series == series) records_.emplace_back(cluster::record_of(unit));
  }

  void count(const PointRecord& point) {
    ++points_;
    without_result_ += point.outcome == Outcome::failed || point.outcome == Outcome::timeout ? 1 : 0;
  }

  /// Every node, with facts of its latest session where it measured something.
  void add_facts() {
    for (const NodeResults& node : results_.nodes) {
      NodeRecord record{node.node, {}};
      for (const Record& one : node.records)
        if (const auto* session = std::get_if<SessionRecord>(&one))
          record.facts = cluster::comparable_facts(session->facts);
      records_.emplace_back(std::move(record));
    }
  }

  /// By which causes are named.
  void add_cores() {
    for (const NodeResults& node : results_.nodes) {
      const auto campaign = cores_of_campaign(node.node, node.records);
      if (campaign) records_.emplace_back(*campaign);
      if (auto launches = cores_of_launches(node.node, results_.launches, campaign))
        records_.emplace_back(std::move(*launches));
    }
  }

  /// One note for all nodes that have the same to say.
  void add_notes() {
    for (const std::string& text : results_.screenings) records_.emplace_back(NoteRecord{text});
    for (const NodeResults& node : results_.nodes) {
      const std::string problem =
          !node.problem.empty() || node.records.empty() ? node.problem : early_end(node.records);
      if (!problem.empty()) notes_[problem].push_back(node.node);
    }
    for (const auto& [text, nodes] : notes_) {
      std::string names;
      for (const std::string& node : nodes) names += (names.empty() ? "" : ", ") + node;
      records_.emplace_back(NoteRecord{names + ": " + text});
    }
  }

  void add_end(int session) {
    EndRecord end{session, "complete", points_, without_result_, {}};
    const bool measures_nodes = std::ranges::any_of(
        plan_.series, [](const SeriesPlan& series) { return series.measurement.name != link_measurement; });
    for (const NodeResults& node : results_.nodes)
      if (!node.problem.empty() || (measures_nodes && !early_end(node.records).empty()))
        end.reason = "nodes are missing";
    records_.emplace_back(end);
  }

  const CampaignPlan& plan_;
  const ClusterResults& results_;
  std::vector<Record> records_;
  std::map<std::string, std::vector<std::string>> notes_;  ///< nodes by what there is to say of them
  int points_ = 0;
  int without_result_ = 0;
};

}  // namespace

std::vector<Record> cluster_report(const CampaignPlan& plan, const SessionRecord& session,
                                   const ClusterResults& results) {
  return Report(plan, results).records(session);
}

}  // namespace assay
