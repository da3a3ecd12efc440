// SPDX-License-Identifier: Apache-2.0
// Results as one JSON object, an element per result.
#include <algorithm>
#include <ostream>

#include "record/core_cycles.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/state_choice.hpp"
#include "record/table/result_row.hpp"

namespace assay {

namespace {

using Members = Json::Object;

Json texts_json(const std::vector<std::string>& texts) { return Json::Array(texts.begin(), texts.end()); }

// Null where nothing is said.
Json said(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json campaign_json(const std::vector<Record>& records) {
  Members members;
  Json ended;
  for (const Record& record : records) {
    if (const auto* campaign = std::get_if<CampaignRecord>(&record))
      members = {{"title", campaign->title},
                 {"id", said(campaign->id)},
                 {"seed", std::to_string(campaign->seed)},  // of 64 bits: more than a reader's number may hold
                 {"schedule", campaign->schedule},
                 {"configuration", campaign->configuration}};
    if (std::holds_alternative<SessionRecord>(record)) ended = {};
    if (const auto* end = std::get_if<EndRecord>(&record)) ended = end->reason;
  }
  members.emplace_back("ended", std::move(ended));
  return members;
}

Json session_json(const SessionRecord& session) {
  Members facts;
  for (const auto& [key, value] : session.facts) facts.emplace_back(key, value);
  return Members{{"session", session.session},
                 {"started", session.started},
                 {"command_line", session.command_line},
                 {"continues", session.continues},
                 {"facts", std::move(facts)}};
}

// Of the machine that the results are of.
Json::Array sessions_json(const std::vector<Record>& records) {
  Json::Array sessions;
  for (const Record& record : records)
    if (const auto* session = std::get_if<SessionRecord>(&record)) {
      if (session->new_machine) sessions.clear();
      sessions.push_back(session_json(*session));
    }
  return sessions;
}

Json series_json(const SeriesRecord& series) {
  Json::Array quantities;
  for (const Quantity& quantity : series.quantities)
    quantities.push_back(
        Members{{"name", quantity.name}, {"unit", symbol(quantity.unit)}, {"summary", quantity.summary}});
  return Members{{"name", series.series},
                 {"measurement", series.measurement},
                 {"version", said(series.version)},
                 {"rule", series.rule},
                 {"quantities", std::move(quantities)}};
}

// As `assay show` prints it.
Json text_json(const PointRecord& point, const Result& result, const ColumnScales& scales) {
  const Scale scale = scale_in(scales, result);
  const ShownValue text = shown(result.headline.value, result.headline.interval, scale);
  return Members{{"median", text.value},
                 {"low", text.low},
                 {"high", text.high},
                 {"unit", scale.name},
                 {"percent", percent_text(result.headline.relative_half_width())},
                 {"regime", regime_text(result)},
                 {"marks", marks_of(point, result)},
                 {"verdict", verdict_text(result)}};
}

Members start_of(const PointRecord& point) {
  return {{"series", point.series}, {"measurement", point.measurement}, {"parameters", levels_json(point.point)}};
}

void add_summary(Members& members, const Summary& summary) {
  const Members numbers{{"mean", finite_json(summary.mean)},
                        {"stddev", finite_json(summary.stddev)},
                        {"standard_error", finite_json(summary.standard_error)},
                        {"min", finite_json(summary.min)},
                        {"q10", finite_json(summary.q10)},
                        {"q25", finite_json(summary.q25)},
                        {"q75", finite_json(summary.q75)},
                        {"q90", finite_json(summary.q90)},
                        {"max", finite_json(summary.max)},
                        {"n", count_json(summary.n)}};
  members.insert(members.end(), numbers.begin(), numbers.end());
}

void add_headline(Members& members, const Estimate& headline) {
  const Interval& interval = headline.interval;
  const Members numbers{{"median", finite_json(headline.value)},
                        {"low", when_json(interval, interval.low)},
                        {"high", when_json(interval, interval.high)},
                        {"level", when_json(interval, interval.level)},
                        {"basis", headline.basis}};
  members.insert(members.end(), numbers.begin(), numbers.end());
}

Json modes_json(const std::vector<Mode>& modes) {
  Json::Array array;
  for (const Mode& mode : modes)
    array.push_back(Members{{"median", finite_json(mode.median)}, {"share", finite_json(mode.weight)}});
  return array;
}

Json another_day_json(const AnotherDay& other) {
  if (other.from == 0) return {};
  return Members{{"low", finite_json(other.interval.low)},
                 {"high", finite_json(other.interval.high)},
                 {"level", finite_json(other.interval.level)},
                 {"from", count_json(other.from)}};
}

// How the sample was taken, and how its measuring ended.
void add_replication(Members& members, const PointRecord& point, const Result& result) {
  const Members more{{"visits", result.visits},
                     {"incarnations", result.incarnations},
                     {"disturbed_share", finite_json(result.disturbed_share)},
                     {"within_spread", finite_json(result.within_spread)},
                     {"between_spread", finite_json(result.between_spread)},
                     {"term", to_text(result.term)},
                     {"another_day", another_day_json(result.another_day)},
                     {"drift", said(result.steadiness.drift)},
                     {"modes", modes_json(result.steadiness.modes)},
                     {"simulated", point.simulated},
                     {"verdict", to_text(result.verdict.outcome)},
                     {"marks", texts_json(mark_words(point, result))},
                     {"code", said(point.code)},
                     {"reason", said(result.verdict.reason)}};
  members.insert(members.end(), more.begin(), more.end());
}

void add_cycles(Members& members, const Result& result) {
  const auto cycles = cycles_of(result);
  const Interval none;
  const Interval& interval = cycles ? cycles->interval : none;
  const Members numbers{{"cycles", cycles ? finite_json(cycles->value) : Json()},
                        {"cycles_low", cycles ? when_json(interval, interval.low) : Json()},
                        {"cycles_high", cycles ? when_json(interval, interval.high) : Json()},
                        {"clock_ghz", cycles ? finite_json(result.clock.ghz) : Json()},
                        {"no_cycles", said(cycle_texts(result).why_not)}};
  members.insert(members.end(), numbers.begin(), numbers.end());
}

Json result_json(const PointRecord& point, const Result& result, const ColumnScales& scales, bool with_cycles) {
  Members members = start_of(point);
  members.insert(members.end(), {{"quantity", result.quantity},
                                 {"unit", symbol(result.unit)},
                                 {"regime", to_text(result.regime)},
                                 {"regime_share", finite_json(result.regime_share)},
                                 {"state", to_text(result.state)},
                                 {"state_share", finite_json(result.state_share)},
                                 {"converted", finite_json(result.converted)}});
  add_headline(members, result.headline);
  add_summary(members, result.summary);
  add_replication(members, point, result);
  if (with_cycles) add_cycles(members, result);
  members.emplace_back("text", text_json(point, result, scales));
  return members;
}

// A point that yielded no number: the reason in its place.
Json numberless_json(const PointRecord& point) {
  Members members = start_of(point);
  for (const char* key : {"quantity", "unit", "regime", "median", "low", "high", "mean", "stddev", "min", "max"})
    members.emplace_back(key, Json());
  members.insert(members.end(), {{"n", 0},
                                 {"simulated", point.simulated},
                                 {"verdict", to_text(point.outcome)},
                                 {"marks", Json::Array{"no-number"}},
                                 {"code", said(point.code)},
                                 {"reason", said(point.reason)},
                                 {"text", Members{{"verdict", verdict_text(point)}}}});
  return members;
}

Json derived_json(const DerivedRecord& record) {
  const Derived& derived = record.derived;
  return Members{{"series", said(record.series)},
                 {"name", record.name},
                 {"parameters", levels_json(record.group)},
                 {"quantity", record.quantity},
                 {"unit", record.unit},
                 {"regime", to_text(record.regime)},
                 {"formula", record.formula},
                 // One that is not to be used is reported by its reason alone.
                 {"value", derived.valid ? finite_json(derived.value) : Json()},
                 {"low", derived.valid ? when_json(derived.interval, derived.interval.low) : Json()},
                 {"high", derived.valid ? when_json(derived.interval, derived.interval.high) : Json()},
                 {"valid", derived.valid},
                 {"code", said(code_in(derived.reason))},
                 {"reason", said(derived.reason)}};
}

// A line each, so that files can be searched and set side by side line by line.
void write_member(std::ostream& out, const char* name, const Json::Array& items, bool last = false) {
  out << '"' << name << "\":[";
  for (const Json& item : items) out << (&item == &items.front() ? "\n" : ",\n") << to_text(item);
  out << (last ? "]\n" : "],\n");
}

}  // namespace

Remarks write_results_json(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  Json::Array series;
  Json::Array results;
  Json::Array derived;
  Json::Array notes;
  for (const SeriesGroup& group : group_by_series(source.records)) {
    if (!group.series.series.empty()) series.push_back(series_json(group.series));
    const ColumnScales scales = column_scales(group);
    for (const PointRecord& point : group.points) {
      if (point.results.empty()) results.push_back(numberless_json(point));
      for (const Result* result : rows_by_state(point))
        results.push_back(result_json(point, *result, scales, options.cycles));
    }
    for (const DerivedRecord& record : group.derived) derived.push_back(derived_json(record));
  }
  for (const Record& record : source.records)
    if (const auto* note = std::get_if<NoteRecord>(&record)) notes.emplace_back(note->text);
  out << "{\"format\":\"assay-results\",\"version\":1,\n\"campaign\":" << to_text(campaign_json(source.records))
      << ",\n\"provenance\":{";
  write_member(out, "sessions", sessions_json(source.records), true);
  out << "},\n";
  write_member(out, "series", series);
  write_member(out, "results", results);
  write_member(out, "derived", derived);
  write_member(out, "notes", notes, true);
  out << "}\n";
  return {};
}

}  // namespace assay
