// SPDX-License-Identifier: Apache-2.0
// The worst verdict of each node.
#include "record/cluster_verdict.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include "record/block_table.hpp"
#include "record/printable.hpp"

namespace assay::cluster {

namespace {

/// What failed, as against what was not asked for, cannot be had, or is in another regime.
bool is_lacking(const Cell& cell) {
  return cell.point != nullptr && (has_failed(cell.point->outcome) || cell.point->outcome == Outcome::too_noisy);
}

template <class Items>
bool most_have_results(const Items& items) {
  const auto having = std::ranges::count_if(items, [](const auto& item) { return item.cell.result != nullptr; });
  return 2 * static_cast<std::size_t>(having) > items.size();
}

Standing standing_of(Oddity oddity) {
  constexpr std::array<Standing, 4> standings{Standing::ok, Standing::slow, Standing::fast, Standing::unclear};
  return standings.at(static_cast<std::size_t>(oddity));
}

void add_node(Verdicts& verdicts, const std::string& node, Standing standing, const std::string& series) {
  auto found = std::ranges::find(verdicts.nodes, node, &NodeVerdict::node);
  if (found == verdicts.nodes.end()) {
    verdicts.nodes.push_back({node, Standing::ok, {}});
    found = verdicts.nodes.end() - 1;
  }
  if (standing == Standing::ok || standing > found->standing) return;
  if (standing < found->standing) found->series.clear();
  found->standing = standing;
  if (std::ranges::find(found->series, series) == found->series.end()) found->series.push_back(series);
}

void add_nodes(Verdicts& verdicts, const Table& table) {
  const bool most = most_have_results(table.units);
  for (const UnitRow& unit : table.units) {
    const bool lacks = table.links.empty() && most && is_lacking(unit.cell);
    add_node(verdicts, unit.name, lacks ? Standing::lacking : standing_of(unit.finding.oddity),
             table.series->series.series);
  }
}

void add_links(Verdicts& verdicts, const Table& table) {
  const bool most = most_have_results(table.links);
  const auto is_sick = [&](std::size_t unit) {
    const auto node = std::ranges::find(verdicts.nodes, table.units[unit].name, &NodeVerdict::node);
    return node != verdicts.nodes.end() && node->standing <= Standing::lacking;
  };
  for (const Link& link : table.links) {
    const bool lacks = most && is_lacking(link.cell);
    if (link.from == link.to || (lacks && (is_sick(link.from) || is_sick(link.to)))) continue;
    if (!lacks && link.finding.oddity != Oddity::slow) continue;
    const LinkVerdict verdict{table.units[link.from].name, table.units[link.to].name,
                              lacks ? Standing::lacking : Standing::slow, table.series->series.series};
    if (std::ranges::find(verdicts.links, verdict) == verdicts.links.end()) verdicts.links.push_back(verdict);
  }
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + printable(word);
  return text;
}

}  // namespace

std::string to_text(Standing standing) {
  constexpr std::array<const char*, 5> names{"slow", "lacking", "fast", "unclear", "ok"};
  return names.at(static_cast<std::size_t>(standing));
}

bool Verdicts::is_sick() const {
  return !links.empty() || std::ranges::any_of(nodes, [](const NodeVerdict& node) {
    return node.standing == Standing::slow || node.standing == Standing::lacking;
  });
}

Verdicts verdicts_of(const std::vector<Table>& tables) {
  Verdicts verdicts;
  for (const Table& table : tables)
    if (table.factor == "node") add_nodes(verdicts, table);
  for (const Table& table : tables)
    if (table.factor == "node") add_links(verdicts, table);
  return verdicts;
}

Verdicts verdicts_of(const std::vector<Record>& records) {
  const auto groups = group_by_series(records);
  return verdicts_of(tables_of(groups));
}

void print_verdicts(std::ostream& out, const Verdicts& verdicts) {
  if (verdicts.nodes.empty()) return;
  std::vector<MarkedColumn> columns{{"node or link", "", false}, {"verdict", "", false}, {"in", "", false}};
  const auto add = [&](const std::string& what, Standing standing, const std::string& series) {
    columns[0].add({what});
    columns[1].add({to_text(standing)});
    columns[2].add({series});
  };
  for (const NodeVerdict& node : verdicts.nodes) add(printable(node.node), node.standing, listed(node.series));
  for (const LinkVerdict& link : verdicts.links)
    add(printable(link.node) + " - " + printable(link.peer), link.standing, printable(link.series));
  print_columns(out, columns);
  out << '\n';
}

}  // namespace assay::cluster
