// SPDX-License-Identifier: Apache-2.0
// Waves, rounds and visits, until every point that a design asked for is finished.
#include "run/session/session.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "run/session/anchors.hpp"
#include "run/session/open_session.hpp"

namespace assay {
namespace {

std::string stream_of(const SessionOrder& order) {
  const std::string session = "session/" + std::to_string(order.session);
  return order.launch == nullptr ? session : session + "/launch/" + std::to_string(order.launch->launch);
}

// What distinguishes a point from the others.
std::string name_of(const OpenPoint& point) {
  std::string text = point.series().name;
  for (const FactorDomain& factor : point.series().factors)
    if (varies(factor) && point.point().find(factor.name) != nullptr)
      text += ' ' + factor.name + '=' + to_text(point.point().level(factor.name));
  return text;
}

/// Who has a turn first: time of a point's own, then spare time in which it is predicted to converge, then what makes
/// converged ones more accurate, then the rest of it.
enum class Precedence : std::uint8_t { own_time, promising, sharpened, other };

Precedence precedence_of(const OpenPoint& point) {
  if (point.is_sharpened()) return Precedence::sharpened;
  if (!point.is_extended()) return Precedence::own_time;
  return point.is_within_reach() ? Precedence::promising : Precedence::other;
}

/// The turns of a round, in the order of precedence. Those of the next precedence have theirs where none was visited of
/// the one before, as while the cores of those are in another state than the one wanted.
class RoundTurns {
 public:
  /// Whether points before this one wait for their cores.
  bool is_between(Precedence its) const { return refused_ && *refused_ < its; }
  /// `owed`: to points that wait, for what others took before them.
  bool are_over(Precedence its, Nanoseconds owed) const {
    if (is_between(its) && owed > Nanoseconds{}) return true;
    return visited_ && (its > *visited_ || is_between(its));
  }
  void take_note(Precedence its, bool visited) {
    if (visited)
      visited_ = its;
    else if (!refused_)
      refused_ = its;
  }
  bool any_visited() const { return visited_.has_value(); }

