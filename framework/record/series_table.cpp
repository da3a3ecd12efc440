// SPDX-License-Identifier: Apache-2.0
// Rows and columns of the table of a series.
#include "record/series_table.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <set>

#include "record/derived_text.hpp"
#include "record/printable.hpp"
#include "record/shown_value.hpp"
#include "record/table.hpp"
#include "record/utf8.hpp"
#include "stats/phrase.hpp"

namespace assay {

namespace {

// A point with one of its results, or with none.
struct Row {
  const PointRecord* point;
  const Result* result;
};

using Cells = std::vector<std::string>;
struct Column {
  std::string title;
  Cells cells;
};

/// A regime that fewer batches were in is in the journal and the exports; the others' shares show that it exists.
constexpr double least_share_shown = 0.25;

bool is_shown(const Result& result) { return result.regime_share >= least_share_shown; }

std::vector<Row> rows_of(const SeriesGroup& group) {
  std::vector<Row> rows;
  for (const PointRecord& point : group.points) {
    if (point.results.empty()) rows.push_back({&point, nullptr});
    for (const Result& result : point.results)
      if (is_shown(result)) rows.push_back({&point, &result});
  }
  return rows;
}

void print_left_out(std::ostream& out, const SeriesGroup& group) {
  std::ptrdiff_t left_out = 0;
  for (const PointRecord& point : group.points)
    left_out += std::ranges::count_if(point.results, [](const Result& result) { return !is_shown(result); });
  if (left_out > 0)
    out << "left out: " << std::to_string(left_out) << (left_out == 1 ? " row" : " rows")
        << " of regimes with less than a quarter of the batches; 'assay export' has all\n";
}

template <class Text>
Column column(std::string title, const std::vector<Row>& rows, Text text) {
  Column made{std::move(title), {}};
  for (const Row& row : rows) made.cells.push_back(row.result != nullptr ? text(*row.result) : "-");
  return made;
}

template <class Property>
bool any_result(const std::vector<Row>& rows, Property has) {
  return std::ranges::any_of(rows, [&](const Row& row) { return row.result != nullptr && has(*row.result); });
}

// One scale for each quantity whose values allow it.
std::map<std::string, std::optional<Scale>> scales_of(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::optional<Scale>> scales;
  for (const Row& row : rows) {
    if (row.result == nullptr) continue;
    auto& seen = values[row.result->quantity];
    seen.push_back(row.result->headline.value);
    scales[row.result->quantity] = common_scale(seen, row.result->unit);
  }
  return scales;
}

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
  for (std::string& cell : cells) cell.insert(0, width - cell.size(), ' ');
}

void append_marks(Cells& cells, const std::vector<Row>& rows) {
  std::size_t width = 0;
  Cells marks;
  for (const Row& row : rows) {
    marks.push_back(row.result != nullptr ? marks_of(*row.point, *row.result) : "");
    width = std::max(width, marks.back().size());
  }
  if (width == 0) return;
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += ' ' + marks[i] + std::string(width - marks[i].size(), ' ');
}

// Median with marks, interval and unit: the columns that share a scale.
std::vector<Column> value_columns(const std::vector<Row>& rows) {
  const auto scales = scales_of(rows);
  Column median{"median", {}};
  Column interval{"low .. high", {}};
  Column unit{"unit", {}};
  Cells highs;
  for (const Row& row : rows) {
    ShownValue text{"-", "-", "-"};
    unit.cells.emplace_back("-");
    if (row.result != nullptr) {
      const Estimate& headline = row.result->headline;
      const auto& common = scales.at(row.result->quantity);
      const Scale scale = common ? *common : scale_of(headline.value, row.result->unit);
      text = shown(headline.value, headline.interval, scale);
      unit.cells.back() = scale.name;
    }
    median.cells.push_back(text.value);
    interval.cells.push_back(text.low);
    highs.push_back(text.high);
  }
  for (Cells* cells : {&median.cells, &interval.cells, &highs}) align_points(*cells);
  for (Cells* cells : {&interval.cells, &highs}) align_right(*cells);
  for (std::size_t i = 0; i < rows.size(); ++i)
    interval.cells[i] = highs[i].find_first_not_of(" -") == std::string::npos ? "-" + std::string(highs[i].size(), ' ')
                                                                              : interval.cells[i] + " .. " + highs[i];
  append_marks(median.cells, rows);
  return {std::move(median), std::move(interval), std::move(unit)};
}

std::vector<Column> factor_columns(const SeriesGroup& group, const std::vector<Row>& rows) {
  std::vector<Column> columns;
  for (const std::string& factor : factors_of(group.points)) {
    if (!varies(factor, group.points)) continue;
    Column& levels = columns.emplace_back(Column{factor, {}});
    for (const Row& row : rows) levels.cells.push_back(shown_level(row.point->point, factor));
  }
  return columns;
}

bool has_several_quantities(const std::vector<Row>& rows) {
  std::set<std::string> names;
  for (const Row& row : rows)
    if (row.result != nullptr) names.insert(row.result->quantity);
  return names.size() > 1;
}

void add_replication_columns(std::vector<Column>& columns, const std::vector<Row>& rows) {
  if (any_result(rows, [](const Result& result) { return result.regime != Regime::solo; }))
    columns.push_back(column("regime", rows, regime_text));
  columns.push_back(column("n", rows, [](const Result& result) { return std::to_string(result.summary.n); }));
  columns.push_back(column("inc", rows, [](const Result& result) { return std::to_string(result.incarnations); }));
  columns.push_back(
      column("disturbed %", rows, [](const Result& result) { return fixed_text(result.disturbed_share * 100, 1); }));
}

std::vector<Column> columns_of(const SeriesGroup& group, const std::vector<Row>& rows) {
  std::vector<Column> columns = factor_columns(group, rows);
  if (has_several_quantities(rows))
    columns.push_back(column("quantity", rows, [](const Result& result) { return printable(result.quantity); }));
  for (Column& values : value_columns(rows)) columns.push_back(std::move(values));
  columns.push_back(
      column("+-%", rows, [](const Result& result) { return percent_text(result.headline.relative_half_width()); }));
  align_points(columns.back().cells);
  add_replication_columns(columns, rows);
  Column& verdicts = columns.emplace_back(Column{"verdict", {}});
  for (const Row& row : rows)
    verdicts.cells.push_back(row.result != nullptr ? verdict_text(*row.result) : verdict_text(*row.point));
  return columns;
}

void print_columns(std::ostream& out, const std::vector<Column>& columns, std::size_t rows) {
  Cells header;
  for (const Column& column : columns) header.push_back(column.title);
  TextTable table(header);
  for (std::size_t i = 0; i < rows; ++i) {
    Cells row;
    for (const Column& column : columns) row.push_back(column.cells[i]);
    table.add(row);
  }
  table.print(out);
}

void print_heading(std::ostream& out, const SeriesGroup& group) {
  const auto& quantities = group.series.quantities;
  out << printable(group.series.series) << ": " << printable(group.series.measurement);
  if (!quantities.empty() && !quantities.front().summary.empty()) out << ", " << printable(quantities.front().summary);
  out << '\n';
  for (std::size_t i = 1; i < quantities.size(); ++i)
    if (!quantities[i].summary.empty())
      out << "  " << printable(quantities[i].name) << ": " << printable(quantities[i].summary) << '\n';
}

// The levels that tell a point from the others, each with a space behind it.
std::string subject_of(const SeriesGroup& group, const PointRecord& point) {
  std::string text;
  for (const std::string& factor : factors_of(group.points))
    if (varies(factor, group.points)) text += factor + '=' + shown_level(point.point, factor) + ' ';
  return text;
}

// Lines of a kind, but no more of them than somebody reads.
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
void print_unsteady(std::ostream& out, const SeriesGroup& group, const std::vector<Row>& rows) {
  std::vector<std::string> lines;
  for (const PointRecord& point : group.points)
    if (point.reference.moved) lines.push_back(subject_of(group, point) + moved_text(point));
  print_first(out, "CPUs moved", lines);
  if (const auto bound = worst_clock_bound(group))
    out << "clock bound: stamps of different ranks are right to within " << rounded(*bound) << '\n';
  lines.clear();
  for (const Row& row : rows) {
    if (row.result == nullptr) continue;
    const std::string text = unsteady_text(*row.result, scale_of(row.result->headline.value, row.result->unit));
    if (!text.empty()) lines.push_back(subject_of(group, *row.point) + printable(row.result->quantity) + ": " + text);
  }
  print_first(out, "unsteady", lines);
}

// What is the same for all rows.
void print_constants(std::ostream& out, const SeriesGroup& group) {
  std::string text;
  for (const std::string& factor : factors_of(group.points))
    if (!varies(factor, group.points)) text += ' ' + factor + '=' + shown_level(group.points.front().point, factor);
  if (!text.empty()) text = "at" + text;
  if (!group.series.rule.empty()) text += (text.empty() ? "until " : "; until ") + printable(group.series.rule);
  if (!text.empty()) out << text << '\n';
}

}  // namespace

std::string print_series(std::ostream& out, const SeriesGroup& group) {
  const auto rows = rows_of(group);
  print_heading(out, group);
  print_constants(out, group);
  out << '\n';
  if (rows.empty())
    out << "no finished points\n";
  else
    print_columns(out, columns_of(group, rows), rows.size());
  print_unsteady(out, group, rows);
  print_left_out(out, group);
  print_derived(out, group);
  std::string marks;
  for (const Row& row : rows)
    if (row.result != nullptr) marks += marks_of(*row.point, *row.result);
  return marks;
}

}  // namespace assay
