// SPDX-License-Identifier: Apache-2.0
// Which results have a row, in which order and units.
#include "record/table/result_row.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "record/shown_value.hpp"
#include "record/table/column_table.hpp"
#include "record/table/result_columns.hpp"

namespace assay {

namespace {

void choose_scales(std::vector<ResultRow>& rows, bool raw) {
  std::vector<const Result*> results;
  for (const ResultRow& row : rows)
    if (row.result != nullptr) results.push_back(row.result);
  const ColumnScales scales = column_scales(results);
  for (ResultRow& row : rows)
    if (row.result != nullptr) row.scale = raw ? Scale{1, symbol(row.result->unit)} : scale_in(scales, *row.result);
}

/// What a row is sorted by: a level, or a number of a quantity in its unit, or a word.
class Sorter {
 public:
  explicit Sorter(const SortKey& key)
      : descending_(key.descending), factor_(factor_named(key.column)), column_(find_column(key.column)) {}

  /// Negative, 0 or positive, as the first comes before the second, in place, or after it.
  int order(const ResultRow& a, const ResultRow& b) const {
    const bool has_a = has(a);
    const bool has_b = has(b);
    if (has_a != has_b) return has_a ? -1 : 1;
    if (!has_a) return 0;
    if (column_ == nullptr) return turned(level_order(*a.point->point.find(factor_), *b.point->point.find(factor_)));
    if (column_->number == nullptr) return turned(column_->text(a).compare(column_->text(b)));
    // Values of different units have no order.
    if (column_->kind == ColumnKind::value || column_->kind == ColumnKind::interval)
      if (const int units = static_cast<int>(a.result->unit) - static_cast<int>(b.result->unit); units != 0)
        return units;
    const double x = column_->number(*a.result);
    const double y = column_->number(*b.result);
    return turned(x < y ? -1 : static_cast<int>(x > y));
  }

 private:
  bool has(const ResultRow& row) const {
    if (column_ == nullptr) return row.point->point.find(factor_) != nullptr;
    if (row.result == nullptr) return false;
    return column_->number == nullptr || !std::isnan(column_->number(*row.result));
  }
  int turned(int order) const { return descending_ ? -order : order; }

  bool descending_;
  std::string factor_;
  const ColumnInfo* column_;
};

// Whether a result in another state than the one asked for has a row.
bool is_shown_beside(const Result& result, TableDetail detail) {
  if (detail != TableDetail::verbose) return detail == TableDetail::wide;
  // What all states say together would stand beside its own parts.
  return is_shown(result) && result.state != CoreState{} && !is_rare_state(result);
}

void sort_rows(std::vector<ResultRow>& rows, const std::vector<SortKey>& keys) {
  std::vector<Sorter> sorters;
  for (const SortKey& key : keys) sorters.emplace_back(key);
  std::ranges::stable_sort(rows, [&](const ResultRow& a, const ResultRow& b) {
    for (const Sorter& sorter : sorters)
      if (const int order = sorter.order(a, b); order != 0) return order < 0;
    return false;
  });
}

}  // namespace

std::vector<ResultRow> rows_of(const SeriesGroup& group, const TableChoice& choice) {
  std::vector<ResultRow> rows;
  for (const PointRecord& point : group.points) {
    if (point.results.empty()) rows.push_back({&point, nullptr, {}, choice.says_term});
    for (const Result& result : point.results)
      if (choice.detail == TableDetail::wide || is_shown(result))
        rows.push_back({&point, &result, {}, choice.says_term});
    for (const Result& result : point.others)
      if (is_shown_beside(result, choice.detail)) rows.push_back({&point, &result, {}, choice.says_term});
  }
  choose_scales(rows, choice.raw);
  if (!choice.sort.empty()) sort_rows(rows, choice.sort);
  return rows;
}

bool is_shown(const Result& result) { return result.regime_share >= least_share_shown; }

bool is_rare_state(const Result& result) { return result.state_share < least_share_of_state; }

ColumnScales column_scales(const std::vector<const Result*>& results) {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, Unit> units;
  for (const Result* result : results) {
    values[result->quantity].push_back(result->headline.value);
    units[result->quantity] = result->unit;
  }
  ColumnScales scales;
  for (const auto& [quantity, seen] : values) scales[quantity] = common_scale(seen, units[quantity]);
  return scales;
}

ColumnScales column_scales(const SeriesGroup& group) {
  std::vector<const Result*> results;
  for (const PointRecord& point : group.points)
    for (const Result& result : point.results)
      if (is_shown(result)) results.push_back(&result);
  return column_scales(results);
}

Scale scale_in(const ColumnScales& scales, const Result& result) {
  const auto found = scales.find(result.quantity);
  if (found != scales.end() && found->second) return *found->second;
  return scale_of(result.headline.value, result.unit);
}

}  // namespace assay
