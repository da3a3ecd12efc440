// SPDX-License-Identifier: Apache-2.0
// Sorting an interrupted journal into what stands, what goes on and what begins anew.
#include "run/series/continuation.hpp"

#include <algorithm>
#include <utility>

#include "run/series/finished_index.hpp"
#include "run/series/identity.hpp"
#include "stats/rule/rule_text.hpp"

namespace assay {
namespace {

const SeriesPlan* series_named(const CampaignPlan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.series, name, &SeriesPlan::name);
  return found == plan.series.end() ? nullptr : &*found;
}

/// True when two rules, the first as a journal has it, ask for the same, whatever it may cost.
bool is_same_rule(const std::string& then, const SeriesPlan& now) {
  try {
    return unlimited(parse_rule(then, {})) == unlimited(now.precision.rule);
  } catch (const RuleTextError&) {
    return false;
  }
}

}  // namespace

Continuation::Continuation(const CampaignPlan& plan, KeptResults keeping) : plan_(&plan), keeping_(keeping) {
  for (const SeriesPlan& series : plan.series)
    if (!keeps_records(plan, series)) finished_points_.emplace(series.name, FinishedIndex(plan, series));
}

FinishedIndex* Continuation::finished_of(const std::string& series) {
  const auto found = finished_points_.find(series);
  return found == finished_points_.end() ? nullptr : &found->second;
}

void Continuation::add(const Record& record, const History& history) {
  if (const auto* session = std::get_if<SessionRecord>(&record)) begin_session(*session, history);
  if (const auto* series = std::get_if<SeriesRecord>(&record)) add_series(*series);
  if (const auto* begin = std::get_if<BeginRecord>(&record)) add_begin(*begin);
  if (const auto* incarnation = std::get_if<IncarnationRecord>(&record)) add_incarnation(*incarnation, history);
  if (const auto* point = std::get_if<PointRecord>(&record)) add_point(*point, history);
  if (const auto* answer = std::get_if<AnswerRecord>(&record)) add_answer(*answer, history);
}

void Continuation::begin_session(const SessionRecord& record, const History& history) {
  session_ = record.session;
  if (record.continues) return;
  finished_.clear();
  for (auto& [name, index] : finished_points_) index.clear();
  first_visit_ = history.next_visit();
}

void Continuation::add_series(const SeriesRecord& record) {
  const SeriesPlan* series = series_named(*plan_, record.series);
  before_[record.series] = {record.version, series != nullptr && is_same_rule(record.rule, *series)};
}

void Continuation::add_begin(const BeginRecord& record) {
  const TextKey key = key_of(record.series, record.point);
  if (old_.contains(key)) from_[key] = record.visit + 1;
}

void Continuation::add_incarnation(const IncarnationRecord& record, const History& history) {
  const TextKey key = key_of(record.series, record.point);
  if (is_current(record.series, record.point, record.id)) {
    old_.erase(key);
    return;
  }
  old_.insert(key);
  from_[key] = history.next_visit();
}

void Continuation::add_point(const PointRecord& record, const History& history) {
  if (record.unfinished) return;
  const SeriesPlan* series = series_named(*plan_, record.series);
  FinishedIndex* const index = finished_of(record.series);
  const bool is_retried = keeping_.retry_failed && session_ < keeping_.before && may_be_retried(record.outcome);
  if (series != nullptr && (is_retried || !is_current(record.series, record.point, record.id))) {
    from_[key_of(record.series, record.point)] = history.next_visit();
    if (index != nullptr) index->reopen(record.point);
    return;
  }
  const bool same_rule = before_[record.series].same_rule;
  if (index != nullptr)
    index->add(record, same_rule || is_as_accurate(record, series->precision.rule));
  else
    finished_[record.series].push_back({record, history.next_visit(), same_rule});
}