 private:
  std::optional<Precedence> visited_;
  std::optional<Precedence> refused_;
};

}  // namespace

Session::Session(const SessionOrder& order, const Surroundings& world)
    : order_(order),
      plan_(order.plan),
      world_(world),
      rng_(Rng(plan_.seed).substream(stream_of(order))),
      visitor_(world, order),
      blocks_(plan_, world, rng_.substream("blocks"), order.session),
      breaker_(plan_.breaker),
      agenda_(order, rng_),
      wave_(plan_, world.host) {
  if (order.launch != nullptr)
    for (const PointRecord& record : order.launch->finished) breaker_.add(record);
  if (world.launches == nullptr) return;
  bool any = false;
  for (std::size_t i = 0; i < plan_.series.size(); ++i) {
    if (!is_launched(plan_.series[i])) continue;
    agenda_.pass_over(i);
    any = true;
  }
  if (any) launches_.emplace(*world.launches);
}

CampaignEnd Session::run() {
  if (!is_part())
    for (const SeriesRun& series : agenda_.series()) world_.write(series.record());
  try {
    take_up();
    for (admit(); (launches() || !wave_.empty()) && !stopped(); admit()) {
      if (launches()) launch();
      if (!wave_.empty() && !stopped()) round();
    }
    blocks_.leave();
  } catch (const TearDownFailed& failure) {
    end_.reason = by_system;
    world_.write(NoteRecord{std::string(failure.what()) + "; the session ended, since the system's state is unknown"});
  }
  abandon();
  conclude();
  end_.without_result += failed_before_;
  return end_;
}

/// Takes up what earlier sessions left: the state of the system, and what the designs had received.
void Session::take_up() {
  const std::string variant = order_.earlier.standing_variant();
  if (!variant.empty()) {
    const bool done = blocks_.take_down(variant);
    world_.write(NoteRecord{"variant " + variant +
                            (done ? " was still set up when an earlier session was lost; its tear-down was run first"
                                  : " may still be set up, but the plan has no tear-down for it")});
  }
  if (order_.continuation == nullptr) return;
  for (SeriesRun& series : agenda_.series()) {
    order_.continuation->replay(series);
    recorded_ += static_cast<int>(series.taken_up().points);
    failed_before_ += static_cast<int>(series.taken_up().failed);
    end_.measured += static_cast<int>(series.taken_up().measured);
  }
  const auto is_open = [](const SeriesRun& series) { return is_launched(series.plan()) && series.is_open(); };
  if (launches_ && std::ranges::none_of(agenda_.series(), is_open)) launches_->need_none();
  if (order_.continuation->checks_anchors()) check_anchors(agenda_.series(), order_, world_, visitor_);
}

void Session::collect() {
  agenda_.collect([this](std::size_t series, const PointRequest& request) {
    return give_up(series, request.point) || settle(series, request.point) || defer(series, request);
  });
}

/// Opens points. New ones join the wave while it has room and none had to wait for it to end. What a design adds does
/// not have to: where there is no room yet, it would begin when the last of the wave has ended.
void Session::admit() {
  for (bool again = true; again;) {
    const bool may_join = wave_.empty() || agenda_.is_exhausted();
    agenda_.take_up_deferred(wave_);
    collect();
    if (wave_.empty() && agenda_.empty()) agenda_.take_up_lost();
    // Points whose earlier visits suffice are finished at once, which may make their designs ask for more.
    again = open_waiting(may_join) && wave_.empty();
  }
}

/// Opens what fits; true when a point was finished at once.
bool Session::open_waiting(bool may_join) {
  bool finished = false;
  while (may_join && !agenda_.empty() && wave_.fits(plan_.series[agenda_.next().series])) {
    finished = restore(open_next()) || finished;
    // The wave may have room for more than a part.
    if (agenda_.empty()) collect();
  }
  return finished;
}

/// What the rule says; a launch is one incarnation, which grows by no other.
Verdict Session::check(OpenPoint& point) const {
  return point.check(order_.launch == nullptr ? wave_.most_incarnations(point) : point.incarnations());
}

Turn Session::turn(const OpenPoint& point, const Verdict& verdict) {
  if (order_.launch != nullptr) return turn_after(point, verdict, is_part());
  if (!verdict.stop()) return Turn::go_on;
  return point.is_satisfied() && !end_compared(point) ? Turn::go_on : Turn::finish;
}

/// Whether a point that spent its time gets more of it: where the campaign's limit leaves some when all others have
/// spent theirs. A session takes longer than its visits, by as much as so far.
bool Session::extends(const OpenPoint& point) const {
  const bool wants = point.is_out_of_time() && point.may_be_extended() && point.series().precision.spare_time;
  if (!wants || !order_.time_limit || order_.launch != nullptr) return false;
  const double pace = std::max(1.0, (measuring() - idle_) / (time_left_.spent() + wave_.spent()));
  // Points that wait, and those that a refined line may still ask for, are assumed to need as much as this one.
  const Nanoseconds others = wave_.time_left() + point.spent() * static_cast<double>(agenda_.points());
  return measuring() + pace * (others + point.next_extension()) <= *order_.time_limit;
}

/// Finishes the points that go on in spare time when there is none any more, those without a verdict apart: further
/// sessions may give them one.
void Session::end_spare_time() {
  for (OpenPoint* point : wave_.extended()) {
    if (in_time(*point)) continue;
    point->end_extension();
    if (const Verdict verdict = check(*point); verdict.stop()) retire(*point, point->finish(verdict));
  }
}

/// Whether a point that has converged goes on, since others make the session last, and no further one needs its place.
bool Session::may_sharpen(const OpenPoint& point) const {
  if (!order_.time_limit || order_.launch != nullptr || !agenda_.empty()) return false;
  const bool is_compared = point.point().find(variant_factor_name) != nullptr;
  const auto goes_on = [&](const OpenPoint& other) { return &other != &point && !other.is_sharpened(); };
  return point.series().precision.spare_time && !is_compared && point.can_be_sharper() && in_time(point) &&
         std::ranges::any_of(wave_.points(), goes_on);
}

/// Finishes the points that go on being sharpened once there is nothing that makes the session last, or no time; true
/// when there was one.
bool Session::end_sharpening() {
  const bool is_over = !agenda_.empty() || std::ranges::all_of(wave_.points(), &OpenPoint::is_sharpened);
  bool any = false;
  for (OpenPoint* point : wave_.sharpened()) {
    if (!is_over && in_time(*point)) continue;
    const auto verdict = point->confirm();
    if (!verdict) continue;
    retire(*point, point->finish(*verdict));
    any = true;
  }
  return any;
}

/// Finishes the points that one is compared with, where all of them are satisfied now; false where they go on together.
bool Session::end_compared(const OpenPoint& point) {
  const auto others = wave_.compared_with(point);
  if (!std::ranges::all_of(others, &OpenPoint::is_satisfied)) return false;
  std::vector<Verdict> verdicts;
  for (OpenPoint* other : others)
    if (auto verdict = other->confirm()) verdicts.push_back(std::move(*verdict));
  if (verdicts.size() < others.size()) return false;
  for (std::size_t i = 0; i < others.size(); ++i) retire(*others[i], others[i]->finish(verdicts[i]));
  return true;
}

/// A launch for the series whose members are ranks.
void Session::launch() {
  const auto index = [this](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(plan_.series, name, &SeriesPlan::name) - plan_.series.begin());
  };
  LaunchOrder order{order_.session, order_.earlier.next_launch(), visitor_.time(), {}, {}};
  if (order_.continuation != nullptr) order.keeping = order_.continuation->keeping();
  order.keeping.before = order_.session;
  if (order_.time_limit) order.time_limit = std::max(Nanoseconds{}, *order_.time_limit - measuring());
  launches_->next(order, {world_.sink, [&](const PointRecord& record) { take_note(index(record.series), record); },
                          [&](const std::string& series, const Point& point, Outcome outcome, const std::string& why) {
                            keep(index(series), finish_without(plan_.series.at(index(series)), point, outcome, why));
                          },
                          [&](const std::string& current, int) { report(current); }});
  if (!launches_->gave_up().empty() && end_.reason.empty())
    end_.reason = launches_->ever_began() ? by_failures : by_launcher;
  if (launches_->ended() == by_time && launches_->due() && wave_.empty()) end_.reason = by_time;
}

