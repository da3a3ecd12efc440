// SPDX-License-Identifier: Apache-2.0
// Sorting an interrupted journal into what stands, what goes on and what begins anew.
#include "run/continuation.hpp"

#include <algorithm>
#include <utility>

#include "run/identity.hpp"
#include "stats/rule_text.hpp"

namespace assay {
namespace {

const SeriesPlan* series_named(const CampaignPlan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.series, name, &SeriesPlan::name);
  return found == plan.series.end() ? nullptr : &*found;
}

/// True when two rules, the first as a journal has it, ask for the same, whatever it may cost.
bool is_same_rule(const std::string& then, const SeriesPlan& now) {
  try {
    return unlimited(parse_rule(then, {})) == unlimited(parse_rule(make_rule(now.precision.rule)->text(), {}));
  } catch (const RuleTextError&) {
    return false;
  }
}

bool has_failed(Outcome outcome) { return outcome == Outcome::failed || outcome == Outcome::timeout; }

}  // namespace

void Continuation::add(const Record& record, const History& history) {
  if (const auto* session = std::get_if<SessionRecord>(&record)) begin_session(*session, history);
  if (const auto* series = std::get_if<SeriesRecord>(&record)) add_series(*series);
  if (const auto* begin = std::get_if<BeginRecord>(&record)) add_begin(*begin);
  if (const auto* incarnation = std::get_if<IncarnationRecord>(&record)) add_incarnation(*incarnation, history);
  if (const auto* point = std::get_if<PointRecord>(&record)) add_point(*point, history);
}

void Continuation::begin_session(const SessionRecord& record, const History& history) {
  if (record.continues) return;
  finished_.clear();
  first_visit_ = history.next_visit();
}

void Continuation::add_series(const SeriesRecord& record) {
  const SeriesPlan* series = series_named(*plan_, record.series);
  before_[record.series] = {record.version, series != nullptr && is_same_rule(record.rule, *series)};
}

void Continuation::add_begin(const BeginRecord& record) {
  const std::string key = about(record.series, record.point);
  const auto old = is_old_.find(key);
  if (old != is_old_.end() && old->second) from_[key] = record.visit + 1;
}

void Continuation::add_incarnation(const IncarnationRecord& record, const History& history) {
  const std::string key = about(record.series, record.point);
  const bool is_old = !is_current(record.series, record.point, record.id);
  is_old_[key] = is_old;
  if (is_old) from_[key] = history.next_visit();
}

void Continuation::add_point(const PointRecord& record, const History& history) {
  if (record.unfinished) return;
  const std::string key = about(record.series, record.point);
  const SeriesPlan* series = series_named(*plan_, record.series);
  const bool is_retried = keeping_.retry_failed && has_failed(record.outcome);
  if (series != nullptr && (is_retried || !is_current(record.series, record.point, record.id))) {
    from_[key] = history.next_visit();
    return;
  }
  finished_[record.series].push_back({record, history.next_visit(), before_[record.series].same_rule});
}

/// True when what has this id is what the plan means by the point, or is to stand all the same.
bool Continuation::is_current(const std::string& series, const Point& point, const std::string& id) {
  const SeriesPlan* plan = series_named(*plan_, series);
  if (plan == nullptr) return true;
  Facts meaning = meaning_of(*plan_, *plan, point);
  if (id_of(meaning) == id) return true;
  if (!keeping_.accept_old) return false;
  const std::string& then = before_[series].version;
  *std::ranges::find(meaning, "version", &Facts::value_type::first) = {"version", then};
  if (id_of(meaning) != id) return false;
  accepted_[series] = then;
  return true;
}

void Continuation::prepare(const History& history) {
  for (const SeriesPlan& series : plan_->series) {
    SeriesRun run(series, history.points(series.name));
    std::vector<Finished> others = finished_[series.name];
    const auto first_visits = run.replay(others);
    for (const Finished& one : others) removed_.push_back("series " + series.name + ": " + to_text(one.record.point));
    for (const PointRequest& request : run.ask()) {
      const std::string key = about(series.name, request.point);
      const auto answered = first_visits.find(to_text(request.point));
      const auto from = from_.find(key);
      unfinished_[key] = std::max({first_visit_, answered == first_visits.end() ? 0 : answered->second,
                                   from == from_.end() ? 0 : from->second});
    }
  }
  for (const auto& [name, points] : finished_)
    if (series_named(*plan_, name) == nullptr)
      for (const Finished& one : points) removed_.push_back("series " + name + ": " + to_text(one.record.point));
}

bool Continuation::wants(const RecordHead& head) const {
  return (head.type == "visit" || head.type == "incarnation") && unfinished_.contains(std::string(head.about));
}

void Continuation::take(Record record) {
  if (const auto* incarnation = std::get_if<IncarnationRecord>(&record))
    clock_steps_[{about(incarnation->series, incarnation->point), incarnation->incarnation}] = incarnation->clock_step;
  auto* visit = std::get_if<VisitRecord>(&record);
  if (visit == nullptr) return;
  const std::string key = about(visit->series, visit->point);
  const auto point = unfinished_.find(key);
  if (point == unfinished_.end() || visit->visit < point->second) return;
  elapsed_ = std::max(elapsed_, visit->at + visit->took);
  const Nanoseconds clock_step = clock_steps_[{key, visit->incarnation}];
  visits_[key].push_back({std::move(*visit), clock_step});
}

void Continuation::replay(SeriesRun& series) const {
  const auto found = finished_.find(series.plan().name);
  if (found == finished_.end()) return;
  std::vector<Finished> finished = found->second;
  series.replay(finished);
}

std::vector<PastVisit> Continuation::visits(const std::string& series, const Point& point) {
  const auto found = visits_.find(about(series, point));
  if (found == visits_.end()) return {};
  auto taken = std::move(found->second);
  visits_.erase(found);
  return taken;
}

}  // namespace assay
