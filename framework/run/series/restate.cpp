// SPDX-License-Identifier: Apache-2.0
// The campaign's own way to finish a point, fed from a journal.
#include "run/series/restate.hpp"

#include <algorithm>
#include <utility>

#include "record/core_cycles.hpp"
#include "record/journal/journal.hpp"
#include "run/point/open_point.hpp"
#include "stats/rule/rule_text.hpp"

namespace assay {
namespace {

/// The readings of before have no clock: a codec's mark.
bool has_no_clock(const CoreReading& reading) { return reading.taken() && reading.chain == no_clock; }

const MemberReport* first_member(const VisitRecord& visit) {
  if (visit.batches.empty() || visit.batches.front().batch.members.empty()) return nullptr;
  return &visit.batches.front().batch.members.front();
}

/// A series with what is needed of its plan. How members were executed is no matter here.
SeriesPlan plan_of(const SeriesRecord& series, const PointRecord& point) {
  SeriesPlan plan;
  plan.name = series.series;
  plan.measurement.name = series.measurement;
  plan.measurement.quantities = series.quantities;
  plan.measurement.traits.events_per_rep = point.events_per_rep;
  plan.measurement.traits.simulated = point.simulated;
  plan.measurement.core_cycles = CoreCycles::always;  // what it says is not known; there is no clock to compute them by
  plan.precision.rule = parse_rule(series.rule, {});
  return plan;
}

}  // namespace

bool Restater::is_of_before(const Record& record) {
  const auto* visit = std::get_if<VisitRecord>(&record);
  const MemberReport* member = visit != nullptr ? first_member(*visit) : nullptr;
  return member != nullptr && has_no_clock(member->core_before);
}

/// Only first members have readings, and these are in rank 0.
void Restater::follow(const Record& record) {
  const auto* launch = std::get_if<LaunchRecord>(&record);
  if (launch == nullptr) return;
  const auto is_elsewhere = [&](const LaunchedRank& rank) { return rank.node != launch->ranks.front().node; };
  node_ = std::ranges::any_of(launch->ranks, is_elsewhere) ? launch->ranks.front().node : std::string();
}

void Restater::learn(const Record& record) {
  follow(record);
  const auto* visit = std::get_if<VisitRecord>(&record);
  const MemberReport* member = visit != nullptr ? first_member(*visit) : nullptr;
  if (member == nullptr) return;
  levels_.add({node_, member->cpu_before}, member->core_before);
  levels_.add({node_, member->cpu_before}, member->core_after);
}

void Restater::restate(Record& record) {
  follow(record);
  if (const auto* series = std::get_if<SeriesRecord>(&record)) series_[series->series] = *series;
  if (const auto* visit = std::get_if<VisitRecord>(&record)) {
    VisitRecord& kept = visits_[about(visit->series, visit->point)].emplace_back(*visit);
    if (!node_.empty()) kept.nodes = {node_};
  }
  if (auto* point = std::get_if<PointRecord>(&record)) restate(*point);
}

void Restater::restate(PointRecord& record) {
  const auto found = visits_.find(about(record.series, record.point));
  const auto series = series_.find(record.series);
  if (found == visits_.end() || series == series_.end()) return;
  if (!record.results.empty()) {
    const SeriesPlan plan = plan_of(series->second, record);
    const auto rule = make_rule(plan.precision.rule);
    OpenPoint point(plan, 0, Point{}, *rule, 1);
    point.judge_by(levels_);
    for (const VisitRecord& visit : found->second) point.restore(visit, {});
    PointRecord again = point.finish(record.outcome, to_text(record.outcome));
    if (!again.results.empty() && again.results.front().state != CoreState{}) {
      record.outcome = again.results.front().verdict.outcome;
      record.reason = again.results.front().verdict.reason;
      record.results = std::move(again.results);
      record.others = std::move(again.others);
      record.cores = std::move(again.cores);
    }
  }
  if (!record.unfinished) visits_.erase(found);
}

}  // namespace assay
