// SPDX-License-Identifier: Apache-2.0
// Points dealt to tables by their unit, and judged.
#include "record/cluster/cluster_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "stats/comparison/link_outliers.hpp"
#include "text/number_format.hpp"

namespace assay::cluster {

namespace {

constexpr const char* node = "node";
constexpr const char* peer = "peer";
constexpr const char* placement_column = "placement";

bool is_one_cpu(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Empty where nothing names units.
std::string unit_factor(const SeriesGroup& group) {
  const auto all_have = [&](auto has) { return !group.points.empty() && std::ranges::all_of(group.points, has); };
  if (all_have([](const PointRecord& p) { return p.point.find(node) != nullptr; })) return node;
  const bool by_cpu = all_have([](const PointRecord& p) {
    return p.point.find(placement_column) != nullptr && is_one_cpu(p.point.text(placement_column));
  });
  return by_cpu ? placement_column : "";
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

std::vector<Cell*> cells_of(Table& table) {
  std::vector<Cell*> cells;
  for (UnitRow& unit : table.units)
    if (unit.cell.point != nullptr) cells.push_back(&unit.cell);
  for (Link& link : table.links) cells.push_back(&link.cell);
  return cells;
}

template <class Key>
Key most_frequent(const std::map<Key, int>& frequency) {
  return std::ranges::max_element(frequency, {}, [](const auto& entry) { return entry.second; })->first;
}

/// The headline, where its members were spread so or it is not known how; else the result of a state that differs from
/// its own in that.
const Result* result_in(const PointRecord& point, const std::string& quantity, Regime regime, Spread spread) {
  const auto is_it = [&](const Result& one) { return one.quantity == quantity && one.regime == regime; };
  const Result* headline = nullptr;
  for (const Result& result : point.results)
    if (is_it(result)) headline = &result;
  if (headline == nullptr || spread == Spread::unknown || headline->state.spread == Spread::unknown) return headline;
  if (headline->state.spread == spread) return headline;
  const auto found = std::ranges::find_if(point.others, [&](const Result& other) {
    return is_it(other) && other.state.spread == spread && other.state.sharing == headline->state.sharing;
  });
  return found == point.others.end() ? nullptr : &*found;
}

/// Regimes are never compared with each other: the one that most points were mostly in stands for the table. Nor is
/// what members did that were free to move, on one CPU and each on its own: of pairs that wake each other it is half
/// chance, and a factor of six between the two.
void choose_results(Table& table) {
  const std::string quantity = primary_of(table);
  std::map<Regime, int> regimes;
  std::map<Spread, int> spreads;
  for (const Cell* cell : cells_of(table))
    if (const Result* result = dominant_result(*cell->point, quantity)) {
      ++regimes[result->regime];
      ++spreads[result->state.spread];
    }
  if (regimes.empty()) return;
  for (Cell* cell : cells_of(table))
    cell->result = result_in(*cell->point, quantity, most_frequent(regimes), most_frequent(spreads));
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

OutlierOptions options_for(const Table& table, std::size_t family) {
  OutlierOptions options;
  options.family = family;
  options.alpha = report_alpha;
  options.margin = table.links.empty() ? unit_margin : link_margin;
  const auto& quantities = table.series->series.quantities;
  if (quantities.empty()) return options;
  options.is_signed = quantities.front().is_signed;
  options.larger_is_better = is_rate(table);
  return options;
}

/// What was measured while other work used the CPUs is no evidence against a node.
void forgive_disturbed(UnitFinding& finding, const Cell& cell) {
  const bool is_odd = finding.oddity == Oddity::slow || finding.oddity == Oddity::fast;
  if (!is_odd || cell.result == nullptr || !cell.result->noisy) return;
  finding.oddity = Oddity::unclear;
  finding.reason = percent(cell.result->disturbed_share) + " of its batches were disturbed; else: " + finding.reason;
}

void judge_units(Table& table, std::size_t family) {
  std::vector<Estimates> all;
  for (UnitRow& unit : table.units) {
    all.push_back(estimates_of(unit.cell));
    if (unit.cell.result != nullptr) unit.value = unit.cell.result->headline.value;
  }
  const auto findings = outliers(all, options_for(table, family));
  for (std::size_t i = 0; i < findings.size(); ++i) {
    table.units[i].finding = findings[i];
    forgive_disturbed(table.units[i].finding, table.units[i].cell);
  }
}

bool is_odd(const UnitFinding& finding) { return finding.oddity == Oddity::slow || finding.oddity == Oddity::fast; }

/// The estimates of a link by incarnation, of as many as any link has.
Estimates by_incarnation(const Link& link, std::size_t incarnations) {
  Estimates values(incarnations, std::numeric_limits<double>::quiet_NaN());
  if (link.cell.result != nullptr)
    for (const IncarnationMedian& process : link.cell.result->processes)
      values[static_cast<std::size_t>(process.incarnation)] = process.value;
  return values;
}

std::size_t incarnations_of(const Table& table) {
  int most = 0;
  for (const Link& link : table.links)
    if (link.cell.result != nullptr)
      for (const IncarnationMedian& process : link.cell.result->processes)
        most = std::max(most, process.incarnation + 1);
  return static_cast<std::size_t>(most);
}

/// A node's value is that of its links, without what others of them or their other ends have to answer for.
void value_by_links(Table& table, std::size_t unit) {
  std::vector<double> clean;
  std::vector<double> all;
  for (const Link& link : table.links) {
    if (link.cell.result == nullptr || link.from == link.to || (link.from != unit && link.to != unit)) continue;
    const std::size_t other = link.from == unit ? link.to : link.from;
    all.push_back(link.cell.result->headline.value);
    if (!is_odd(link.finding) && !is_odd(table.units[other].finding)) clean.push_back(all.back());
  }
  if (!all.empty()) table.units[unit].value = median(clean.empty() ? all : clean);
}

void judge_links(Table& table, std::size_t family) {
  std::vector<MeasuredLink> all;
  std::vector<Link*> judged;
  for (Link& link : table.links) {
    if (link.from == link.to) continue;
    judged.push_back(&link);
    all.push_back({link.from, link.to, by_incarnation(link, incarnations_of(table))});
  }
  const auto findings = link_outliers(table.units.size(), all, options_for(table, family));
  for (std::size_t i = 0; i < table.units.size(); ++i) table.units[i].finding = findings.nodes[i];
  for (std::size_t i = 0; i < judged.size(); ++i) {
    judged[i]->finding = findings.links[i];
    judged[i]->has_odd_end = !is_odd(findings.links[i]) &&
                             (is_odd(findings.nodes[judged[i]->from]) || is_odd(findings.nodes[judged[i]->to]));
  }
  for (std::size_t i = 0; i < table.units.size(); ++i) value_by_links(table, i);
}

}  // namespace

std::vector<Table> tables_of(const std::vector<SeriesGroup>& groups) {
  std::vector<Table> tables;
  for (const SeriesGroup& group : groups)
    if (const std::string factor = unit_factor(group); !factor.empty()) deal(group, factor, tables);
  for (Table& table : tables) {
    choose_results(table);
    if (table.links.empty())
      judge_units(table, tables.size());
    else
      judge_links(table, tables.size());
  }
  return tables;
}

}  // namespace assay::cluster
