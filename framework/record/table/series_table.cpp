// SPDX-License-Identifier: Apache-2.0
// Rows and columns of the table of a series.
#include "record/table/results_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "record/core_cycles.hpp"
#include "record/shown_value.hpp"
#include "record/table/pictures.hpp"
#include "record/table/result_columns.hpp"
#include "record/table/result_row.hpp"
#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr double least_p = 0.0001;

// The levels of the group that differ within the series, quantity and regime where they say something.
std::string subject_of(const DerivedRecord& record, const SeriesGroup& group) {
  std::string text = printable(record.name);
  std::string where;
  for (const auto& [factor, level] : record.group.levels())
    if (group.points.empty() || varies(factor, group.points))
      where += ' ' + factor + '=' + shown_level(record.group, factor);
  if (!where.empty()) text += " at" + where;
  if (group.series.quantities.size() > 1) text += " of " + printable(record.quantity);
  if (record.regime != Regime::solo) text += ", " + to_text(record.regime);
  return text;
}

// A unit of our own is scaled; a composed one, such as ns/B, stays.
std::string value_of(const DerivedRecord& record) {
  const Derived& derived = record.derived;
  if (!derived.valid) return "n/a: " + printable(derived.reason);
  const auto unit = parse_unit(record.unit);
  const Scale scale = unit ? scale_of(derived.value, *unit) : Scale{1, printable(record.unit)};
  const ShownValue text = shown(derived.value, derived.interval, scale);
  const std::string interval =
      derived.interval.available() ? " [" + text.low + " .. " + text.high + "]" : " [no interval]";
  const std::string value = text.value + interval + (scale.name.empty() ? "" : " ") + scale.name;
  return derived.reason.empty() ? value : value + ", marked: " + printable(derived.reason);
}

std::string at(const SymmetryTest::Representative& one, const Scale& scale) {
  return shown(one.value, {}, scale).value + " (" + printable(one.placement) + ")";
}

// The verdict first, since it says how to read the values.
std::string symmetry_of(const DerivedRecord& record) {
  const SymmetryTest& test = *record.symmetry;
  std::string text = to_text(test.verdict);
  if (!record.derived.reason.empty()) text += ": " + printable(record.derived.reason);
  if (test.placements < 2) return text;
  const Scale scale = scale_of(test.lowest.value, parse_unit(test.unit).value_or(Unit::ratio));
  text += "; " + at(test.lowest, scale) + " .. " + at(test.middle, scale) + " .. " + at(test.highest, scale);
  if (!scale.name.empty()) text += " " + scale.name;
  text += ", " + std::to_string(test.placements) + " representatives";
  if (!std::isfinite(test.p)) return text;
  return text + (test.p < least_p ? ", p < 0.0001" : ", p = " + fixed_text(test.p, 4));
}

// What it was derived from: results of its quantity and regime at the points of its group.
std::vector<const Result*> inputs_of(const DerivedRecord& record, const SeriesGroup& group) {
  std::vector<const Result*> inputs;
  for (const PointRecord& point : group.points) {
    const bool is_in_group = std::ranges::all_of(record.group.levels(), [&](const auto& level) {
      const Value* found = point.point.find(level.first);
      return found != nullptr && *found == level.second;
    });
    const Result* result = is_in_group ? find_result(point, record.quantity, record.regime) : nullptr;
    if (result != nullptr) inputs.push_back(result);
  }
  return inputs;
}

// A time that is derived from times of one clock; empty for others.
std::string cycles_beside(const DerivedRecord& record, const SeriesGroup& group) {
  if (record.symmetry || !record.derived.valid || record.unit != symbol(Unit::nanoseconds)) return {};
  const auto clock = common_clock(inputs_of(record, group));
  if (!clock) return {};
  const Estimate cycles = in_cycles({"", record.derived.value, record.derived.interval, ""}, *clock);
  const ShownValue text = shown(cycles.value, cycles.interval, {1, "cycles"});
  const std::string interval = cycles.interval.available() ? " [" + text.low + " .. " + text.high + "]" : "";
  return ", " + text.value + interval + " cycles";
}

}  // namespace

void print_derived(std::ostream& out, const SeriesGroup& group, bool cycles) {
  if (!group.derived.empty()) out << '\n';
  for (const DerivedRecord& record : group.derived) {
    out << subject_of(record, group) << " = " << (record.symmetry ? symmetry_of(record) : value_of(record));
    if (cycles) out << cycles_beside(record, group);
    if (!record.formula.empty()) out << " (" << printable(record.formula) << ')';
    out << '\n';
  }
}

