// SPDX-License-Identifier: Apache-2.0
// Waves, rounds and visits, until every point that a design asked for is finished.
#include "run/session.hpp"

#include <algorithm>
#include <deque>
#include <list>
#include <set>

#include "base/rng.hpp"
#include "run/blocks.hpp"
#include "run/series_run.hpp"
#include "run/visitor.hpp"

namespace assay {
namespace {

constexpr const char* by_time = "time-limit";
constexpr const char* by_signal = "signal";
constexpr const char* by_system = "tear-down";
constexpr Nanoseconds longest_pause = milliseconds(50);  // a request to stop is not kept waiting

class Session {
 public:
  Session(const SessionOrder& order, const Surroundings& world);
  CampaignEnd run();

 private:
  struct Waiting {
    std::size_t series;
    Point point;
  };

  void collect();
  bool settle(std::size_t series, const Point& point);
  void admit();
  bool fits(const SeriesPlan& series) const;
  int wanted(const SeriesPlan& series) const;
  std::size_t reserved() const;
  std::vector<OpenPoint*> due(Nanoseconds& until);
  void round();
  bool enter_block(std::vector<OpenPoint*>& points);
  void fail(const std::vector<OpenPoint*>& points, const std::string& why);
  void take_turn(OpenPoint& point);
  int most_incarnations(const OpenPoint& point) const;
  bool stopped();
  void retire(OpenPoint& point, const PointRecord& record);
  void keep(std::size_t series, PointRecord record);
  void abandon();
  void conclude();
  void report(const OpenPoint& point) const;
  Nanoseconds left() const;

  const SessionOrder& order_;
  const CampaignPlan& plan_;
  const Surroundings& world_;
  Rng rng_;
  Visitor visitor_;
  Blocks blocks_;
  std::vector<SeriesRun> series_;
  std::deque<Waiting> waiting_;
  std::list<OpenPoint> open_;
  CampaignEnd end_;
  int rounds_ = 0;
  int generations_ = 0;
  int recorded_ = 0;
  int measured_ = 0;            ///< finished points that had visits
  Nanoseconds measured_for_{};  ///< what their visits took
};

Session::Session(const SessionOrder& order, const Surroundings& world)
    : order_(order),
      plan_(order.plan),
      world_(world),
      rng_(Rng(plan_.seed).substream("session/" + std::to_string(order.session))),
      visitor_(world, order),
      blocks_(plan_, world, rng_.substream("blocks")) {
  for (const SeriesPlan& series : plan_.series) series_.emplace_back(series, order.earlier.points(series.name));
}

CampaignEnd Session::run() {
  for (const SeriesRun& series : series_) world_.sink.write(series.record());
  try {
    for (admit(); !open_.empty() && !stopped(); admit()) round();
    blocks_.leave();
  } catch (const TearDownFailed& failure) {
    end_.reason = by_system;
    world_.sink.write(
        NoteRecord{std::string(failure.what()) + "; the session ended, since nobody knows the system's state"});
  }
  abandon();
  conclude();
  return end_;
}

/// Takes what the designs ask for now. A point that is N/A is finished at once, which may make its design ask for more.
void Session::collect() {
  std::vector<Waiting> fresh;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < series_.size(); ++i)
      for (Point& point : series_[i].ask()) {
        if (settle(i, point))
          again = true;
        else
          fresh.push_back({i, std::move(point)});
      }
  }
  if (fresh.empty()) return;
  // A random order, so that which points share a wave does not depend on their levels.
  Rng rng = rng_.substream("generation/" + std::to_string(generations_++));
  for (Waiting& one : rng.shuffled(std::move(fresh))) waiting_.push_back(std::move(one));
}

/// Finishes a point that needs no visit to be known as N/A.
bool Session::settle(std::size_t series, const Point& point) {
  const SeriesPlan& plan = plan_.series[series];
  const auto known = not_applicable(plan, point, world_.usable_cpus);
  if (known) keep(series, finish_without(plan, point, known->outcome, known->reason, known->code));
  return known.has_value();
}

/// Opens points. New ones join the wave while it has room and none had to wait for it to end.
void Session::admit() {
  const bool may_join = open_.empty() || waiting_.empty();
  collect();
  while (may_join && !waiting_.empty()) {
    Waiting& next = waiting_.front();
    const SeriesRun& series = series_[next.series];
    if (!open_.empty() && !fits(series.plan())) return;
    const int first = order_.earlier.next_incarnation(series.plan().name, next.point);
    open_.emplace_back(series.plan(), next.series, std::move(next.point), series.rule(), wanted(series.plan()), first);
    waiting_.pop_front();
  }
}

int Session::wanted(const SeriesPlan& series) const {
  const std::size_t most = std::max<std::size_t>(1, world_.host.capacity());
  return static_cast<int>(std::min(most, static_cast<std::size_t>(std::max(1, series.precision.incarnations))));
}

std::size_t Session::reserved() const {
  std::size_t sum = 0;
  for (const OpenPoint& point : open_) sum += static_cast<std::size_t>(point.incarnations());
  return sum;
}

bool Session::fits(const SeriesPlan& series) const {
  if (plan_.schedule == Schedule::consecutive) return false;
  return reserved() + static_cast<std::size_t>(wanted(series)) <= world_.host.capacity();
}

int Session::most_incarnations(const OpenPoint& point) const {
  const auto room = static_cast<std::ptrdiff_t>(world_.host.capacity()) - static_cast<std::ptrdiff_t>(reserved());
  const auto most = point.incarnations() + std::max<std::ptrdiff_t>(0, room);
  return static_cast<int>(std::min<std::ptrdiff_t>(most, point.series().precision.rule.max_incarnations));
}

