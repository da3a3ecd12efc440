// SPDX-License-Identifier: Apache-2.0
// Waves, rounds and visits, until every point that a design asked for is finished.
#include "run/session.hpp"

#include <algorithm>
#include <deque>
#include <list>
#include <set>

#include "base/rng.hpp"
#include "record/layout.hpp"
#include "run/anchors.hpp"
#include "run/blocks.hpp"
#include "run/end_reason.hpp"
#include "run/identity.hpp"
#include "run/series_run.hpp"
#include "run/time_left.hpp"
#include "run/unfinished.hpp"
#include "run/visitor.hpp"

namespace assay {
namespace {

constexpr int most_losses = 2;
constexpr const char* did_not_finish =
    "did not finish twice: two sessions were lost while it was measured; 'assay resume --retry-failed' tries again";
constexpr Nanoseconds longest_pause = milliseconds(50);  // a request to stop is not kept waiting

bool has_failed(Outcome outcome) { return outcome == Outcome::failed || outcome == Outcome::timeout; }

class Session {
 public:
  Session(const SessionOrder& order, const Surroundings& world);
  CampaignEnd run();

 private:
  struct Waiting {
    std::size_t series;
    Point point;
    double sharpen = 1;
  };

  void take_up();
  void collect();
  bool settle(std::size_t series, const Point& point);
  void admit();
  bool open_waiting(bool may_join);
  void open(Waiting& next);
  bool restore(OpenPoint& point);
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
  bool in_time(const OpenPoint& point) const;
  void retire(OpenPoint& point, const PointRecord& record);
  void keep(std::size_t series, PointRecord record);
  void abandon();
  void leave(OpenPoint& point, Outcome outcome, const std::string& why);
  void conclude();
  void report(const OpenPoint& point) const;
  Nanoseconds left() const;

  const SessionOrder& order_;
  const CampaignPlan& plan_;
  const Surroundings& world_;
  Rng rng_;
  Visitor visitor_;
  Blocks blocks_;
  Breaker breaker_;
  Unfinished unfinished_;
  std::vector<SeriesRun> series_;
  std::deque<Waiting> waiting_;
  std::deque<Waiting> lost_;  ///< in flight when a session was lost: after all others
  std::list<OpenPoint> open_;
  CampaignEnd end_;
  int rounds_ = 0;
  int generations_ = 0;
  int recorded_ = 0;
  int failed_before_ = 0;  ///< in sessions that this one continues
  TimeLeft time_left_;
};

Session::Session(const SessionOrder& order, const Surroundings& world)
    : order_(order),
      plan_(order.plan),
      world_(world),
      rng_(Rng(plan_.seed).substream("session/" + std::to_string(order.session))),
      visitor_(world, order),
      blocks_(plan_, world, rng_.substream("blocks"), order.session),
      breaker_(plan_.breaker) {
  for (const SeriesPlan& series : plan_.series) series_.emplace_back(series, order.earlier.points(series.name));
}

CampaignEnd Session::run() {
  for (const SeriesRun& series : series_) world_.sink.write(series.record());
  try {
    take_up();
    for (admit(); !open_.empty() && !stopped(); admit()) round();
    blocks_.leave();
  } catch (const TearDownFailed& failure) {
    end_.reason = by_system;
    world_.sink.write(
        NoteRecord{std::string(failure.what()) + "; the session ended, since nobody knows the system's state"});
  }
  abandon();
  conclude();
  end_.without_result += failed_before_;
  return end_;
}

/// Takes up what earlier sessions left: the state of the system, and what the designs had been told.
void Session::take_up() {
  const std::string variant = order_.earlier.standing_variant();
  if (!variant.empty()) {
    const bool done = blocks_.take_down(variant);
    world_.sink.write(NoteRecord{"variant " + variant +
                                 (done ? " was still set up when an earlier session was lost; it was taken down first"
                                       : " may still be set up, but the plan has no tear-down for it")});
  }
  if (order_.continuation == nullptr) return;
  for (SeriesRun& series : series_) {
    order_.continuation->replay(series);
    recorded_ += static_cast<int>(series.finished().size());
    failed_before_ += static_cast<int>(
        std::ranges::count_if(series.finished(), [](const PointRecord& record) { return has_failed(record.outcome); }));
  }
  if (order_.continuation->checks_anchors()) check_anchors(series_, order_, world_, visitor_);
}

/// Takes what the designs ask for now. A point that is N/A is finished at once, which may make its design ask for more.
void Session::collect() {
  std::vector<Waiting> fresh;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < series_.size(); ++i)
      for (auto& [point, attempt, sharpen] : series_[i].ask()) {
        if (settle(i, point))
          again = true;
        else if (order_.earlier.losses(plan_.series[i].name, point) > 0)
          lost_.push_back({i, std::move(point), sharpen});
        else
          fresh.push_back({i, std::move(point), sharpen});
      }
  }
  if (fresh.empty()) return;
  // A random order, so that which points share a wave does not depend on their levels.
  Rng rng = rng_.substream("generation/" + std::to_string(generations_++));
  for (Waiting& one : rng.shuffled(std::move(fresh))) waiting_.push_back(std::move(one));
}

