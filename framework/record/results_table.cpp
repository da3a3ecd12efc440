// SPDX-License-Identifier: Apache-2.0
// All results of a journal as text: a table per series, legend, notes and a count of outcomes.
#include <ostream>

#include "record/derived_text.hpp"
#include "record/frame.hpp"
#include "record/grouping.hpp"
#include "record/printable.hpp"
#include "record/series_table.hpp"
#include "record/shown_value.hpp"
#include "record/table.hpp"
#include "stats/phrase.hpp"

namespace assay {

namespace {

// The primary quantity in the regime that most batches were in.
const Result& dominant(const PointRecord& point) {
  const Result* best = &point.results.front();
  for (const Result& result : point.results)
    if (result.quantity == best->quantity && result.regime_share > best->regime_share) best = &result;
  return *best;
}

std::string interval_text(const Result& result, const ShownValue& text) {
  if (!result.headline.interval.available()) return " [no interval]";
  return " [" + text.low + " .. " + text.high + "] +-" + percent_text(result.headline.relative_half_width()) + " %";
}

// The reason too, unless the outcome and the half-width say it all: a log has room for it, the table has not.
std::string ending_text(const Verdict& verdict) {
  const bool plain = verdict.outcome == Outcome::converged || verdict.outcome == Outcome::max_timings ||
                     verdict.outcome == Outcome::max_time || verdict.reason.empty();
  return plain ? "" : ": " + printable(verdict.reason);
}

std::string result_text(const PointRecord& point, const Result& result) {
  const Scale scale = scale_of(result.headline.value, result.unit);
  const ShownValue text = shown(result.headline.value, result.headline.interval, scale);
  const std::string marks = marks_of(point, result);
  std::string line = text.value + ' ' + scale.name + interval_text(result, text);
  if (result.regime != Regime::solo || result.regime_share < 1) line += ", " + regime_text(result);
  line += ", " + verdict_text(result) + ending_text(result.verdict);
  if (result.steadiness.dropped > 0) line += ", " + warm_up_text(result.steadiness.dropped);
  if (marks.find('~') != marks.npos) line += ", short-term";
  if (point.clock_bound) line += ", clock bound " + rounded(*point.clock_bound);
  if (point.reference.moved) line += ", CPUs moved: " + moved_text(point);
  if (marks.find('#') != marks.npos)
    line += ", " + percent_text(result.disturbed_share) + " % disturbed (" + to_text(point.disturbed) + ")";
  return line;
}

// What a layout derived over several series.
void print_overall(std::ostream& out, SeriesGroup group) {
  out << "over several series:\n";
  // So that only the levels that differ are told.
  for (const DerivedRecord& record : group.derived) group.points.emplace_back().point = record.group;
  print_derived(out, group);
}

}  // namespace

void print_results(std::ostream& out, const std::vector<Record>& records) {
  const auto groups = group_by_series(records);
  print_title(out, records);
  std::string marks;
  for (const SeriesGroup& group : groups) {
    if (group.series.series.empty())
      print_overall(out, group);
    else
      marks += print_series(out, group);
    out << "\n";
  }
  print_legend(out, marks);
  print_close(out, records, groups);
}

std::string one_line(const PointRecord& point) {
  std::string line = printable(point.series);
  for (const auto& level : point.point.levels())
    line += ' ' + level.first + '=' + shown_level(point.point, level.first);
  return line + ": " + (point.results.empty() ? verdict_text(point) : result_text(point, dominant(point)));
}

}  // namespace assay