namespace {

void print_left_out(std::ostream& out, const SeriesGroup& group) {
  std::size_t of_regimes = 0;
  std::size_t of_states = 0;
  for (const PointRecord& point : group.points) {
    for (const Result& result : point.results) of_regimes += is_shown(result) ? 0 : 1;
    for (const Result& result : point.others) {
      if (result.state == CoreState{}) continue;
      of_states += is_rare_state(result) ? 1 : 0;
      of_regimes += !is_rare_state(result) && !is_shown(result) ? 1 : 0;
    }
  }
  if (of_regimes > 0)
    out << "left out: " << counted(of_regimes, "row")
        << " of regimes with less than a quarter of the batches; 'assay export' has all\n";
  if (of_states > 0)
    out << "left out: " << counted(of_states, "row") << " of states of the cores with less than "
        << percent(least_share_of_state) << " of the batches; 'assay show DIR --wide' has all\n";
}

// Columns up to the first value say which row it is, and are repeated in each block of a table that is too wide.
std::size_t labels_of(const std::vector<TableColumn>& columns) {
  const auto value = std::ranges::find(columns, "median", &TableColumn::title);
  return value == columns.end() ? 1 : static_cast<std::size_t>(value - columns.begin());
}

void print_columns(std::ostream& out, const std::vector<TableColumn>& columns, std::size_t rows,
                   const TextStyle& style) {
  std::vector<std::string> header;
  for (const TableColumn& column : columns) header.push_back(column.title);
  TextTable table(header, style);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::string> row;
    std::vector<Paint> paints;
    for (const TableColumn& column : columns) {
      row.push_back(column.cells[i]);
      paints.push_back(i < column.paints.size() ? column.paints[i] : Paint::none);
    }
    table.add(std::move(row), std::move(paints));
  }
  table.print(out, labels_of(columns));
}

bool has_row(const std::vector<ResultRow>& rows, const std::string& quantity) {
  return std::ranges::any_of(
      rows, [&](const ResultRow& row) { return row.result != nullptr && row.result->quantity == quantity; });
}

void print_heading(std::ostream& out, const SeriesGroup& group, const std::vector<ResultRow>& rows,
                   const TableChoice& choice) {
  const auto& quantities = group.series.quantities;
  out << printable(group.series.series) << ": " << printable(group.series.measurement);
  if (!quantities.empty() && !quantities.front().summary.empty()) out << ", " << printable(quantities.front().summary);
  out << '\n';
  for (std::size_t i = 1; i < quantities.size(); ++i)
    if (!quantities[i].summary.empty() && (choice.detail != TableDetail::brief || has_row(rows, quantities[i].name)))
      out << "  " << printable(quantities[i].name) << ": " << printable(quantities[i].summary) << '\n';
}

// The levels that distinguish a point from the others, each with a space behind it.
std::string subject_of(const SeriesGroup& group, const PointRecord& point) {
  std::string text;
  for (const std::string& factor : factors_of(group.points))
    if (varies(factor, group.points)) text += factor + '=' + shown_level(point.point, factor) + ' ';
  return text;
}

// Lines of a kind, but no more of them than are read.
void print_first(std::ostream& out, const std::string& kind, const std::vector<std::string>& lines) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) out << kind << ": " << lines[i] << '\n';
  if (lines.size() > most)
    out << kind << ": and " << std::to_string(lines.size() - most) << " more; 'assay export' has all of them\n";
}

std::optional<Nanoseconds> worst_clock_bound(const SeriesGroup& group) {
  std::optional<Nanoseconds> worst;
  for (const PointRecord& point : group.points)
    if (point.clock_bound) worst = std::max(*point.clock_bound, worst.value_or(*point.clock_bound));
  return worst;
}

