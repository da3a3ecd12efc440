// SPDX-License-Identifier: Apache-2.0
// Cells of the columns that were asked for.
#include "record/table/result_columns.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/value.hpp"
#include "record/core_cycles.hpp"
#include "record/known_cores.hpp"
#include "record/shown_value.hpp"
#include "record/table/column_table.hpp"
#include "record/table/trust.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

using Cells = std::vector<std::string>;
using ResultRows = std::vector<ResultRow>;

// Puts decimal points below each other.
void align_points(Cells& cells) {
  const auto after_point = [](const std::string& cell) {
    const auto point = cell.find('.');
    return point == cell.npos ? 0 : cell.size() - point;
  };
  std::size_t most = 0;
  for (const std::string& cell : cells) most = std::max(most, after_point(cell));
  for (std::string& cell : cells) cell.append(most - after_point(cell), ' ');
}

void align_right(Cells& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, cell.size());
  for (std::string& cell : cells) cell = to_right(cell, width);
}

bool is_end(const ColumnInfo& column) { return column.name == "low" || column.name == "high"; }

bool is_of_cycles(const ColumnInfo& column) {
  return column.kind == ColumnKind::cycles || column.kind == ColumnKind::cycles_interval;
}

// The ends of an interval have the digits of the value in it.
std::string value_text(const ColumnInfo& column, const ResultRow& row, bool raw) {
  if (row.result == nullptr) return "-";
  const Estimate& headline = row.result->headline;
  if (is_end(column) && !headline.interval.available()) return "-";
  const double value = column.number(*row.result);
  if (raw) return to_text(value);
  const double size = row.scale.size;
  const double of_digits = is_end(column) ? headline.value : value;
  return fixed_text(value / size, decimals_for(of_digits / size, column.accuracy(*row.result) / size));
}

Cells value_cells(const ColumnInfo& column, const ResultRows& rows, bool raw) {
  Cells cells;
  for (const ResultRow& row : rows) cells.push_back(value_text(column, row, raw));
  if (!raw) align_points(cells);
  return cells;
}

// One end of the intervals of a column, with the digits that the headline has by them.
Cells end_cells(const ColumnInfo& column, double Interval::*end, const ResultRows& rows, bool raw) {
  Cells cells;
  for (const ResultRow& row : rows) {
    if (row.result == nullptr || !column.interval(*row.result).available()) {
      cells.emplace_back("-");
      continue;
    }
    const Interval& interval = column.interval(*row.result);
    const double value = row.result->headline.value;
    const double size = row.scale.size;
    cells.push_back(
        raw ? to_text(interval.*end)
            : fixed_text(interval.*end / size, decimals_for(value / size, half_width(value, interval) / size)));
  }
  if (!raw) align_points(cells);
  return cells;
}

// Both ends as one cell each.
Cells between(Cells lows, Cells highs) {
  for (Cells* cells : {&lows, &highs}) align_right(*cells);
  for (std::size_t i = 0; i < lows.size(); ++i)
    lows[i] = highs[i].find_first_not_of(" -") == std::string::npos ? "-" + std::string(highs[i].size(), ' ')
                                                                    : lows[i] + " .. " + highs[i];
  return lows;
}

Cells interval_cells(const ColumnInfo& column, const ResultRows& rows, bool raw) {
  return between(end_cells(column, &Interval::low, rows, raw), end_cells(column, &Interval::high, rows, raw));
}

Cells cycles_cells(const ResultRows& rows, bool raw, std::string ShownValue::*part) {
  Cells cells;
  for (const ResultRow& row : rows) cells.push_back(row.result == nullptr ? "-" : shown_cycles(*row.result, raw).*part);
  if (!raw) align_points(cells);
  return cells;
}

std::string plain_cell(const ColumnInfo& column, const ResultRow& row, bool raw) {
  if (row.result == nullptr) {
    if (column.name == "trust") return trust_text(*row.point);
    return column.name == "verdict" ? verdict_text(*row.point) : "-";
  }
  if (raw && column.kind == ColumnKind::share) return to_text(column.number(*row.result));
  return column.text(row);
}

