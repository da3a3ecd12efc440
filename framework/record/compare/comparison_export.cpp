// SPDX-License-Identifier: Apache-2.0
// A comparison for other programs: the same members as columns and as JSON.
#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

#include "base/value.hpp"
#include "record/compare/comparison_report.hpp"
#include "record/export/export_parts.hpp"
#include "record/grouping.hpp"
#include "text/csv_text.hpp"
#include "text/json.hpp"

namespace assay {

namespace {

using Members = Json::Object;

Json number_when(bool available, double number) { return available ? Json(number) : Json(); }

Json count_json(std::size_t count) { return Json(static_cast<std::int64_t>(count)); }

Json needed_json(const std::optional<int>& needed) { return needed ? Json(*needed) : Json(); }

// What the comparison found, in the order of columns.
Members found_members(const ComparedResult& result) {
  const PairedResult& pair = result.pair;
  const Shift& shift = result.finding.shift;
  const bool has_interval = shift.interval.available();
  return {{"quantity", pair.quantity},
          {"unit", symbol(pair.unit)},
          {"regime", to_text(pair.regime)},
          {"state", to_text(pair.state)},
          {"headline_state_a", to_text(pair.headline_a)},
          {"headline_state_b", to_text(pair.headline_b)},
          {"clock_scale", pair.clock_scale},
          {"distance_scale", pair.distance_scale},
          {"a", pair.a.median},
          {"b", pair.b.median},
          {"incarnations_a", count_json(pair.a.processes.size())},
          {"incarnations_b", count_json(pair.b.processes.size())},
          {"scale", shift.is_ratio ? "ratio" : "difference"},
          {"shift", shift.value},
          {"low", number_when(has_interval, shift.interval.low)},
          {"high", number_when(has_interval, shift.interval.high)},
          {"level", number_when(has_interval, shift.interval.level)},
          {"p", shift.p},
          {"adjusted_p", result.finding.adjusted_p},
          {"margin", result.margin},
          {"in_turn", result.in_turn ? Json(*result.in_turn) : Json()},
          {"verdict", to_text(result.finding.change)},
          {"needed", needed_json(result.finding.needed)},
          {"reason", result.finding.reason}};
}

// What an earlier campaign has to do with it.
Members earlier_members(const ComparedResult& result) {
  const bool known = result.earlier.has_value();
  const EarlierValue earlier = result.earlier.value_or(EarlierValue{});
  const Interval& interval = earlier.since.shift.interval;
  return {{"then", number_when(known, earlier.median)},
          {"since_shift", number_when(known, earlier.since.shift.value)},
          {"since_low", number_when(known && interval.available(), interval.low)},
          {"since_high", number_when(known && interval.available(), interval.high)},
          {"since_verdict", known ? Json(to_text(earlier.since.change)) : Json()}};
}

// What follows the point, in the order of columns.
Members members_of(const ComparedResult& result, const ComparisonReport& report) {
  Members members = found_members(result);
  if (report.earlier)
    for (auto& member : earlier_members(result)) members.push_back(std::move(member));
  return members;
}

// A row's point, whichever kind of row.
struct ComparedRow {
  std::string series;
  std::string measurement;
  Point point;
  Members members;
};

ComparedRow row_of(const ComparedResult& result, const ComparisonReport& report) {
  ComparedRow row{result.pair.series, result.pair.measurement, result.pair.point, members_of(result, report)};
  if (!result.pair.level.empty()) row.point.set(report.factor, result.pair.level);
  return row;
}

ComparedRow row_of(const Unpaired& unpaired, const ComparisonReport& report) {
  ComparedRow row{unpaired.series, "", unpaired.point, {{"verdict", "refused"}, {"reason", unpaired.reason}}};
  if (!unpaired.level.empty()) row.point.set(report.factor, unpaired.level);
  return row;
}

std::vector<ComparedRow> rows_of(const ComparisonReport& report) {
  std::vector<ComparedRow> rows;
  for (const ComparedResult& result : report.results) rows.push_back(row_of(result, report));
  for (const Unpaired& unpaired : report.unpaired) rows.push_back(row_of(unpaired, report));
  return rows;
}

std::vector<std::string> factors_of(const std::vector<ComparedRow>& rows) {
  std::vector<std::string> names;
  for (const ComparedRow& row : rows)
    for (const auto& level : row.point.levels())
      if (std::ranges::find(names, level.first) == names.end()) names.push_back(level.first);
  return names;
}

struct Cell {
  std::string operator()(const std::string& text) const { return csv_text(text); }
  std::string operator()(double number) const { return to_text(number); }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

std::string plain_level(const Point& point, const std::string& factor) {
  const Value* level = point.find(factor);
  return level == nullptr ? std::string() : level_json(*level).visit(Cell{});
}

void write_row(std::ostream& out, const ComparedRow& row, const std::vector<std::string>& factors,
               const Members& columns) {
  out << csv_text(row.series) << ',' << csv_text(row.measurement);
  for (const std::string& factor : factors) out << ',' << plain_level(row.point, factor);
  for (const auto& column : columns) {
    const auto found = std::ranges::find(row.members, column.first, &Members::value_type::first);
    out << ',' << (found == row.members.end() ? std::string() : found->second.visit(Cell{}));
  }
  out << '\n';
}

Json json_of(const ComparedRow& row) {
  Members point;
  for (const auto& [factor, level] : row.point.levels()) point.emplace_back(factor, level_json(level));
  Members members{{"series", row.series}, {"measurement", row.measurement}, {"point", std::move(point)}};
  for (const auto& member : row.members) members.push_back(member);
  return members;
}

template <class Items>
Json array_of(const Items& items, const ComparisonReport& report) {
  Json::Array array;
  for (const auto& item : items) array.push_back(json_of(row_of(item, report)));
  return array;
}

Json counts_of(const ComparisonReport& report) {
  Members counts;
  for (const Change change : {Change::slower, Change::faster, Change::possibly_slower, Change::possibly_faster,
                              Change::same, Change::unclear}) {
    std::string name(to_text(change));
    std::ranges::replace(name, ' ', '_');
    counts.emplace_back(std::move(name), count_json(count_of(report, change)));
  }
  counts.emplace_back("refused", count_json(report.unpaired.size()));
  counts.emplace_back("without_number", count_json(report.numberless));
  return counts;
}

}  // namespace

void write_comparison_csv(std::ostream& out, const ComparisonReport& report) {
  const auto rows = rows_of(report);
  const auto factors = factors_of(rows);
  const Members columns = members_of(ComparedResult{}, report);
  out << "series,measurement";
  const auto is_taken = [&](const std::string& name) {
    return name == "series" || name == "measurement" ||
           std::ranges::find(columns, name, &Members::value_type::first) != columns.end();
  };
  for (const std::string& factor : factors) out << ',' << csv_text(is_taken(factor) ? "factor." + factor : factor);
  for (const auto& column : columns) out << ',' << column.first;
  out << '\n';
  for (const ComparedRow& row : rows) write_row(out, row, factors, columns);
}

void write_comparison_json(std::ostream& out, const ComparisonReport& report) {
  Json::Array notes(report.notes.begin(), report.notes.end());
  const bool interleaved = report.design == ComparisonDesign::interleaved;
  Members whole{{"a", report.a},
                {"b", report.b},
                {"factor", report.factor.empty() ? Json() : Json(report.factor)},
                {"design", interleaved ? "interleaved" : "sequential"},
                {"margin", report.margin},
                {"q", report.q},
                {"notes", std::move(notes)},
                {"counts", counts_of(report)},
                {"results", array_of(report.results, report)},
                {"refused", array_of(report.unpaired, report)}};
  if (report.earlier)
    whole.emplace_back("earlier", Members{{"name", report.earlier->name},
                                          {"when", report.earlier->when},
                                          {"refusal", report.earlier->refusal},
                                          {"has_program", report.earlier->has_program}});
  out << to_text(Json(std::move(whole))) << '\n';
}

}  // namespace assay