/// Finishes a point that needs no visit to be known as N/A, as one that ends the program, or as one of a measurement
/// that was given up.
bool Session::settle(std::size_t series, const Point& point) {
  const SeriesPlan& plan = plan_.series[series];
  const bool is_lost = order_.earlier.losses(plan.name, point) >= most_losses;
  if (const std::string why = is_lost ? did_not_finish : breaker_.gives_up(plan.measurement.name); !why.empty()) {
    keep(series, finish_without(plan, point, Outcome::failed, why));
    return true;
  }
  const auto known = not_applicable(plan, point, world_.usable_cpus);
  if (known) keep(series, finish_without(plan, point, known->outcome, known->reason, known->code));
  return known.has_value();
}

/// Opens points. New ones join the wave while it has room and none had to wait for it to end.
void Session::admit() {
  for (bool again = true; again;) {
    const bool may_join = open_.empty() || waiting_.empty();
    collect();
    if (open_.empty() && waiting_.empty()) waiting_.swap(lost_);
    // Points whose earlier visits suffice are finished at once, which may make their designs ask for more.
    again = open_waiting(may_join) && open_.empty();
  }
}

/// Opens what fits; true when a point was finished at once.
bool Session::open_waiting(bool may_join) {
  bool finished = false;
  while (may_join && !waiting_.empty()) {
    Waiting& next = waiting_.front();
    if (!open_.empty() && !fits(plan_.series[next.series])) break;
    open(next);
    waiting_.pop_front();
    finished = restore(open_.back()) || finished;
  }
  return finished;
}

void Session::open(Waiting& next) {
  const SeriesRun& series = series_[next.series];
  std::string id = point_id(plan_, series.plan(), next.point);
  const int first = order_.earlier.next_incarnation(series.plan().name, next.point);
  open_.emplace_back(series.plan(next.sharpen), next.series, std::move(next.point), series.rule(next.sharpen),
                     wanted(series.plan()), first);
  open_.back().name(std::move(id));
}

/// Gives a point its visits of earlier sessions back; true when it needs no further one.
bool Session::restore(OpenPoint& point) {
  if (order_.continuation == nullptr) return false;
  for (const PastVisit& visit : order_.continuation->visits(point.series().name, point.point()))
    point.restore(visit.record, visit.clock_step);
  if (point.visits() == 0 || point.needs_calibration()) return false;
  const Verdict verdict = point.check(most_incarnations(point));
  if (verdict.stop()) retire(point, point.finish(verdict));
  return verdict.stop();
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
    const Nanoseconds wait = point.due() - visitor_.time();
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
    if (in_time(*point)) take_turn(*point);
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
  if (const std::string why = breaker_.gives_up(point.series().measurement.name); !why.empty())
    return fail({&point}, why);
  try {
    visitor_.visit(point, rounds_);
    const Verdict verdict = point.check(most_incarnations(point));
    if (verdict.stop()) retire(point, point.finish(verdict));
  } catch (const VisitAborted&) {
    stopped();  // what was requested says why; the point is left as it is
  } catch (const VisitFailed& failure) {
    retire(point, finish_without(point.series(), point.point(), failure.outcome(), failure.what(), failure.code()));
  }
}

