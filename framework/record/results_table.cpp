// SPDX-License-Identifier: Apache-2.0
// All results of a journal as text: a table per series, legend, notes and a count of outcomes.
#include <algorithm>
#include <map>
#include <ostream>

#include "record/grouping.hpp"
#include "record/printable.hpp"
#include "record/series_table.hpp"
#include "record/shown_value.hpp"
#include "record/table.hpp"

namespace assay {

namespace {

void print_title(std::ostream& out, const std::vector<Record>& records) {
  for (const Record& record : records)
    if (const auto* campaign = std::get_if<CampaignRecord>(&record); campaign != nullptr && !campaign->title.empty())
      out << printable(campaign->title) << "\n\n";
}

void print_legend(std::ostream& out, std::string_view used) {
  for (const char mark : all_marks)
    if (used.find(mark) != used.npos) out << mark << "  " << meaning_of(mark) << '\n';
  if (!used.empty()) out << '\n';
}

void print_notes(std::ostream& out, const std::vector<Record>& records) {
  bool any = false;
  for (const Record& record : records) {
    const auto* note = std::get_if<NoteRecord>(&record);
    if (note == nullptr) continue;
    out << "note: " << printable(note->text) << '\n';
    any = true;
  }
  if (any) out << '\n';
}

void print_counts(std::ostream& out, const std::vector<SeriesGroup>& groups) {
  std::map<Outcome, int> counts;
  int points = 0;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      ++counts[point.outcome];
      ++points;
    }
  out << std::to_string(points) << (points == 1 ? " point" : " points");
  const char* separator = ": ";
  for (const auto& [outcome, count] : counts) {
    out << separator << std::to_string(count) << ' ' << to_text(outcome);
    separator = ", ";
  }
  out << '\n';
}

// How the last session ended, unless it is complete.
void print_end(std::ostream& out, const std::vector<Record>& records) {
  const EndRecord* end = nullptr;
  bool begun = false;
  for (const Record& record : records) {
    if (std::holds_alternative<SessionRecord>(record)) {
      begun = true;
      end = nullptr;
    }
    if (const auto* ended = std::get_if<EndRecord>(&record)) end = ended;
  }
  if (end != nullptr && end->reason != "complete")
    out << "not complete: ended by " << printable(end->reason) << '\n';
  else if (end == nullptr && begun)
    out << "not complete: the session has no end record; it is still running or was interrupted\n";
}

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
  const std::string marks = marks_of(result);
  std::string line = text.value + ' ' + scale.name + interval_text(result, text);
  if (result.regime != Regime::solo || result.regime_share < 1) line += ", " + regime_text(result);
  line += ", " + verdict_text(result) + ending_text(result.verdict);
  if (result.steadiness.dropped > 0) line += ", " + warm_up_text(result.steadiness.dropped);
  if (marks.find('~') != marks.npos) line += ", short-term";
  if (marks.find('#') != marks.npos)
    line += ", " + percent_text(result.disturbed_share) + " % disturbed (" + to_text(point.disturbed) + ")";
  return line;
}

}  // namespace

void print_results(std::ostream& out, const std::vector<Record>& records) {
  const auto groups = group_by_series(records);
  print_title(out, records);
  std::string marks;
  for (const SeriesGroup& group : groups) {
    marks += print_series(out, group);
    out << "\n";
  }
  print_legend(out, marks);
  print_notes(out, records);
  print_counts(out, groups);
  print_end(out, records);
}

std::string one_line(const PointRecord& point) {
  std::string line = printable(point.series);
  for (const auto& level : point.point.levels())
    line += ' ' + level.first + '=' + shown_level(point.point, level.first);
  return line + ": " + (point.results.empty() ? verdict_text(point) : result_text(point, dominant(point)));
}

}  // namespace assay
