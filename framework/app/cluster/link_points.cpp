// SPDX-License-Identifier: Apache-2.0
// Batches of a round taken apart into batches of two members.
#include "app/cluster/link_points.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/tournament.hpp"
#include "run/point/open_point.hpp"

namespace assay {
namespace {

/// The two nodes of a link, as they stand in the list of all.
using Pair = std::pair<std::size_t, std::size_t>;

/// What a point of two nodes is in the place of one of many members.
SeriesPlan series_of_pairs(SeriesPlan series) {
  series.measurement.members = exactly(2);
  for (Quantity& quantity : series.measurement.quantities) {
    quantity.combine = Combine::only;
    quantity.claimant = 0;
  }
  series.derived.clear();
  return series;
}

std::size_t round_of(const Point& point) {
  const auto* round = std::get_if<std::int64_t>(&point.level("round"));
  return round == nullptr || *round < 0 ? 0 : static_cast<std::size_t>(*round);
}

std::vector<Match> matches_at(const Point& point, std::size_t nodes) {
  const bool is_alone = point.find("meeting") != nullptr && point.text("meeting") == "alone";
  const auto rounds = tournament(nodes, is_alone ? Meeting::one_by_one : Meeting::together);
  const std::size_t round = round_of(point);
  return round < rounds.size() ? rounds[round] : std::vector<Match>{};
}

/// Rank 0 knew whether members give their CPUs up. Records of before it was kept show it: only then switches passed.
bool shared_cpus(const JudgedBatch& judged) {
  const auto switched = [](const MemberReport& report) { return report.voluntary + report.involuntary > 0; };
  if (judged.batch.shares_cpus) return true;
  return std::ranges::any_of(judged.batch.members, switched) &&
         !judged.judgement.disturbed.test(static_cast<std::size_t>(Disturbance::switched));
}

/// The batch as two of its members saw it.
Batch part_of(const JudgedBatch& judged, const Match& match) {
  const Batch& batch = judged.batch;
  if (match.second >= batch.members.size()) return {batch.reps, {}};
  return {batch.reps, {batch.members[match.first], batch.members[match.second]}, shared_cpus(judged)};
}

/// The visit as two of its members saw it. Each is the only one on its node, whatever the journal names.
VisitYield part_of(const VisitRecord& visit, const Match& match, const std::vector<std::string>& nodes) {
  VisitYield yield;
  yield.discarded = visit.discarded;
  for (const JudgedBatch& judged : visit.batches) yield.batches.push_back(part_of(judged, match));
  if (match.second < visit.apart.size()) yield.apart = {visit.apart[match.first], visit.apart[match.second]};
  yield.nodes = {nodes[match.first], nodes[match.second]};
  return yield;
}

/// The launches' estimates for the cores. What is of no node in particular is not assigned to one here.
CoreLevels levels_by_node(const std::vector<LinkLaunch>& launches) {
  CoreLevels levels;
  for (const LinkLaunch& launch : launches)
    for (const Record& record : launch.records) {
      const auto* cores = std::get_if<CoresRecord>(&record);
      if (cores == nullptr) continue;
      for (const NodeCores& node : cores->nodes) levels.know(node);
      for (const CoreLevel& level : cores->levels)
        if (!level.node.empty()) levels.confirm(level);
    }
  return levels;
}

/// Links while the launches are read.
class Links {
 public:
  Links(const SeriesPlan& series, const std::vector<LinkLaunch>& launches)
      : series_(series_of_pairs(series)),
        rule_(make_rule(series.precision.rule)),
        launches_(launches),
        levels_(levels_by_node(launches)) {
    for (const LinkLaunch& launch : launches)
      for (const std::string& node : launch.nodes) number_of(node);
    for (std::size_t i = 0; i < launches.size(); ++i) take(launches[i], static_cast<int>(i));
  }

  std::vector<PointRecord> finished() const {
    std::vector<PointRecord> points;
    for (const auto& [key, missing] : missing_)
      if (!open_.contains(key)) points.push_back(missing);
    for (const auto& [key, link] : open_)
      points.push_back(link->finish(link->stopped(Outcome::max_timings, "all launches ended")));
    return points;
  }

 private:
  using Key = std::pair<std::string, Pair>;  ///< the other levels, as text

  std::size_t number_of(const std::string& node) {
    const auto found = std::ranges::find(nodes_, node);
    if (found != nodes_.end()) return static_cast<std::size_t>(found - nodes_.begin());
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }

  /// The lower number first, whatever the order of a launch.
  Pair pair_of(const LinkLaunch& launch, const Match& match) {
    const Pair pair{number_of(launch.nodes[match.first]), number_of(launch.nodes[match.second])};
    return pair.first < pair.second ? pair : Pair{pair.second, pair.first};
  }

  Point point_of(const Point& round, const Pair& pair) const {
    Point point;
    point.set("node", nodes_[pair.first]);
    point.set("peer", nodes_[pair.second]);
    for (const auto& [factor, level] : round.levels())
      if (factor != "round" && factor != "members" && factor != "placement") point.set(factor, level);
    return point;
  }

  void take(const LinkLaunch& launch, int incarnation) {
    Nanoseconds end = begun_;
    for (const Record& record : launch.records) {
      if (const auto* visit = std::get_if<VisitRecord>(&record); visit != nullptr && visit->series == series_.name) {
        take(launch, *visit, incarnation);
        end = std::max(end, begun_ + visit->at + visit->took);
      }
      if (const auto* point = std::get_if<PointRecord>(&record); point != nullptr && point->series == series_.name)
        note_missing(launch, *point);
    }
    begun_ = end;
  }

  void take(const LinkLaunch& launch, const VisitRecord& visit, int incarnation) {
    for (const Match& match : matches_at(visit.point, launch.nodes.size())) {
      const VisitYield yield = part_of(visit, match, launch.nodes);
      if (!yield.batches.empty())
        link_at(visit, pair_of(launch, match)).add(yield, {0, incarnation, visits_, begun_ + visit.at, visit.took, {}});
    }
    ++visits_;
  }

  OpenPoint& link_at(const VisitRecord& visit, const Pair& pair) {
    const Point point = point_of(visit.point, pair);
    auto& link = open_[{to_text(point.without("node").without("peer")), pair}];
    if (!link) {
      link = std::make_unique<OpenPoint>(series_, 0, point, *rule_, static_cast<int>(launches_.size()));
      link->judge_by(levels_);
      if (!visit.batches.empty()) link->calibrated({visit.batches.front().batch.reps, {}, {}, {}});
    }
    return *link;
  }

  void note_missing(const LinkLaunch& launch, const PointRecord& round) {
    if (!round.results.empty()) return;
    for (const Match& match : matches_at(round.point, launch.nodes.size())) {
      const Pair pair = pair_of(launch, match);
      const Point point = point_of(round.point, pair);
      missing_.try_emplace({to_text(point.without("node").without("peer")), pair},
                           finish_without(series_, point, round.outcome, round.reason, round.code));
    }
  }

  SeriesPlan series_;
  std::unique_ptr<StoppingRule> rule_;
  const std::vector<LinkLaunch>& launches_;
  CoreLevels levels_;
  std::vector<std::string> nodes_;
  std::map<Key, std::unique_ptr<OpenPoint>> open_;
  std::map<Key, PointRecord> missing_;
  Nanoseconds begun_{};  ///< end of the launches before
  int visits_ = 0;
};

}  // namespace

std::vector<PointRecord> link_points(const SeriesPlan& series, const std::vector<LinkLaunch>& launches) {
  return Links(series, launches).finished();
}

}  // namespace assay