void Session::round() {
  waited_ += world_.await_turn();
  if (end_sharpening()) return;
  Nanoseconds until = longest_pause;
  auto points = wave_.due(visitor_.time(), until);
  if (points.empty() && order_.time_limit) points = wave_.idle(until);
  if (points.empty()) return pause_until_due(until);
  if (!enter_block(points)) return;
  Rng rng = rng_.substream("round/" + std::to_string(rounds_));
  points = rng.shuffled(std::move(points));
  std::ranges::stable_sort(points, {}, [](const OpenPoint* point) { return precedence_of(*point); });
  const bool any_visited = take_turns(points);
  if (!end_.reason.empty()) return;
  ++rounds_;
  if (any_visited) {
    lull_ = shortest_lull;
    return;
  }
  world_.pause(lull_);
  visitor_.count_wait(lull_);
  settle_debt(lull_, false);
  lull_ = std::min(2 * lull_, longest_lull);
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
    end_without(points, failure.has_worked() ? Outcome::failed : Outcome::unsupported, failure.what());
    return false;
  }
}

void Session::end_without(const std::vector<OpenPoint*>& points, Outcome outcome, const std::string& why) {
  for (OpenPoint* point : points) retire(*point, finish_without(point->series(), point->point(), outcome, why));
}

/// Whether any was visited. Before points that wait for their cores only one of the others is, since states come and go
/// within less time than all of their visits take; and the next one when those had as much time as that took.
bool Session::take_turns(const std::vector<OpenPoint*>& points) {
  RoundTurns turns;
  for (OpenPoint* point : points) {
    const Precedence its = wave_.has(point) ? precedence_of(*point) : Precedence::own_time;
    if (turns.are_over(its, owed_) || stopped()) break;
    if (!wave_.has(point) || !in_time(*point)) continue;
    const Nanoseconds from = measuring();
    const bool is_visited = take_turn(*point);
    settle_debt(measuring() - from, turns.is_between(its) && is_visited);
    turns.take_note(its, is_visited);
  }
  return turns.any_visited();
}

