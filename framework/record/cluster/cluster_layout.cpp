// SPDX-License-Identifier: Apache-2.0
// Layout `cluster`: nodes and links, or the CPUs of a node, side by side, and which of them deviates from the others.
#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "record/cluster/cluster_tables.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "record/cluster/node_causes.hpp"
#include "record/cluster/screened_unit.hpp"
#include "record/layout/layouts.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "record/table/results_table.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay {

namespace cluster {

namespace {

// Levels that every series has; printed only where they differ.
bool is_usual(const std::string& factor) { return factor == "vehicle" || factor == "members" || factor == "bystander"; }

std::string heading_of(const Table& table) {
  const SeriesRecord& series = table.series->series;
  std::string text = printable(series.series) + ": " + printable(series.measurement);
  if (!series.quantities.empty()) text += ", " + printable(series.quantities.front().name);
  for (const auto& level : table.common.levels())
    if (!is_usual(level.first) || varies(level.first, table.series->points))
      text += ' ' + printable(level.first) + '=' + shown_level(table.common, level.first);
  return text;
}

// "1.52 [1.48 .. 1.55]", or a difference with its sign.
std::string shift_text(const Shift& shift) {
  if (!std::isfinite(shift.value) || (shift.is_ratio && shift.value == 1 && !shift.interval.available())) return "-";
  const ShownValue text = shown(shift.value, shift.interval, {1, ""});
  const std::string sign = !shift.is_ratio && shift.value > 0 ? "+" : "";
  return sign + text.value + (shift.interval.available() ? " [" + text.low + " .. " + text.high + "]" : "");
}

// Every quantity that a node's own points have, by name: the headline of the regime that the table is about.
const Result* result_of(const Cell& cell, const std::string& quantity) {
  if (cell.result == nullptr) return nullptr;
  for (const Result& result : cell.point->results)
    if (result.quantity == quantity && result.regime == cell.result->regime) return &result;
  return nullptr;
}

Scale column_scale(const Table& table, const Quantity& quantity) {
  std::vector<double> values;
  for (const UnitRow& unit : table.units)
    if (const Result* result = result_of(unit.cell, quantity.name)) values.push_back(result->headline.value);
  if (values.empty())
    for (const UnitRow& unit : table.units)
      if (std::isfinite(unit.value)) values.push_back(unit.value);
  return common_scale(values, quantity.unit).value_or(Scale{1, symbol(quantity.unit)});
}

MarkedText value_text(const PointRecord* point, const Result& result, const Scale& scale) {
  Estimate headline = result.headline;
  headline.value /= scale.size;
  headline.interval.low /= scale.size;
  headline.interval.high /= scale.size;
  return {short_text(headline, Unit::ratio), point != nullptr ? marks_of(*point, result) : ""};
}

std::string lack_of(const UnitRow& unit) {
  if (unit.cell.point == nullptr || !unit.cell.point->results.empty()) return "-";
  return unit.cell.point->code.empty() ? to_text(unit.cell.point->outcome) : printable(unit.cell.point->code);
}

MarkedColumn quantity_column(const Table& table, const Quantity& quantity, bool is_primary) {
  const Scale scale = column_scale(table, quantity);
  MarkedColumn column(printable(quantity.name), scale.name);
  for (const UnitRow& unit : table.units) {
    if (const Result* result = result_of(unit.cell, quantity.name))
      column.add(value_text(unit.cell.point, *result, scale));
    else if (is_primary && unit.cell.point == nullptr && std::isfinite(unit.value))
      column.add({short_text({"median", unit.value / scale.size, {}, ""}, Unit::ratio)});
    else
      column.add({is_primary ? lack_of(unit) : "-"});
  }
  return column;
}

std::string marks_in(const Table& table) {
  std::string marks;
  for (const UnitRow& unit : table.units)
    if (unit.cell.result != nullptr) marks += marks_of(*unit.cell.point, *unit.cell.result);
  return marks;
}

std::string print_units(std::ostream& out, const Table& table) {
  std::vector<MarkedColumn> columns;
  columns.emplace_back(table.factor == "placement" ? "CPU" : table.factor, "", false);
  for (const UnitRow& unit : table.units) columns[0].add({printable(unit.name)});
  const auto& quantities = table.series->series.quantities;
  for (std::size_t i = 0; i < quantities.size(); ++i) columns.push_back(quantity_column(table, quantities[i], i == 0));
  columns.emplace_back("verdict", "", false);
  columns.emplace_back("against", "the others", false);
  columns.emplace_back("", "", false);
  for (const UnitRow& unit : table.units) {
    const std::size_t at = columns.size() - 3;
    columns[at].add({std::string(to_text(unit.finding.oddity))});
    columns[at + 1].add({shift_text(unit.finding.shift)});
    columns[at + 2].add({full_reason(unit.finding)});
  }
  print_columns(out, columns);
  return marks_in(table);
}

// Why links have no verdict; reasons that differ in their numbers only are one.
std::string unclear_text(const Table& table, const Link& link) {
  if (link.cell.result == nullptr) return "without a number";
  if (link.has_odd_end) {
    const bool is_from =
        table.units[link.from].finding.oddity != Oddity::unclear && table.units[link.from].finding.oddity != Oddity::ok;
    return "of node " + printable(table.units[is_from ? link.from : link.to].name);
  }
  return "unclear: " + link.finding.reason;
}

// Links that are not like the others, one line each; the rest is counted.
void print_odd_links(std::ostream& out, const Table& table) {
  std::map<std::string, std::size_t> counts;
  for (const Link& link : table.links) {
    if (link.from == link.to) continue;
    const Oddity oddity = link.finding.oddity;
    if (oddity == Oddity::slow || oddity == Oddity::fast)
      out << to_text(oddity) << " link " << printable(table.units[link.from].name) << " - "
          << printable(table.units[link.to].name) << ": " << shift_text(link.finding.shift) << " against the others\n";
    else
      ++counts[oddity == Oddity::ok ? "ok" : unclear_text(table, link)];
  }
  std::string text;
  for (const auto& [what, count] : counts) text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + what;
  if (!text.empty()) out << "other links: " << text << '\n';
}

std::string print_table(std::ostream& out, const Table& table) {
  std::string marks;
  out << heading_of(table) << '\n';
  if (!table.links.empty()) {
    marks += print_link_matrix(out, table);
    out << "S, F: slow or fast among the links; rows are `node`, columns `peer`\n\n";
  }
  marks += print_units(out, table);
  if (!table.links.empty()) print_odd_links(out, table);
  out << '\n';
  return marks;
}

void explain_verdicts(std::ostream& out) {
  out << "A verdict is about the primary quantity. The unit whose incarnations deviate most significantly is tested "
         "against\n"
         "all others by ranks and removed, then the rest is tested again. All tests of this report together raise a\n"
         "false alarm in at most one report of fifty. slow, fast: differs by more than " +
             percent_text(unit_margin) + " % (links, and\nnodes by their links: " + percent_text(link_margin) +
             " %) from a majority that agrees. ok: the 95 % interval of its shift lies\n"
             "within that. unclear: undecidable, for the reason given.\n"
             "Nodes and links are tested in one model: the effect that explains most is removed first, a node only "
             "where most of "
             "its\n"
             "links deviate, a link only beyond what its nodes explain. A result of which too many batches were\n"
             "disturbed (#) makes no unit slow or fast. lacking: it failed, or was too noisy, where most others have "
             "a\n"
             "result. why: the cause according to the readings of a node's cores, its counters and its facts, "
             "compared\n"
             "with those of the others, where they explain it; a fact that differs is a hint only.\n\n";
}

// Its notes say how it went.
bool has_screening(const std::vector<Record>& records) {
  return std::ranges::any_of(records, [](const Record& record) {
    const auto* note = std::get_if<NoteRecord>(&record);
    return note != nullptr && note->text.starts_with("screening of ");
  });
}

std::string name_of(const ScreenedUnit& unit) {
  if (!unit.part.empty()) return printable(unit.part);
  return printable(unit.node) + (unit.peer.empty() ? "" : " - " + printable(unit.peer));
}

void print_screened(std::ostream& out, const std::vector<Record>& records) {
  std::vector<MarkedColumn> columns{{"screened in", "", false},
                                    {"unit", "", false},
                                    {"verdict", "", false},
                                    {"against", "the others", false},
                                    {"", "", false}};
  for (const Record& record : records) {
    const auto unit = screened_unit(record);
    if (!unit) continue;
    columns[0].add({printable(unit->series)});
    columns[1].add({name_of(*unit)});
    columns[2].add({to_text(unit->verdict)});
    columns[3].add({shift_text({true, unit->ratio, unit->interval, 1})});
    columns[4].add({printable(unit->reason)});
  }
  if (columns[0].is_blank()) return;
  print_columns(out, columns, columns.size());
  out << '\n';
}

void print(std::ostream& out, const std::vector<Record>& records, Detail detail) {
  const auto groups = group_by_series(records);
  const auto tables = tables_of(groups);
  print_title(out, records);
  if (tables.empty() && !has_screening(records))
    out << "nothing to compare: no series has the factor `node`, or placements on one CPU each\n\n";
  std::string marks;
  for (const Table& table : tables) marks += print_table(out, table);
  print_screened(out, records);
  print_verdicts(out, verdicts_of(tables, records));
  print_odd_facts(out, odd_facts(records));
  print_legend(out, marks);
  if (detail == Detail::explained) explain_verdicts(out);
  print_close(out, records, groups);
}

}  // namespace

}  // namespace cluster

Layout cluster_layout() {
  return {"cluster",
          "nodes, links or CPUs compared with each other, and which of them deviate",
          {},
          one_by_one(&cluster::print)};
}

}  // namespace assay
