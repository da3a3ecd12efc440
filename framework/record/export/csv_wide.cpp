// SPDX-License-Identifier: Apache-2.0
// Comma-separated values with a row per point and regime, and a set of columns per quantity.
#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <span>

#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

using CellTexts = std::vector<std::string>;

struct QuantityColumn {
  const char* suffix;
  CsvCell (*cell)(const PointRecord& point, const Result& result);
};

CsvCell number(double value) { return std::isfinite(value) ? to_text(value) : std::string(); }

CsvCell wide_cell_when(const Interval& interval, double value) {
  return interval.available() ? number(value) : std::string();
}

const std::array<QuantityColumn, 16> all_quantity_columns{
    {{"_median", [](const PointRecord&, const Result& r) { return number(r.headline.value); }},
     {"_lo",
      [](const PointRecord&, const Result& r) { return wide_cell_when(r.headline.interval, r.headline.interval.low); }},
     {"_hi", [](const PointRecord&,
                const Result& r) { return wide_cell_when(r.headline.interval, r.headline.interval.high); }},
     {"_avg", [](const PointRecord&, const Result& r) { return number(r.summary.mean); }},
     {"_std", [](const PointRecord&, const Result& r) { return number(r.summary.stddev); }},
     {"_min", [](const PointRecord&, const Result& r) { return number(r.summary.min); }},
     {"_max", [](const PointRecord&, const Result& r) { return number(r.summary.max); }},
     {"_cnt", [](const PointRecord&, const Result& r) { return CsvCell(std::to_string(r.summary.n)); }},
     {"_unit", [](const PointRecord&, const Result& r) { return CsvCell(symbol(r.unit)); }},
     {"_verdict", [](const PointRecord&, const Result& r) { return CsvCell(to_text(r.verdict.outcome)); }},
     {"_marks", [](const PointRecord& p, const Result& r) { return CsvCell(joined(mark_words(p, r), " ")); }},
     {"_cycles", [](const PointRecord&, const Result& r) { return CsvCell(cycle_texts(r).cycles); }},
     {"_cycles_lo", [](const PointRecord&, const Result& r) { return CsvCell(cycle_texts(r).low); }},
     {"_cycles_hi", [](const PointRecord&, const Result& r) { return CsvCell(cycle_texts(r).high); }},
     {"_clock_ghz", [](const PointRecord&, const Result& r) { return CsvCell(cycle_texts(r).clock); }},
     {"_no_cycles", [](const PointRecord&, const Result& r) { return CsvCell(cycle_texts(r).why_not); }}}};
constexpr std::size_t columns_of_cycles = 5;

using QuantityColumns = std::span<const QuantityColumn>;
QuantityColumns quantity_columns_for(const ExportOptions& options) {
  return QuantityColumns(all_quantity_columns)
      .first(all_quantity_columns.size() - (options.cycles ? 0 : columns_of_cycles));
}

// Columns that every file has, before and behind those of factors and quantities.
const std::array<const char*, 3> first_columns{"series", "measurement", "regime"};
const std::array<const char*, 4> last_columns{"verdict", "marks", "code", "reason"};

void add(CellTexts& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// What the columns are made of, in order of appearance.
struct WideColumns {
  CellTexts factors;
  CellTexts quantities;
  QuantityColumns of_quantity;
};

WideColumns columns_of(const std::vector<SeriesGroup>& groups, const ExportOptions& options) {
  WideColumns columns;
  columns.of_quantity = quantity_columns_for(options);
  for (const SeriesGroup& group : groups) {
    for (const std::string& factor : factors_of(group.points)) add(columns.factors, factor);
    for (const PointRecord& point : group.points)
      for (const Result& result : point.results) add(columns.quantities, result.quantity);
  }
  return columns;
}

bool is_taken(const std::string& name, const WideColumns& columns) {
  if (std::ranges::find(first_columns, name) != first_columns.end() ||
      std::ranges::find(last_columns, name) != last_columns.end())
    return true;
  return std::ranges::any_of(columns.quantities, [&](const std::string& quantity) {
    return std::ranges::any_of(columns.of_quantity,
                               [&](const QuantityColumn& column) { return name == quantity + column.suffix; });
  });
}

std::string header_of(const WideColumns& columns, CsvStyle style) {
  CellTexts cells(first_columns.begin(), first_columns.end() - 1);
  for (const std::string& factor : columns.factors)
    cells.push_back(csv_text(is_taken(factor, columns) ? "factor." + factor : factor, style));
  cells.emplace_back(first_columns.back());
  for (const std::string& quantity : columns.quantities)
    for (const QuantityColumn& column : columns.of_quantity) cells.push_back(csv_text(quantity + column.suffix, style));
  cells.insert(cells.end(), last_columns.begin(), last_columns.end());
  return joined(cells, ",");
}

// The regimes of a point's results, in order of appearance.
std::vector<Regime> regimes_of(const PointRecord& point) {
  std::vector<Regime> regimes;
  for (const Result& result : point.results)
    if (std::ranges::find(regimes, result.regime) == regimes.end()) regimes.push_back(result.regime);
  return regimes;
}

// The first result of a row says how the measuring ended; a point without any says why.
void add_last(CellTexts& cells, const PointRecord& point, const Regime* regime, CsvStyle style) {
  const auto first =
      std::ranges::find_if(point.results, [&](const Result& result) { return regime && result.regime == *regime; });
  const bool has_result = first != point.results.end();
  cells.push_back(to_text(has_result ? first->verdict.outcome : point.outcome));
  CellTexts marks;
  for (const Result& result : point.results)
    if (regime != nullptr && result.regime == *regime)
      for (const std::string& mark : mark_words(point, result)) add(marks, mark);
  cells.push_back(has_result ? joined(marks, " ") : "no-number");
  cells.push_back(csv_text(point.code, style));
  cells.push_back(csv_text(has_result ? first->verdict.reason : point.reason, style));
}

std::string row_of(const PointRecord& point, const Regime* regime, const WideColumns& columns, CsvStyle style) {
  CellTexts cells{csv_text(point.series, style), csv_text(point.measurement, style)};
  for (const std::string& factor : columns.factors) cells.push_back(level_cell(point.point, factor).in(style));
  cells.push_back(regime != nullptr ? to_text(*regime) : "");
  for (const std::string& quantity : columns.quantities) {
    const Result* result = regime == nullptr ? nullptr : find_result(point, quantity, *regime);
    for (const QuantityColumn& column : columns.of_quantity)
      cells.push_back(result != nullptr ? column.cell(point, *result).in(style) : "");
  }
  add_last(cells, point, regime, style);
  std::string row = cells.front();
  for (std::size_t i = 1; i < cells.size(); ++i) row += ',' + cells[i];
  return row;
}

}  // namespace

Remarks write_wide_csv(std::ostream& out, const ExportSource& source, const ExportOptions& options) {
  const auto groups = group_by_series(source.records);
  const WideColumns columns = columns_of(groups, options);
  out << header_of(columns, options.style) << '\n';
  std::size_t derived = 0;
  for (const SeriesGroup& group : groups) {
    derived += group.derived.size();
    for (const PointRecord& point : group.points) {
      if (point.results.empty()) out << row_of(point, nullptr, columns, options.style) << '\n';
      for (const Regime& regime : regimes_of(point)) out << row_of(point, &regime, columns, options.style) << '\n';
    }
  }
  if (derived == 0) return {};
  return {counted(derived, "derived value") +
          " belong to no point and are left out; --format csv-long has a row for each"};
}

}  // namespace assay