void Continuation::add_answer(const AnswerRecord& record, const History& history) {
  if (old_.contains(key_of(record.series, record.point)) || finished_of(record.series) != nullptr) return;
  Finished interim;
  interim.record.series = record.series;
  interim.record.point = record.point;
  interim.next_visit = history.next_visit();
  interim.same_rule = before_[record.series].same_rule;
  interim.interim = Response{true, record.value, record.relative_half_width};
  finished_[record.series].push_back(std::move(interim));
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

void Continuation::remove(const std::string& series, const Point& point) {
  removed_.push_back("series " + series + ": " + to_text(point));
}

void Continuation::prepare(const History& history) {
  for (const SeriesPlan& series : plan_->series) {
    if (const FinishedIndex* index = finished_of(series.name))
      for (const Point& point : index->removed()) remove(series.name, point);
    else
      prepare(series, history);
  }
  for (const auto& [name, points] : finished_)
    if (series_named(*plan_, name) == nullptr)
      for (const Finished& one : points)
        if (!one.interim) remove(name, one.record.point);
}

/// Of a series that keeps records.
void Continuation::prepare(const SeriesPlan& series, const History& history) {
  SeriesRun run(*plan_, series, history.points(series.name));
  std::vector<Finished> others = finished_[series.name];
  const auto first_visits = run.replay(others);
  for (const Finished& one : others)
    if (!one.interim) remove(series.name, one.record.point);
  for (const PointRequest& request : run.ask()) {
    const TextKey key = key_of(series.name, request.point);
    const auto answered = first_visits.find(to_text(request.point));
    unfinished_[key] = std::max(first_visit_, answered == first_visits.end() ? 0 : answered->second);
  }
}

std::size_t Continuation::unfinished() const {
  std::size_t sum = unfinished_.size();
  for (const auto& [name, index] : finished_points_)
    sum += design_of(*series_named(*plan_, name))->left() - index.count().points;
  return sum;
}

bool Continuation::wants(std::string_view about) const {
  const TextKey key = text_key(about);
  const auto index = finished_points_.find(about.substr(0, about.find('\n')));
  return index == finished_points_.end() ? unfinished_.contains(key) : !index->second.suffices(key);
}

/// Whether an earlier visit belongs to what is asked of its point now.
bool Continuation::counts(const TextKey& key, const VisitRecord& visit) const {
  const auto index = finished_points_.find(visit.series);
  const auto unfinished = unfinished_.find(key);
  const bool is_asked =
      index == finished_points_.end() ? unfinished != unfinished_.end() : index->second.is_planned(visit.point);
  if (!is_asked) return false;
  const auto from = from_.find(key);
  return visit.visit >= first_visit_ && (from == from_.end() || visit.visit >= from->second) &&
         (unfinished == unfinished_.end() || visit.visit >= unfinished->second);
}

void Continuation::take(Record record) {
  if (const auto* incarnation = std::get_if<IncarnationRecord>(&record))
    clock_steps_[{key_of(incarnation->series, incarnation->point), incarnation->incarnation}] = incarnation->clock_step;
  auto* visit = std::get_if<VisitRecord>(&record);
  if (visit == nullptr) return;
  const TextKey key = key_of(visit->series, visit->point);
  if (!counts(key, *visit)) return;
  elapsed_ = std::max(elapsed_, visit->at + visit->took);
  const Nanoseconds clock_step = clock_steps_[{key, visit->incarnation}];
  visits_[key].push_back({std::move(*visit), clock_step});
}

void Continuation::replay(SeriesRun& series) const {
  if (const auto index = finished_points_.find(series.plan().name); index != finished_points_.end())
    return series.take_up(index->second);
  const auto found = finished_.find(series.plan().name);
  if (found == finished_.end()) return;
  std::vector<Finished> finished = found->second;
  series.replay(finished);
}

std::vector<PastVisit> Continuation::visits(const std::string& series, const Point& point) {
  const auto found = visits_.find(key_of(series, point));
  if (found == visits_.end()) return {};
  auto taken = std::move(found->second);
  visits_.erase(found);
  return taken;
}

}  // namespace assay
