// SPDX-License-Identifier: Apache-2.0
// How points come and go in a session: opened, known without a visit, answers to their designs, finished.
#include "run/series/identity.hpp"
#include "run/session/open_session.hpp"

namespace assay {
namespace {

constexpr int most_losses = 2;
constexpr const char* did_not_finish =
    "did not finish twice: two sessions were lost while it was measured; 'assay resume --retry-failed' repeats it";

}  // namespace

/// Finishes a point that ends the program, or that is one of a measurement that was given up.
bool Session::give_up(std::size_t series, const Point& point) {
  const SeriesPlan& plan = plan_.series[series];
  const bool is_lost = order_.earlier.losses(plan.name, point) >= most_losses;
  const std::string why = is_lost ? did_not_finish : breaker_.gives_up(plan.measurement.name);
  if (why.empty()) return false;
  keep(series, finish_without(plan, point, Outcome::failed, why));
  return true;
}

/// Finishes a point that needs no visit to be known as N/A.
bool Session::settle(std::size_t series, const Point& point) {
  const SeriesPlan& plan = plan_.series[series];
  const auto known = not_applicable(plan, point, world_.usable_cpus);
  if (known) keep(series, finish_without(plan, point, known->outcome, known->reason, known->code));
  return known.has_value();
}

/// What is open is not opened a second time: its design asked for it once more (Session::answer).
bool Session::defer(std::size_t series, const PointRequest& request) {
  if (request.attempt == 0 || !wave_.has(series, request.point)) return false;
  agenda_.defer(series, request);
  return true;
}

OpenPoint& Session::open_next() {
  WaitingPoint next = agenda_.take();
  const SeriesRun& series = agenda_.series()[next.series];
  std::string id = point_id(plan_, series.plan(), next.point);
  const int first = order_.earlier.next_incarnation(series.plan().name, next.point);
  OpenPoint& point =
      wave_.open({series.plan(next.sharpen), next.series, std::move(next.point), series.rule(next.sharpen),
                  order_.launch == nullptr ? wave_.wanted(series.plan()) : 1, first});
  point.name(std::move(id));
  point.set_awaited(order_.launch == nullptr && series.learns_early(point.point()));
  point.judge_by(visitor_.levels_for(point));
  return point;
}

/// Gives a point its visits of earlier sessions back; true when it needs no further one.
bool Session::restore(OpenPoint& point) {
  if (order_.continuation == nullptr) return false;
  for (const PastVisit& visit : order_.continuation->visits(point.series().name, point.point()))
    point.restore(visit.record, visit.clock_step);
  if (point.visits() == 0 || point.needs_calibration()) return false;
  const Verdict verdict = check(point);
  if (turn(point, verdict) != Turn::finish) return false;
  retire(point, point.finish(verdict));
  return true;
}

/// Leaves a point to further launches. Until one is started, the point has the results so far.
void Session::pass_on(OpenPoint& point, const Verdict& verdict) {
  ++passed_on_;
  if (!is_part()) {
    PointRecord record = point.finish(verdict);
    record.unfinished = true;
    return retire(point, record);
  }
  visitor_.close(point);
  wave_.remove(point);
}

/// A design that learns need not wait for the end of the time that a point's visits are to span.
void Session::answer(OpenPoint& point) {
  SeriesRun& series = agenda_.series()[point.series_index()];
  if (order_.launch != nullptr || !point.latest_estimate() || !series.awaits(point.point(), *point.latest_estimate()))
    return;
  const Response known = series.response(point.finish(Outcome::max_time, "goes on"));
  if (!known.usable) return;
  world_.write(AnswerRecord{point.series().name, point.point(), known.value, known.relative_half_width});
  series.answer(point.point(), known);
  point.set_awaited(false);
}

void Session::retire(OpenPoint& point, const PointRecord& record) {
  visitor_.close(point);
  if (point.visits() > 0) time_left_.add(point.series_index(), point.spent(), point.spent_here());
  keep(point.series_index(), record);
  if (!record.results.empty())
    for (const DerivedRecord& derived : point.derived()) world_.write(derived);
  wave_.remove(point);
}

void Session::keep(std::size_t series, PointRecord record) {
  add_sessions(record, order_.earlier, order_.earlier.pass(), plan_.series[series].precision.rule.alpha);
  if (world_.is_virtual_machine) limit_term_on_virtual_machine(plan_.series[series], record);
  record.id = point_id(plan_, plan_.series[series], record.point);
  world_.write(record);
  take_note(series, record);
}

void Session::take_note(std::size_t series, const PointRecord& record) {
  breaker_.add(record);
  unfinished_.add(record);
  SeriesRun& run = agenda_.series().at(series);
  const bool is_elsewhere = launches_ && is_launched(run.plan());
  const bool is_new = is_elsewhere ? run.absorb(record) : run.finish(record);
  ++recorded_;
  if (is_new && record.outcome != Outcome::aborted) ++end_.points;
  if (has_failed(record.outcome)) ++end_.without_result;
  if (!record.results.empty()) ++end_.measured;
}

}  // namespace assay