// Below the table: the points whose sample was not of one steady thing, with what it was instead.
void print_unsteady(std::ostream& out, const SeriesGroup& group, const std::vector<ResultRow>& rows) {
  std::vector<std::string> lines;
  for (const PointRecord& point : group.points)
    if (point.reference.moved) lines.push_back(subject_of(group, point) + moved_text(point));
  print_first(out, "CPUs moved", lines);
  if (const auto bound = worst_clock_bound(group))
    out << "clock bound: time stamps of different ranks are accurate to within " << rounded(*bound) << '\n';
  lines.clear();
  for (const ResultRow& row : rows) {
    if (row.result == nullptr) continue;
    const std::string text = unsteady_text(*row.result, scale_of(row.result->headline.value, row.result->unit));
    if (!text.empty()) lines.push_back(subject_of(group, *row.point) + printable(row.result->quantity) + ": " + text);
  }
  print_first(out, "unsteady", lines);
}

// The clock by which cycles were computed, and why some rows have none.
void print_cycles(std::ostream& out, const std::vector<ResultRow>& rows) {
  std::vector<double> clocks;
  std::map<std::string, std::size_t> lacking;
  for (const ResultRow& row : rows) {
    if (row.result == nullptr) continue;
    if (cycles_of(*row.result))
      clocks.push_back(row.result->clock.ghz);
    else
      ++lacking[why_no_cycles(*row.result)];
  }
  if (!clocks.empty()) {
    const auto [least, most] = std::ranges::minmax(clocks);
    const std::string low = fixed_text(least, 2);
    const std::string high = fixed_text(most, 2);
    out << "core cycles: at a clock of " << low << (low == high ? "" : " to " + high) << " GHz, as read\n";
  }
  for (const auto& [why, count] : lacking) {
    const std::string where = clocks.empty() && lacking.size() == 1 ? "" : " in " + counted(count, "row");
    out << "no core cycles" << where << ": " << why << '\n';
  }
}

bool tells_cycles(const TableChoice& choice) {
  return choice.cycles ||
         std::ranges::any_of(choice.columns, [](const std::string& name) { return name.starts_with("cycles"); });
}

constexpr std::string_view another_day_title = "another day";

// What the column of that name says: how many sessions it was learned from, at least.
void print_another_day(std::ostream& out, const std::vector<ResultRow>& rows) {
  const AnotherDay* least = nullptr;
  std::size_t most = 0;
  for (const ResultRow& row : rows) {
    if (row.result == nullptr || row.result->another_day.from == 0) continue;
    const AnotherDay& one = row.result->another_day;
    most = std::max(most, one.from);
    if (least == nullptr || one.from < least->from) least = &one;
  }
  if (least == nullptr) return;
  std::string from = std::to_string(least->from);
  if (most > least->from) from += " to " + std::to_string(most);
  out << another_day_title << ": prediction interval for the median of a further session, from " << from
      << " sessions\n";
}

// What is the same for all rows.
void print_constants(std::ostream& out, const SeriesGroup& group, const TableChoice& choice) {
  std::string text;
  for (const std::string& factor : factors_of(group.points))
    if (!varies(factor, group.points)) text += ' ' + factor + '=' + shown_level(group.points.front().point, factor);
  if (!text.empty()) text = "at" + text;
  if (choice.detail != TableDetail::brief && !group.series.rule.empty())
    text += (text.empty() ? "until " : "; until ") + printable(group.series.rule);
  if (!text.empty()) out << text << '\n';
}

}  // namespace

std::string print_series(std::ostream& out, const SeriesGroup& group, const TableChoice& choice) {
  const auto rows = rows_of(group, choice);
  const bool is_brief = choice.detail == TableDetail::brief;
  std::ostringstream above;
  print_heading(above, group, rows, choice);
  print_constants(above, group, choice);
  out << with_hanging_indent(above.str(), choice.style.width) << '\n';
  const auto columns = columns_of(group, rows, choice);
  if (rows.empty())
    out << "no finished points\n";
  else
    print_columns(out, columns, rows.size(), choice.style);
  std::ostringstream below;
  if (tells_cycles(choice)) print_cycles(below, rows);
  if (std::ranges::find(columns, another_day_title, &TableColumn::title) != columns.end())
    print_another_day(below, rows);
  if (!is_brief) print_unsteady(below, group, rows);
  if (choice.detail == TableDetail::verbose) print_left_out(below, group);
  print_derived(below, group, tells_cycles(choice));
  out << with_hanging_indent(below.str(), choice.style.width);
  std::string marks;
  for (const ResultRow& row : rows)
    if (row.result != nullptr && !is_brief) marks += marks_of(*row.point, *row.result);
  print_curves(out, group, choice.style);
  print_heat_maps(out, group, choice.style);
  return marks;
}

}  // namespace assay