/// False when the point's cores are in another state than the one wanted: the others' turns come first.
bool Session::take_turn(OpenPoint& point) {
  report(name_of(point), &point);
  if (const std::string why = breaker_.gives_up(point.series().measurement.name); !why.empty()) {
    end_without({&point}, Outcome::failed, why);
    return true;
  }
  try {
    if (!visitor_.visit(point, rounds_)) return false;
    const Verdict verdict = check(point);
    if (!verdict.stop()) answer(point);
    if (extends(point)) {
      point.extend();
      return true;
    }
    const Turn next = turn(point, verdict);
    if (next == Turn::finish && verdict.outcome == Outcome::converged && may_sharpen(point)) {
      point.sharpen();
      answer(point);
      return true;
    }
    if (next == Turn::finish) retire(point, point.finish(verdict));
    if (next == Turn::leave) pass_on(point, verdict);
  } catch (const VisitAborted&) {
    stopped();  // what was requested says why; the point is left as it is
  } catch (const VisitFailed& failure) {
    retire(point, finish_without(point.series(), point.point(), failure.outcome(), failure.what(), failure.code()));
  }
  return true;
}

bool Session::stopped() {
  if (end_.reason.empty() && world_.stop_requested()) end_.reason = by_signal;
  if (end_.reason.empty()) {
    end_sharpening();
    end_spare_time();
  }
  if (end_.reason.empty() && !wave_.empty() &&
      std::ranges::none_of(wave_.points(), [this](const OpenPoint& point) { return in_time(point); }))
    end_.reason = by_time;
  if (end_.reason.empty() && !breaker_.ends().empty()) end_.reason = by_failures;
  return !end_.reason.empty();
}

/// Whether the point's next visit is predicted to end within the time limit.
bool Session::in_time(const OpenPoint& point) const {
  return !order_.time_limit || measuring() + point.next_cost() <= *order_.time_limit;
}

void Session::report(const std::string& current, const OpenPoint* point) const {
  Progress progress;
  progress.done = recorded_;
  progress.known = recorded_ + static_cast<int>(wave_.size() + agenda_.points());
  progress.elapsed = visitor_.elapsed();
  progress.left = left();
  progress.current = current;
  if (point != nullptr && point->latest_estimate())
    progress.value = {*point->latest_estimate(), point->series().measurement.quantities.front().unit,
                      point->disturbed_share()};
  world_.progress(progress);
}

WorkLeft Session::work_left() const {
  WorkLeft work{measuring(), visitor_.set_up(), idle_, visitor_.started(), {}, agenda_.points_by_series(), 1, {}, {}};
  work.limit = order_.time_limit;
  for (const OpenPoint& point : wave_.points()) {
    if (point.is_sharpened()) continue;
    const bool may_have_more = point.series().precision.spare_time && order_.time_limit && order_.launch == nullptr;
    const auto opened = static_cast<int>(point.opened().size());
    work.open.push_back({point.series_index(), point.spent(), point.spent_here(), point.wanted(), point.time_left_own(),
                         may_have_more ? point.time_left_extended() : point.time_left(),
                         std::max(0, point.incarnations() - opened), point.visits()});
    work.processes = std::max(work.processes, point.incarnations());
    work.until_spread = std::max(work.until_spread, point.spread() - visitor_.time());
  }
  return work;
}

Nanoseconds Session::left() const { return time_left_.estimate(work_left()); }

CampaignEnd run_session(const SessionOrder& order, const Surroundings& world) { return Session(order, world).run(); }

}  // namespace assay