bool Session::stopped() {
  if (end_.reason.empty() && world_.stop_requested()) end_.reason = by_signal;
  if (end_.reason.empty() && !open_.empty() &&
      std::ranges::none_of(open_, [this](const OpenPoint& point) { return in_time(point); }))
    end_.reason = by_time;
  if (end_.reason.empty() && !breaker_.ends().empty()) end_.reason = by_failures;
  return !end_.reason.empty();
}

/// Whether the point's next visit is predicted to end within the time limit.
bool Session::in_time(const OpenPoint& point) const {
  return !order_.time_limit || visitor_.elapsed() + point.next_cost() <= *order_.time_limit;
}

void Session::retire(OpenPoint& point, const PointRecord& record) {
  visitor_.close(point);
  if (point.visits() > 0) time_left_.add(point.spent());
  keep(point.series_index(), record);
  open_.remove_if([&](const OpenPoint& other) { return &other == &point; });
}

void Session::keep(std::size_t series, PointRecord record) {
  add_sessions(record, order_.earlier, order_.earlier.pass(), plan_.series[series].precision.rule.alpha);
  record.id = point_id(plan_, plan_.series[series], record.point);
  world_.sink.write(record);
  breaker_.add(record);
  unfinished_.add(record);
  const bool is_new = series_[series].finish(record);
  ++recorded_;
  if (is_new && record.outcome != Outcome::aborted) ++end_.points;
  if (has_failed(record.outcome)) ++end_.without_result;
}

/// Finishes what an early end leaves behind. What was to be measured again has a result already, which stands.
void Session::abandon() {
  const bool in_time = end_.reason != by_time;
  const std::string why = why_left(end_.reason, breaker_.ends());
  const Outcome outcome = in_time ? Outcome::aborted : Outcome::max_time;
  while (!open_.empty()) leave(open_.front(), outcome, why);
  for (; !waiting_.empty() || !lost_.empty(); waiting_.pop_front()) {
    if (waiting_.empty()) waiting_.swap(lost_);
    open(waiting_.front());
    if (!restore(open_.back())) leave(open_.back(), outcome, why);
  }
}

/// Finishes a point as far as it came.
void Session::leave(OpenPoint& point, Outcome outcome, const std::string& why) {
  if (series_[point.series_index()].stands(point.point())) {
    visitor_.close(point);
    open_.remove_if([&](const OpenPoint& other) { return &other == &point; });
    return;
  }
  PointRecord record = point.visits() > 0 ? point.finish(point.stopped(outcome, why))
                                          : finish_without(point.series(), point.point(), Outcome::aborted,
                                                           why + " before the first visit");
  record.unfinished = record.outcome == Outcome::aborted || record.outcome == outcome;
  retire(point, record);
}

void Session::conclude() {
  if (end_.reason.empty()) end_.reason = "complete";
  std::vector<SeriesGroup> groups;
  for (const SeriesRun& series : series_) {
    const SeriesGroup& group = groups.emplace_back(series.group());
    for (const DerivedRecord& record : group.derived) world_.sink.write(record);
    for (const NoteRecord& note : series.notes(world_.usable_cpus))
      if (!order_.earlier.has_note(note.text)) world_.sink.write(note);
  }
  if (const Layout* layout = find_layout(plan_.layout); layout != nullptr && layout->derive != nullptr)
    for (const DerivedRecord& record : layout->derive(groups)) world_.sink.write(record);
  for (const NoteRecord& note : unfinished_.notes(order_.session)) world_.sink.write(note);
  for (const std::string& text : visitor_.remarks()) {
    world_.sink.write(NoteRecord{text});
    ++end_.warnings;
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

Nanoseconds Session::left() const {
  Nanoseconds on_open{};
  for (const OpenPoint& point : open_) on_open += point.spent();
  const Nanoseconds elapsed = visitor_.elapsed();
  const Nanoseconds estimate = time_left_.estimate(elapsed, open_.size(), on_open, waiting_.size() + lost_.size());
  return order_.time_limit ? std::min(estimate, *order_.time_limit - elapsed) : estimate;
}

}  // namespace

CampaignEnd run_session(const SessionOrder& order, const Surroundings& world) { return Session(order, world).run(); }

}  // namespace assay
