// SPDX-License-Identifier: Apache-2.0
// How a session ends: what it leaves behind, what is computed over its points, what it reports.
#include "record/layout/layouts.hpp"
#include "run/session/open_session.hpp"

namespace assay {

namespace {

// The reason of the points that an early end leaves behind; `failures`: how many there were.
std::string why_left(const std::string& reason, const std::string& failures) {
  if (reason == by_signal) return "stopped by a signal";
  if (reason == by_time) return "time limit reached";
  if (reason == by_launcher) return "the launcher starts no ranks";
  return reason == by_failures ? failures : "the system could not be restored";
}

// Writes the derived values of the series and of the campaign's layout, and what the reader should know of the series
// and was not reported before.
void write_conclusions(const std::vector<SeriesRun>& series, const SessionOrder& order, const Surroundings& world) {
  const auto layout = usable_layout(order.plan.layout);
  const bool derives = layout && layout->derive;
  std::vector<SeriesGroup> groups;
  for (const SeriesRun& one : series) {
    const auto derived = one.derived();
    for (const DerivedRecord& record : derived) world.write(record);
    // What is measured in launches is reported by rank 0.
    const bool is_told = world.launches != nullptr && is_launched(one.plan());
    for (const NoteRecord& note :
         is_told ? std::vector<NoteRecord>() : one.notes(world.usable_cpus, world.is_virtual_machine))
      if (!order.earlier.has_note(note.text)) world.write(note);
    if (derives) groups.push_back(one.group(derived));
  }
  if (!derives) return;
  for (const DerivedRecord& record : layout->derive(groups, order.plan.configuration)) world.write(record);
}

}  // namespace

/// Finishes what an early end leaves behind. What was to be measured again has a result already, which stands.
void Session::abandon() {
  const bool in_time = end_.reason != by_time;
  const std::string why = why_left(end_.reason, breaker_.ends());
  const Outcome outcome = in_time ? Outcome::aborted : Outcome::max_time;
  if (is_part()) return abandon_part(outcome, why);
  while (!wave_.empty()) leave(wave_.front(), outcome, why);
  for (;;) {
    if (agenda_.empty())
      agenda_.collect_known(
          [this](std::size_t series, const PointRequest& request) { return settle(series, request.point); });
    if (agenda_.empty()) agenda_.take_up_deferred(wave_);
    if (agenda_.empty()) agenda_.take_up_lost();
    if (agenda_.empty()) return;
    OpenPoint& point = open_next();
    if (!restore(point)) leave(point, outcome, why);
  }
}

/// Leaves the points of a launch that ends early to those that follow; those in the wave with what they have.
void Session::abandon_part(Outcome outcome, const std::string& why) {
  passed_on_ += static_cast<int>(agenda_.points());
  while (!wave_.empty()) {
    OpenPoint& point = wave_.front();
    ++passed_on_;
    if (point.visits() > 0) {
      leave(point, outcome, why);
      continue;
    }
    visitor_.close(point);
    wave_.remove(point);
  }
}

/// Finishes a point as far as it came.
void Session::leave(OpenPoint& point, Outcome outcome, const std::string& why) {
  if (agenda_.series()[point.series_index()].stands(point.point())) {
    visitor_.close(point);
    wave_.remove(point);
    return;
  }
  PointRecord record = point.visits() > 0 ? point.finish(outcome, why)
                                          : finish_without(point.series(), point.point(), Outcome::aborted,
                                                           why + " before the first visit");
  record.unfinished = record.outcome == Outcome::aborted || record.outcome == outcome;
  retire(point, record);
}

void Session::conclude() {
  if (end_.reason.empty()) end_.reason = "complete";
  if (is_part()) return conclude_part();
  write_conclusions(agenda_.series(), order_, world_);
  for (const NoteRecord& note : unfinished_.notes(order_.session)) world_.write(note);
  if (order_.launch != nullptr && passed_on_ > 0)
    world_.write(
        NoteRecord{"a launch is one incarnation, and more are requested: repeating the command adds the next, and "
                   "'assay run' without a launcher before it starts as many as are needed"});
  if (launches_ && !launches_->gave_up().empty())
    world_.write(NoteRecord{"no further launches were started: " + launches_->gave_up()});
  for (const std::string& text : visitor_.remarks()) {
    world_.write(NoteRecord{text});
    ++end_.warnings;
  }
  if (const CoresRecord cores = visitor_.cores(); !cores.levels.empty()) world_.write(cores);
  world_.write(EndRecord{order_.session, end_.reason, end_.points, end_.without_result, visitor_.elapsed()});
}

/// The campaign's own session computes what is computed over points; what only this one knows is reported, at the end
/// of the last launch.
void Session::conclude_part() {
  if (passed_on_ == 0 && end_.reason == "complete") {
    for (const SeriesRun& series : agenda_.series())
      for (const NoteRecord& note : series.notes(world_.usable_cpus, world_.is_virtual_machine))
        if (!order_.earlier.has_note(note.text)) world_.write(note);
    for (const std::string& text : visitor_.remarks()) world_.write(NoteRecord{text});
  }
  // The next launch begins with what this one knows.
  if (const CoresRecord cores = visitor_.cores(); !cores.levels.empty()) world_.write(cores);
  world_.write(LaunchRecord{order_.session, order_.launch->launch, {}, end_.reason, passed_on_});
}

}  // namespace assay
