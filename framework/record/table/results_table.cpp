// SPDX-License-Identifier: Apache-2.0
// All results of a journal as text: a table per series, legend, notes and a count of outcomes.
#include "record/table/results_table.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "record/grouping.hpp"
#include "record/known_cores.hpp"
#include "record/shown_value.hpp"
#include "record/table/contradictions.hpp"
#include "record/table/result_row.hpp"
#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::size_t told_alike = 2;

// A note without its numbers: what notes on many points of a series have in common.
std::string kind_of(const std::string& text) {
  std::string kind;
  for (const char letter : text)
    if (letter < '0' || letter > '9') kind += letter;
  return kind;
}

// Of more than a few that differ in numbers only the first is printed.
void print_notes(std::ostream& out, const std::vector<Record>& records) {
  std::map<std::string, std::vector<const std::string*>> alike;
  std::vector<std::string> kinds;  // in the order of their first notes
  for (const Record& record : records)
    if (const auto* note = std::get_if<NoteRecord>(&record)) {
      auto& texts = alike[kind_of(note->text)];
      if (texts.empty()) kinds.push_back(kind_of(note->text));
      texts.push_back(&note->text);
    }
  for (const std::string& kind : kinds) {
    const auto& texts = alike[kind];
    const std::size_t told = texts.size() <= told_alike ? texts.size() : 1;
    for (std::size_t i = 0; i < told; ++i) out << "note: " << printable(*texts[i]) << '\n';
    if (texts.size() > told)
      out << "      and " << texts.size() - told
          << " more that differ in numbers only; 'assay export --format json' has all\n";
  }
  if (!kinds.empty()) out << '\n';
}

// As of notes, only some.
void print_contradictions(std::ostream& out, const std::vector<std::string>& texts) {
  constexpr std::size_t most_told = 5;
  for (std::size_t i = 0; i < std::min(texts.size(), most_told); ++i) out << "note: " << texts[i] << '\n';
  if (texts.size() > most_told)
    out << "      and " << texts.size() - most_told << " more results that an earlier session contradicts\n";
  if (!texts.empty()) out << '\n';
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
    out << "incomplete: ended by " << printable(end->reason) << '\n';
  else if (end == nullptr && begun)
    out << "incomplete: the session has no end record; it is still running or was interrupted\n";
}

}  // namespace

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

void print_unshown(std::ostream& out, const std::vector<SeriesGroup>& groups, const std::set<std::string>& shown) {
  std::string names;
  for (const SeriesGroup& group : groups)
    if (const std::string& name = group.series.series; !name.empty() && !shown.contains(name))
      names += (names.empty() ? "" : ", ") + printable(name);
  if (!names.empty()) out << "not in this layout: series " << names << "; --layout plain shows them\n";
}

void print_close(std::ostream& out, const std::vector<Record>& records, const std::vector<SeriesGroup>& groups) {
  print_notes(out, records);
  print_contradictions(out, contradictions(records, groups));
  print_counts(out, groups);
  print_end(out, records);
}

namespace {

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
  if (const std::string found = found_text(point, result); !found.empty()) line += ", " + found;
  if (result.steadiness.dropped > 0) line += ", " + warm_up_text(result.steadiness.dropped);
  if (marks.find('~') != marks.npos) line += ", short-term";
  if (point.clock_bound) line += ", clock bound " + rounded(*point.clock_bound);
  if (point.reference.moved) line += ", CPUs moved: " + moved_text(point);
  if (marks.find('#') != marks.npos)
    line += ", " + percent_text(result.disturbed_share) + " % disturbed (" + to_text(point.disturbed) + ")";
  return line;
}

// What a layout derived over several series.
void print_overall(std::ostream& out, SeriesGroup group, std::size_t width) {
  std::ostringstream lines;
  lines << "over several series:\n";
  // So only the levels that differ are printed.
  for (const DerivedRecord& record : group.derived) group.points.emplace_back().point = record.group;
  print_derived(lines, group);
  out << with_hanging_indent(lines.str(), width);
}

}  // namespace

namespace {

std::size_t points_in(const std::vector<SeriesGroup>& groups) {
  std::size_t points = 0;
  for (const SeriesGroup& group : groups) points += group.points.size();
  return points;
}

// What stands below brief tables: what their words of trust ask for, and what they leave out.
struct InCommon {
  std::size_t values = 0;
  std::size_t short_term = 0;
  std::size_t unconverged = 0;
  std::size_t hidden = 0;

