// SPDX-License-Identifier: Apache-2.0
// Collecting what later sessions need, and combining what sessions found.
#include "run/series/history.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "record/journal/journal.hpp"

namespace assay {
namespace {

TextKey key_of_result(const std::string& series, const Point& point, const Result& result) {
  return text_key(about(series, point) + '\n' + result.quantity + '\n' + to_text(result.regime));
}

/// A session's estimate of what was not one steady thing would spoil those of the others.
bool counts(const Result& result) {
  const Outcome outcome = result.verdict.outcome;
  return std::isfinite(result.headline.value) && (ran_its_course(outcome) || outcome == Outcome::open);
}

}  // namespace

HistoryScope scope_of(const CampaignPlan& plan, bool one_pass) {
  HistoryScope scope{{}, one_pass};
  for (const SeriesPlan& series : plan.series)
    if (!is_refined(series)) scope.planned.insert(series.name);
  return scope;
}

void History::add(const Record& record) {
  if (const auto* session = std::get_if<SessionRecord>(&record)) begin_session(*session);
  if (const auto* begin = std::get_if<BeginRecord>(&record)) {
    next_visit_ = std::max(next_visit_, begin->visit + 1);
    in_flight_ = *begin;
  }
  if (std::holds_alternative<VisitRecord>(record)) add_visit();
  if (std::holds_alternative<EndRecord>(record)) end_session();
  if (const auto* variant = std::get_if<VariantRecord>(&record))
    variant_ = variant->stands ? variant->variant : std::string();
  if (const auto* launch = std::get_if<LaunchRecord>(&record))
    next_launch_ = std::max(next_launch_, launch->launch + 1);
  if (const auto* note = std::get_if<NoteRecord>(&record)) notes_.insert(text_key(note->text));
  if (const auto* incarnation = std::get_if<IncarnationRecord>(&record)) {
    int& next = incarnations_[key_of(incarnation->series, incarnation->point)];
    next = std::max(next, incarnation->incarnation + 1);
  }
  if (const auto* point = std::get_if<PointRecord>(&record)) add_point(*point);
  if (const auto* cores = std::get_if<CoresRecord>(&record)) add_cores(*cores);
}

void History::begin_session(const SessionRecord& record) {
  next_session_ = std::max(next_session_, record.session + 1);
  ended_ = false;
  if (in_flight_) ++losses_[key_of(in_flight_->series, in_flight_->point)];
  in_flight_.reset();
  if (record.continues) return;
  if (record.new_machine) {
    passes_ = 0;
    cores_.reset();
    points_.clear();
    known_.clear();
    found_.clear();
  }
  ++passes_;
  pass_ = record.session;
  losses_.clear();
  listed_ = points_;
}

void History::end_session() {
  in_flight_.reset();
  ended_ = true;
}

bool History::is_lost(const std::string& series, const Point& point) const {
  return in_flight_ && in_flight_->series == series && in_flight_->point == point;
}

int History::losses(const std::string& series, const Point& point) const {
  const auto found = losses_.find(key_of(series, point));
  return (found == losses_.end() ? 0 : found->second) + (is_lost(series, point) ? 1 : 0);
}

void History::add_point(const PointRecord& record) {
  if (is_lost(record.series, record.point)) in_flight_.reset();
  if (!record.unfinished) losses_.erase(key_of(record.series, record.point));
  const bool is_listed = !scope_.planned.contains(record.series);
  if (is_listed && known_.insert(key_of(record.series, record.point)).second)
    points_[record.series].push_back(record.point);
  if (scope_.one_pass) return;
  for (const Result& result : record.results) {
    if (result.sessions.empty()) continue;
    auto& found = found_[key_of_result(record.series, record.point, result)];
    const auto same = std::ranges::find_if(found, [&](const Found& one) { return is_like(one.state, result.state); });
    if (same == found.end())
      found.push_back({result.state, result.sessions});
    else
      *same = {result.state, result.sessions};
  }
}

void History::add_cores(const CoresRecord& record) {
  const auto before = std::exchange(cores_, record);
  if (!before) return;
  for (const CoreLevel& level : before->levels) {
    const auto known = std::ranges::find(cores_->levels, level.core(), &CoreLevel::core);
    if (known == cores_->levels.end())
      cores_->levels.push_back(level);
    else if (known->because == AloneBecause::nothing)
      *known = level;
  }
  for (const NodeClocks& clocks : before->clocks)
    if (std::ranges::find(cores_->clocks, clocks.node, &NodeClocks::node) == cores_->clocks.end())
      cores_->clocks.push_back(clocks);
}

void History::release(const std::string& series, const Point& point) {
  if (scope_.one_pass && scope_.planned.contains(series)) incarnations_.erase(key_of(series, point));
}

int History::next_incarnation(const std::string& series, const Point& point) const {
  const auto found = incarnations_.find(key_of(series, point));
  return found == incarnations_.end() ? 0 : found->second;
}

const std::vector<Point>& History::points(const std::string& series) const {
  static const std::vector<Point> none;
  const auto found = listed_.find(series);
  return found == listed_.end() ? none : found->second;
}

std::vector<SessionEstimate> History::sessions(const std::string& series, const Point& point, const Result& like,
                                               int session) const {
  std::vector<SessionEstimate> earlier;
  const auto found = found_.find(key_of_result(series, point, like));
  if (found == found_.end()) return earlier;
  for (const Found& one : found->second)
    if (is_like(one.state, like.state))
      std::ranges::copy_if(one.sessions, std::back_inserter(earlier),
                           [session](const SessionEstimate& estimate) { return estimate.session < session; });
  return earlier;
}

namespace {

bool is_one_clock(const std::vector<SessionEstimate>& sessions) {
  const auto [least, most] = std::ranges::minmax(sessions, {}, &SessionEstimate::clock_ghz);
  return least.clock_ghz > 0 && most.clock_ghz <= (1 + same_clock) * least.clock_ghz;
}

}  // namespace

void add_sessions(PointRecord& record, const History& earlier, int session, double alpha) {
  for (Result& result : record.results) {
    if (!counts(result)) continue;
    result.sessions = earlier.sessions(record.series, record.point, result, session);
    result.sessions.push_back(
        {session, result.headline.value, result.headline.interval, result.summary.n, result.clock.ghz});
    if (result.sessions.size() < 2) continue;
    if (result.clock.known() && !is_one_clock(result.sessions)) result.clock = {0, 0, NoClock::sessions};
    result.headline = over_sessions(result.sessions, alpha);
    result.term = result.sessions.size() >= fewest_sessions ? Term::long_term : Term::session;
    result.another_day =
        another_day(result.headline.value, result.headline.interval, values_of(result.sessions), alpha);
  }
}

}  // namespace assay
