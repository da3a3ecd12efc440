// SPDX-License-Identifier: Apache-2.0
// Points dealt to tables by their unit, and judged.
#include "record/cluster_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace assay::cluster {

namespace {

constexpr const char* node = "node";
constexpr const char* peer = "peer";
constexpr const char* placement = "placement";

bool is_one_cpu(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Empty where nothing names units.
std::string unit_factor(const SeriesGroup& group) {
  const auto all_have = [&](auto has) { return !group.points.empty() && std::ranges::all_of(group.points, has); };
  if (all_have([](const PointRecord& p) { return p.point.find(node) != nullptr; })) return node;
  const bool by_cpu = all_have(
      [](const PointRecord& p) { return p.point.find(placement) != nullptr && is_one_cpu(p.point.text(placement)); });
  return by_cpu ? placement : "";
}

std::size_t row_of(Table& table, const std::string& name) {
  const auto found = std::ranges::find(table.units, name, &UnitRow::name);
  if (found != table.units.end()) return static_cast<std::size_t>(found - table.units.begin());
  table.units.push_back({name, {}, std::numeric_limits<double>::quiet_NaN(), {}});
  return table.units.size() - 1;
}

Table& table_for(std::vector<Table>& tables, std::size_t first, const Table& blank) {
  for (std::size_t i = first; i < tables.size(); ++i)
    if (tables[i].common == blank.common && tables[i].links.empty() == blank.links.empty()) return tables[i];
  return tables.emplace_back(Table{blank.series, blank.factor, blank.common, {}, {}});
}

void deal(const SeriesGroup& group, const std::string& factor, std::vector<Table>& tables) {
  const std::size_t first = tables.size();
  for (const PointRecord& record : group.points) {
    const bool is_link = factor == node && record.point.find(peer) != nullptr;
    Table blank{&group, factor, record.point.without(factor).without(peer), {}, {}};
    if (is_link) blank.links.emplace_back();
    Table& table = table_for(tables, first, blank);
    const std::size_t from = row_of(table, record.point.text(factor));
    if (is_link)
      table.links.push_back({from, row_of(table, record.point.text(peer)), {&record, nullptr}, {}});
    else
      table.units[from].cell.point = &record;
  }
}

std::string primary_of(const Table& table) {
  const auto& quantities = table.series->series.quantities;
  return quantities.empty() ? "" : quantities.front().name;
}

const Result* dominant(const PointRecord& point, const std::string& quantity) {
  const Result* best = nullptr;
  for (const Result& result : point.results)
    if (result.quantity == quantity && (best == nullptr || result.regime_share > best->regime_share)) best = &result;
  return best;
}

std::vector<Cell*> cells_of(Table& table) {
  std::vector<Cell*> cells;
  for (UnitRow& unit : table.units)
    if (unit.cell.point != nullptr) cells.push_back(&unit.cell);
  for (Link& link : table.links) cells.push_back(&link.cell);
  return cells;
}

/// Regimes are never compared with each other: the one that most points were mostly in stands for the table.
void choose_results(Table& table) {
  const std::string quantity = primary_of(table);
  std::map<Regime, int> frequency;
  for (const Cell* cell : cells_of(table))
    if (const Result* result = dominant(*cell->point, quantity)) ++frequency[result->regime];
  if (frequency.empty()) return;
  const Regime usual = std::ranges::max_element(frequency, {}, [](const auto& entry) { return entry.second; })->first;
  for (Cell* cell : cells_of(table))
    for (const Result& result : cell->point->results)
      if (result.quantity == quantity && result.regime == usual) cell->result = &result;
}

using Estimates = std::vector<double>;

Estimates estimates_of(const Cell& cell) {
  Estimates values;
  if (cell.result != nullptr)
    for (const IncarnationMedian& process : cell.result->processes) values.push_back(process.value);
  return values;
}

bool is_rate(const Table& table) {
  const auto& quantities = table.series->series.quantities;
  return !quantities.empty() &&
         (quantities.front().unit == Unit::per_second || quantities.front().unit == Unit::bytes_per_second);
}

/// The better quartile of links: every link of a slow node is slow, and some are of a good one.
double better_of(Estimates values, bool larger_is_better) {
  std::sort(values.begin(), values.end());
  const std::size_t at = (values.size() - 1) / 4;
  return larger_is_better ? values[values.size() - 1 - at] : values[at];
}

/// A node as its links show it, for each incarnation.
void add_links(const Table& table, std::size_t unit, UnitRow& row, Estimates& estimates) {
  std::map<int, std::vector<double>> by_incarnation;
  std::vector<double> headlines;
  for (const Link& link : table.links) {
    if (link.cell.result == nullptr || link.from == link.to || (link.from != unit && link.to != unit)) continue;
    headlines.push_back(link.cell.result->headline.value);
    for (const IncarnationMedian& process : link.cell.result->processes)
      by_incarnation[process.incarnation].push_back(process.value);
  }
  if (!headlines.empty()) row.value = better_of(std::move(headlines), is_rate(table));
  for (auto& [incarnation, values] : by_incarnation) estimates.push_back(better_of(std::move(values), is_rate(table)));
}

OutlierOptions options_for(const Table& table, std::size_t family) {
  OutlierOptions options;
  options.family = family;
  const auto& quantities = table.series->series.quantities;
  if (quantities.empty()) return options;
  options.is_signed = quantities.front().is_signed;
  options.larger_is_better = is_rate(table);
  return options;
}

void judge_units(Table& table, std::size_t family) {
  std::vector<Estimates> all;
  for (std::size_t i = 0; i < table.units.size(); ++i) {
    UnitRow& unit = table.units[i];
    all.push_back(estimates_of(unit.cell));
    if (unit.cell.result != nullptr) unit.value = unit.cell.result->headline.value;
    if (unit.cell.point == nullptr) add_links(table, i, unit, all.back());
  }
  const auto findings = outliers(all, options_for(table, family));
  for (std::size_t i = 0; i < findings.size(); ++i) table.units[i].finding = findings[i];
}

bool is_odd(const UnitFinding& finding) { return finding.oddity == Oddity::slow || finding.oddity == Oddity::fast; }

/// Links of a node that is odd itself say nothing more, and would be in the others' way.
void judge_links(Table& table, std::size_t family) {
  std::vector<Estimates> all;
  std::vector<Link*> judged;
  for (Link& link : table.links) {
    if (link.from == link.to) continue;
    link.has_odd_end = is_odd(table.units[link.from].finding) || is_odd(table.units[link.to].finding);
    if (link.has_odd_end) continue;
    judged.push_back(&link);
    all.push_back(estimates_of(link.cell));
  }
  const auto findings = outliers(all, options_for(table, family));
  for (std::size_t i = 0; i < findings.size(); ++i) judged[i]->finding = findings[i];
}

}  // namespace

std::vector<Table> tables_of(const std::vector<SeriesGroup>& groups) {
  std::vector<Table> tables;
  for (const SeriesGroup& group : groups)
    if (const std::string factor = unit_factor(group); !factor.empty()) deal(group, factor, tables);
  std::size_t family = tables.size();
  for (const Table& table : tables) family += table.links.empty() ? 0 : 1;
  for (Table& table : tables) {
    choose_results(table);
    judge_units(table, family);
    if (!table.links.empty()) judge_links(table, family);
  }
  return tables;
}

}  // namespace assay::cluster