Cells cells_of(const ColumnInfo& column, const ResultRows& rows, bool raw) {
  if (column.kind == ColumnKind::value) return value_cells(column, rows, raw);
  if (column.kind == ColumnKind::interval) return interval_cells(column, rows, raw);
  if (column.kind == ColumnKind::cycles) return cycles_cells(rows, raw, &ShownValue::value);
  if (column.kind == ColumnKind::cycles_interval)
    return between(cycles_cells(rows, raw, &ShownValue::low), cycles_cells(rows, raw, &ShownValue::high));
  Cells cells;
  for (const ResultRow& row : rows) cells.push_back(plain_cell(column, row, raw));
  if (column.name == "half-width" && !raw) align_points(cells);
  return cells;
}

void append_marks(Cells& cells, const ResultRows& rows) {
  std::size_t width = 0;
  Cells marks;
  for (const ResultRow& row : rows) {
    marks.push_back(row.result != nullptr ? marks_of(*row.point, *row.result) : "");
    width = std::max(width, marks.back().size());
  }
  for (std::size_t i = 0; width > 0 && i < cells.size(); ++i) cells[i] += ' ' + to_left(marks[i], width);
}

Paint paint_of(const ColumnInfo& column, const ResultRow& row) {
  const bool is_verdict = column.name == "verdict" || column.name == "trust";
  if (!is_verdict && column.name != "median" && column.name != "marks") return Paint::none;
  if (row.result == nullptr) return is_verdict && has_failed(row.point->outcome) ? Paint::bad : Paint::marked;
  if (is_verdict) return row.result->verdict.outcome == Outcome::converged ? Paint::good : Paint::marked;
  return marks_of(*row.point, *row.result).empty() ? Paint::none : Paint::marked;
}

TableColumn column_of(const ColumnInfo& info, const ResultRows& rows, bool raw, bool has_marks) {
  const bool by_name = raw && info.kind == ColumnKind::share;
  TableColumn column{std::string(by_name ? info.name : info.title), cells_of(info, rows, raw)};
  if (info.name == "median" && has_marks) append_marks(column.cells, rows);
  for (const ResultRow& row : rows) column.paints.push_back(paint_of(info, row));
  return column;
}

TableColumn factor_column(const std::string& factor, const ResultRows& rows) {
  TableColumn column{factor, {}};
  for (const ResultRow& row : rows) column.cells.push_back(shown_level(row.point->point, factor));
  return column;
}

template <class Property>
bool any_result(const ResultRows& rows, Property has) {
  return std::ranges::any_of(rows, [&](const ResultRow& row) { return row.result != nullptr && has(*row.result); });
}

bool has_another_day(const ResultRows& rows) {
  return any_result(rows, [](const Result& result) { return result.another_day.from > 0; });
}

bool has_several_quantities(const ResultRows& rows) {
  std::set<std::string> names;
  for (const ResultRow& row : rows)
    if (row.result != nullptr) names.insert(row.result->quantity);
  return names.size() > 1;
}

bool has_several_states(const ResultRows& rows) {
  std::set<CoreState> states;
  for (const ResultRow& row : rows)
    if (row.result != nullptr) states.insert(row.result->state);
  return states.size() > 1;
}

// Beside the remark that values are of cores alone.
bool has_found_shared(const ResultRows& rows) {
  return std::ranges::any_of(
      rows, [](const ResultRow& row) { return row.result != nullptr && !found_text(*row.point, *row.result).empty(); });
}

Cells usual_names(const ResultRows& rows) {
  Cells names;
  if (has_several_quantities(rows)) names.emplace_back("quantity");
  for (const char* name : {"median", "interval", "unit", "half-width"}) names.emplace_back(name);
  if (has_another_day(rows)) names.emplace_back("another-day");
  if (any_result(rows, [](const Result& result) { return result.regime != Regime::solo; }))
    names.emplace_back("regime");
  if (has_several_states(rows) || has_found_shared(rows))
    for (const char* name : {"state", "state-share"}) names.emplace_back(name);
  for (const char* name : {"n", "incarnations", "disturbed", "verdict"}) names.emplace_back(name);
  return names;
}