  void add(const Result& result) {
    if (!is_shown(result)) {
      ++hidden;
      return;
    }
    ++values;
    short_term += result.term == Term::short_term ? 1 : 0;
    // An open one is of a regime that did not decide when to stop.
    const Outcome outcome = result.verdict.outcome;
    unconverged += outcome == Outcome::converged || outcome == Outcome::open ? 0 : 1;
  }
};

InCommon in_common(const std::vector<SeriesGroup>& groups) {
  InCommon all;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      all.hidden += point.others.size();
      for (const Result& result : point.results) all.add(result);
    }
  return all;
}

void print_in_common(std::ostream& out, const InCommon& all) {
  const std::string of_all = " of " + counted(all.values, "value");
  if (all.short_term > 0)
    out << "short-term: " << (all.short_term == all.values ? "all values" : std::to_string(all.short_term) + of_all)
        << " were taken within less time than min-span, or are of what changes within minutes (G-WAKE, G-APART, "
           "G-MEMORY, several clocks, CPUs that others used); another run may differ by more than the +-%\n";
  if (all.unconverged > 0)
    out << "more precise: 'assay resume DIR --add-session' measures everything once more; " << all.unconverged << of_all
        << (all.unconverged == 1 ? " has" : " have") << " not converged\n";
  if (all.hidden > 0)
    out << "not shown: " << counted(all.hidden, "row")
        << " of other states of the cores and of rare regimes; 'assay show DIR --verbose' has them, with intervals\n";
  if (all.short_term + all.unconverged + all.hidden > 0) out << '\n';
}

// What stands below the tables of these groups: notes on other series say nothing about what is shown.
std::vector<Record> about(const std::vector<SeriesGroup>& groups, const std::vector<Record>& records) {
  const auto is_on_another = [&](const std::string& note) {
    if (!note.starts_with("series ")) return false;
    return std::ranges::none_of(
        groups, [&](const SeriesGroup& group) { return note.starts_with("series " + group.series.series + ": "); });
  };
  std::vector<Record> kept;
  for (const Record& record : records) {
    const auto* note = std::get_if<NoteRecord>(&record);
    if (note != nullptr ? !is_on_another(note->text)
                        : std::holds_alternative<SessionRecord>(record) || std::holds_alternative<EndRecord>(record))
      kept.push_back(record);
  }
  return kept;
}

void print_groups(std::ostream& out, const std::vector<Record>& records, std::vector<SeriesGroup> all,
                  TableChoice choice) {
  const std::size_t known = points_in(all);
  const auto groups = filtered(std::move(all), choice.filter);
  const InCommon common = in_common(groups);
  choice.says_term = common.short_term < common.values;
  print_title(out, records);
  std::string marks;
  for (const SeriesGroup& group : groups) {
    if (group.series.series.empty())
      print_overall(out, group, choice.style.width);
    else
      marks += print_series(out, group, choice);
    out << "\n";
  }
  std::ostringstream below;
  print_legend(below, marks);
  if (choice.detail == TableDetail::brief) print_in_common(below, common);
  if (choice.filter.empty()) {
    print_close(below, records, groups);
  } else {
    below << "filtered: " << points_in(groups) << " of " << known
          << " points; derived values are of all of them, and left out\n\n";
    print_close(below, about(groups, records), groups);
  }
  out << with_hanging_indent(below.str(), choice.style.width);
}

}  // namespace

void print_results(std::ostream& out, const std::vector<Record>& records, const TableChoice& choice) {
  print_groups(out, records, group_by_series(records), choice);
}

void print_results(std::ostream& out, std::span<const ShownCampaign> campaigns, const TableChoice& choice,
                   const std::string& where) {
  std::vector<std::vector<SeriesGroup>> of_each;
  std::vector<SeriesGroup> all;
  for (const ShownCampaign& campaign : campaigns) {
    of_each.push_back(group_by_series(campaign.records));
    if (campaigns.size() > 1) all.insert(all.end(), of_each.back().begin(), of_each.back().end());
  }
  require_known(choice, campaigns.size() > 1 ? all : of_each.front(), where);
  for (std::size_t i = 0; i < campaigns.size(); ++i) {
    if (campaigns.size() > 1) out << "== " << printable(campaigns[i].name) << "\n\n";
    print_groups(out, campaigns[i].records, std::move(of_each[i]), choice);
    if (campaigns.size() > 1) out << '\n';
  }
}

std::string one_line(const PointRecord& point) {
  std::string line = printable(point.series);
  for (const auto& level : point.point.levels())
    line += ' ' + level.first + '=' + shown_level(point.point, level.first);
  return line + ": " + (point.results.empty() ? verdict_text(point) : result_text(point, *dominant_result(point)));
}

}  // namespace assay
