// SPDX-License-Identifier: Apache-2.0
// The links of a cluster as a matrix.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "record/cluster/cluster_tables.hpp"
#include "record/na_code.hpp"
#include "record/shown_value.hpp"
#include "record/table/block_table.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"

namespace assay::cluster {

namespace {

Scale scale_for(const Table& table) {
  std::vector<double> values;
  for (const Link& link : table.links)
    if (link.cell.result != nullptr) values.push_back(link.cell.result->headline.value);
  const auto& quantities = table.series->series.quantities;
  const Unit unit = quantities.empty() ? Unit::nanoseconds : quantities.front().unit;
  return common_scale(values, unit).value_or(Scale{1, symbol(unit)});
}

std::string lack_of(const Cell& cell) {
  if (!cell.point->results.empty()) return "regime";  // it has a number, in another one
  return cell.point->code.empty() ? to_text(cell.point->outcome) : printable(cell.point->code);
}

MarkedText text_of(const Link& link, const Scale& scale) {
  if (link.cell.result == nullptr) return {lack_of(link.cell)};
  Estimate shown = link.cell.result->headline;
  shown.value /= scale.size;
  shown.interval.low /= scale.size;
  shown.interval.high /= scale.size;
  std::string marks = marks_of(*link.cell.point, *link.cell.result);
  if (link.finding.oddity == Oddity::slow) marks += 'S';
  if (link.finding.oddity == Oddity::fast) marks += 'F';
  return {short_text(shown, Unit::ratio), marks};
}

}  // namespace

std::string print_link_matrix(std::ostream& out, const Table& table) {
  const Scale scale = scale_for(table);
  const std::size_t nodes = table.units.size();
  std::vector<std::vector<MarkedText>> cells(nodes, std::vector<MarkedText>(nodes, MarkedText{"-"}));
  std::string marks;
  for (const Link& link : table.links) {
    cells[link.from][link.to] = text_of(link, scale);
    if (link.cell.result != nullptr) marks += marks_of(*link.cell.point, *link.cell.result);
  }
  std::vector<MarkedColumn> columns{{"node", scale.name, false}};
  const auto is_blank = [](const MarkedText& cell) { return cell.text == "-"; };
  for (std::size_t to = 0; to < nodes; ++to) columns.emplace_back(printable(table.units[to].name), "");
  for (std::size_t from = 0; from < nodes; ++from) {
    if (std::ranges::all_of(cells[from], is_blank)) continue;
    columns[0].add({printable(table.units[from].name)});
    for (std::size_t to = 0; to < nodes; ++to) columns[1 + to].add(cells[from][to]);
  }
  print_columns(out, columns);
  return marks;
}

}  // namespace assay::cluster