// Members that are apart by this or that distance are in one state for those who do not ask about distances; a value
// over all states says so in its words of trust.
bool has_several_kinds_of_state(const ResultRows& rows) {
  std::set<CoreState> states;
  for (const ResultRow& row : rows) {
    if (row.result == nullptr || row.result->state == CoreState{}) continue;
    CoreState state = row.result->state;
    state.distance_ns = 0;
    states.insert(state);
  }
  return states.size() > 1;
}

Cells brief_names(const ResultRows& rows) {
  Cells names;
  if (has_several_quantities(rows)) names.emplace_back("quantity");
  for (const char* name : {"median", "unit", "half-width"}) names.emplace_back(name);
  if (has_another_day(rows)) names.emplace_back("another-day");
  if (any_result(rows, [](const Result& result) { return result.regime != Regime::solo; }))
    names.emplace_back("regime");
  if (has_several_kinds_of_state(rows)) names.emplace_back("state");
  names.emplace_back("trust");
  return names;
}

Cells wide_names(const ResultRows& rows) {
  Cells names;
  for (const ColumnInfo& column : all_columns())
    // What other columns say, or nothing does.
    if (!is_end(column) && !is_of_cycles(column) && column.name != "marks" && column.name != "trust" &&
        (column.name != "another-day" || has_another_day(rows)))
      names.emplace_back(column.name);
  return names;
}

Cells names_of(const ResultRows& rows, TableDetail detail) {
  if (detail == TableDetail::brief) return brief_names(rows);
  return detail == TableDetail::wide ? wide_names(rows) : usual_names(rows);
}

// Puts cycles behind their neighbour column: half-width or unit.
Cells with_cycles(Cells names) {
  auto at = std::ranges::find(names, "half-width");
  if (at == names.end()) at = std::ranges::find(names, "unit");
  if (at != names.end()) ++at;
  for (const char* name : {"cycles", "cycles-interval"})
    if (std::ranges::find(names, name) == names.end()) at = names.insert(at, name) + 1;
  return names;
}

// Puts unit and marks behind the last value where they were not requested.
Cells completed(Cells names) {
  const auto is_value = [](const std::string& name) {
    const ColumnInfo* column = find_column(name);
    return column != nullptr && (column->kind == ColumnKind::value || column->kind == ColumnKind::interval);
  };
  const auto last = std::find_if(names.rbegin(), names.rend(), is_value);
  if (last == names.rend()) return names;
  auto at = last.base();
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  const bool has_marks = has("median") || has("marks") || has("trust");
  if (!has("unit")) at = names.insert(at, "unit");
  if (!has_marks) names.insert(at, "marks");
  return names;
}

}  // namespace

std::vector<TableColumn> columns_of(const SeriesGroup& group, const std::vector<ResultRow>& rows,
                                    const TableChoice& choice) {
  std::vector<TableColumn> columns;
  const auto factors = factors_of(group.points);
  Cells names = choice.columns;
  if (names.empty()) {
    for (const std::string& factor : factors)
      if (choice.detail == TableDetail::wide || varies(factor, group.points))
        columns.push_back(factor_column(factor, rows));
    names = names_of(rows, choice.detail);
  }
  // Its words say all that marks would.
  const bool has_trust = std::ranges::find(names, "trust") != names.end();
  names = completed(std::move(names));
  if (choice.cycles && any_result(rows, [](const Result& result) { return cycles_of(result).has_value(); }))
    names = with_cycles(std::move(names));
  for (const std::string& name : names) {
    if (const ColumnInfo* info = find_column(name); info != nullptr)
      columns.push_back(column_of(*info, rows, choice.raw, !has_trust));
    else if (const std::string factor = factor_named(name); std::ranges::find(factors, factor) != factors.end())
      columns.push_back(factor_column(factor, rows));
  }
  return columns;
}

}  // namespace assay