/// The open points whose next visit is due; none: the time until the first is.
std::vector<OpenPoint*> Session::due(Nanoseconds& until) {
  std::vector<OpenPoint*> points;
  until = longest_pause;
  for (OpenPoint& point : open_) {
    const Nanoseconds wait = point.due() - visitor_.elapsed();
    if (wait > Nanoseconds{})
      until = std::min(until, wait);
    else
      points.push_back(&point);
  }
  return points;
}

void Session::round() {
  Nanoseconds until{};
  auto points = due(until);
  if (points.empty()) return world_.pause(until);
  if (!enter_block(points)) return;
  Rng rng = rng_.substream("round/" + std::to_string(rounds_));
  for (OpenPoint* point : rng.shuffled(std::move(points))) {
    if (stopped()) return;
    take_turn(*point);
  }
  ++rounds_;
}

/// Keeps the points of the block whose turn it is, and changes the system to it; false when that failed.
bool Session::enter_block(std::vector<OpenPoint*>& points) {
  std::set<std::string> due;
  for (const OpenPoint* point : points) due.insert(blocks_.block_of(point->point()));
  const std::string block = blocks_.next(due);
  std::erase_if(points, [&](const OpenPoint* point) { return blocks_.block_of(point->point()) != block; });
  try {
    blocks_.enter(block);
    return true;
  } catch (const SetUpFailed& failure) {
    fail(points, failure.what());
    return false;
  }
}

void Session::fail(const std::vector<OpenPoint*>& points, const std::string& why) {
  for (OpenPoint* point : points) retire(*point, finish_without(point->series(), point->point(), Outcome::failed, why));
}

void Session::take_turn(OpenPoint& point) {
  report(point);
  try {
    visitor_.visit(point, rounds_);
    const Verdict verdict = point.check(most_incarnations(point));
    if (verdict.stop()) retire(point, point.finish(verdict));
  } catch (const VisitFailed& failure) {
    retire(point, finish_without(point.series(), point.point(), failure.outcome(), failure.what(), failure.code()));
  }
}

bool Session::stopped() {
  if (end_.reason.empty() && world_.stop_requested()) end_.reason = by_signal;
  if (end_.reason.empty() && order_.time_limit && visitor_.elapsed() >= *order_.time_limit) end_.reason = by_time;
  return !end_.reason.empty();
}

void Session::retire(OpenPoint& point, const PointRecord& record) {
  visitor_.close(point);
  if (point.visits() > 0) ++measured_;
  measured_for_ += point.spent();
  keep(point.series_index(), record);
  open_.remove_if([&](const OpenPoint& other) { return &other == &point; });
}

void Session::keep(std::size_t series, PointRecord record) {
  add_sessions(record, order_.earlier, order_.session, plan_.series[series].precision.rule.alpha);
  world_.sink.write(record);
  series_[series].finish(record);
  ++recorded_;
  if (record.outcome != Outcome::aborted) ++end_.points;
  if (record.outcome == Outcome::failed || record.outcome == Outcome::timeout) ++end_.without_result;
}

/// Finishes what an early end leaves behind.
void Session::abandon() {
  const bool in_time = end_.reason != by_time;
  const std::string why = end_.reason == by_signal ? "stopped by a signal"
                          : in_time                ? "the system could not be restored"
                                                   : "time limit reached";
  while (!open_.empty()) {
    OpenPoint& point = open_.front();
    if (point.visits() > 0)
      retire(point, point.finish(point.stopped(in_time ? Outcome::aborted : Outcome::max_time, why)));
    else
      retire(point, finish_without(point.series(), point.point(), Outcome::aborted, why + " before the first visit"));
  }
  for (; !waiting_.empty(); waiting_.pop_front()) {
    const auto& [series, point] = waiting_.front();
    keep(series, finish_without(plan_.series[series], point, Outcome::aborted, why + " before the first visit"));
  }
}

void Session::conclude() {
  if (end_.reason.empty()) end_.reason = "complete";
  for (const SeriesRun& series : series_) {
    for (const DerivedRecord& record : series.derived()) world_.sink.write(record);
    for (const NoteRecord& note : series.notes(order_.session)) world_.sink.write(note);
  }
  world_.sink.write(EndRecord{order_.session, end_.reason, end_.points, end_.without_result, visitor_.elapsed()});
}

void Session::report(const OpenPoint& point) const {
  Progress progress;
  progress.done = recorded_;
  progress.known = recorded_ + static_cast<int>(open_.size() + waiting_.size());
  progress.elapsed = visitor_.elapsed();
  progress.left = left();
  progress.current = point.series().name + " " + to_text(point.point());
  world_.progress(progress);
}

/// What the points known would take if each took as long as those measured so far; never beyond the time limit.
Nanoseconds Session::left() const {
  if (measured_ == 0 || !(measured_for_ > Nanoseconds{})) return {};
  const Nanoseconds mean = measured_for_ / measured_;
  Nanoseconds visits = measured_for_;
  Nanoseconds remaining = mean * static_cast<double>(waiting_.size());
  for (const OpenPoint& point : open_) {
    visits += point.spent();
    remaining += std::max(Nanoseconds{}, mean - point.spent());
  }
  const Nanoseconds elapsed = visitor_.elapsed();
  const Nanoseconds estimate = elapsed * (remaining / visits);
  return order_.time_limit ? std::min(estimate, *order_.time_limit - elapsed) : estimate;
}

}  // namespace

CampaignEnd run_session(const SessionOrder& order, const Surroundings& world) { return Session(order, world).run(); }

}  // namespace assay
