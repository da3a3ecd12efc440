// SPDX-License-Identifier: Apache-2.0
// A fleet for people, and one node of it for Apache Otava.
#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>
#include <utility>

#include "app/archive/fleet.hpp"
#include "base/point.hpp"
#include "base/value.hpp"
#include "record/export/export_parts.hpp"
#include "record/grouping.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/csv_text.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay::history {
namespace {

constexpr std::size_t fleet_date_digits = 10;
constexpr std::size_t most_nodes_shown = 40;

std::string day_of(const std::string& time) { return time.substr(0, fleet_date_digits); }

// "bandwidth: os/memory time, op=copy".
std::string place_text(const PlaceOfResult& place) {
  std::string text = place.series;
  const auto point = parse_point(place.point);
  constexpr std::size_t told = 3;
  std::vector<std::string> levels;
  if (point)
    for (const auto& [factor, level] : point->levels()) levels.push_back(factor + '=' + shown_level(*point, factor));
  return text + (levels.empty() ? "" : " " + joined(levels, " ", told));
}

std::string ratio_text(double ratio) { return std::isfinite(ratio) ? fixed_text(ratio, 2) + "x" : "-"; }

std::string bad_text(const NodeHistory& node) {
  std::string text = ratio_text(node.how_bad);
  if (node.lacking > 0) text = (text == "-" ? "" : text + "; ") + "no result in " + std::to_string(node.lacking);
  return text;
}

std::string since_text(const FleetReport& report, const NodeHistory& node) {
  if (!node.first_bad) return node.is_offender ? "no lasting change" : "-";
  const FirstBad& first = *node.first_bad;
  std::string text = day_of(first.started);
  text += std::isnan(first.before) ? " (from the first campaign on)"
                                   : ", " + ratio_text(first.before) + " -> " + ratio_text(first.after);
  if (!first.well_again.empty()) text += ", until " + day_of(first.well_again);
  return text + ", " + place_text(report.places[first.place]);
}

std::string places_text(const FleetReport& report, const NodeHistory& node) {
  std::set<std::string> series;
  std::vector<std::string> names;
  for (const std::size_t place : node.places)
    if (series.insert(report.places[place].series).second) names.push_back(report.places[place].series);
  return names.empty() ? "-" : joined(names, ", ", 3);
}

std::string marks_text(const std::string& marks) {
  std::vector<std::string> words;
  for (const char mark : marks) words.emplace_back(mark_word(mark));
  return joined(words, " ");
}

/// The rows and columns of one node.
struct NodeTable {
  std::vector<std::string> columns;
  std::vector<std::size_t> rounds;
  std::map<std::pair<std::size_t, std::string>, const OfNode*> cells;
};

std::string column_of(const Found& found) {
  std::string name = printable(found.place.series);
  if (const auto point = parse_point(found.place.point))
    for (const auto& [factor, level] : point->levels()) name += ' ' + factor + '=' + printable(point->text(factor));
  if (found.place.regime != "solo") name += ' ' + found.place.regime;
  return name + " (" + symbol(found.unit) + ')';
}

NodeTable table_of(const Fleet& fleet, const std::string& node) {
  NodeTable table;
  for (const OfNode& one : fleet.results) {
    if (one.node != node) continue;
    if (std::ranges::find(table.rounds, one.round) == table.rounds.end()) table.rounds.push_back(one.round);
    if (!one.found.has_number()) continue;
    std::string column = column_of(one.found);
    if (std::ranges::find(table.columns, column) == table.columns.end()) table.columns.push_back(column);
    table.cells[{one.round, std::move(column)}] = &one;
  }
  return table;
}

// Only what most rounds have, and the rounds that have all of it; says what is left out.
std::vector<std::string> complete(NodeTable& table) {
  std::vector<std::string> remarks;
  const std::size_t all_rounds = table.rounds.size();
  const auto rare = std::erase_if(table.columns, [&](const std::string& column) {
    const auto has = std::ranges::count_if(table.rounds, [&](std::size_t round) {
      return table.cells.contains({round, column});
    });
    return 2 * static_cast<std::size_t>(has) <= all_rounds;
  });
  const auto lacking = std::erase_if(table.rounds, [&](std::size_t round) {
    return std::ranges::any_of(table.columns, [&](const std::string& column) {
      return !table.cells.contains({round, column});
    });
  });
  if (rare > 0)
    remarks.push_back(counted(rare, "result") + " left out: half of the campaigns or fewer have a number there");
  if (lacking > 0) remarks.push_back(counted(lacking, "campaign") + " left out: without a number where most have one");
  return remarks;
}

void write_cells(std::ostream& out, const std::vector<std::string>& cells) { out << joined(cells, ",") << '\n'; }

}  // namespace

Listing fleet_listing(const FleetReport& report) {
  Listing listing{"fleet",
                  {"node", "offender", "campaigns", "bad", "share", "share_low", "share_high", "adjusted_p", "how_bad",
                   "lacking", "first_bad", "first_bad_p", "before", "after", "well_again", "first_bad_in", "series"}};
  const auto real = [](double number) { return std::isfinite(number) ? Json(number) : Json(); };
  for (const NodeHistory& node : report.nodes) {
    const Interval& share = node.finding.share;
    const FirstBad first = node.first_bad.value_or(FirstBad{});
    const auto when_bad = [&](Json value) { return node.first_bad ? std::move(value) : Json(); };
    listing.add({node.node, node.is_offender, std::int64_t{node.rounds.tests}, std::int64_t{node.rounds.bad},
                 static_cast<double>(node.rounds.bad) / std::max(1, node.rounds.tests), real(share.low),
                 real(share.high), node.finding.adjusted_p, real(node.how_bad), std::int64_t{node.lacking},
                 when_bad(first.started), when_bad(real(first.p)), when_bad(real(first.before)), when_bad(first.after),
                 first.well_again.empty() ? Json() : Json(first.well_again),
                 node.first_bad ? Json(place_text(report.places[first.place])) : Json(),
                 node.places.empty() ? Json() : Json(places_text(report, node))});
  }
  listing.facts = {{"rounds", static_cast<std::int64_t>(report.rounds)},
                   {"too_small", static_cast<std::int64_t>(report.too_small)}};
  return listing;
}

void print_fleet(std::ostream& out, const FleetReport& report, double alpha) {
  TextTable table({"node", "campaigns", "bad", "share", "95 %", "how bad", "adj. p", "first bad day", "series"});
  std::size_t shown_nodes = 0;
  std::size_t offenders = 0;
  for (const NodeHistory& node : report.nodes) {
    offenders += node.is_offender ? 1 : 0;
    if (node.rounds.bad == 0 || (!node.is_offender && shown_nodes >= most_nodes_shown)) continue;
    ++shown_nodes;
    const Interval& share = node.finding.share;
    table.add({node.node, std::to_string(node.rounds.tests), std::to_string(node.rounds.bad),
               percent(static_cast<double>(node.rounds.bad) / node.rounds.tests),
               percent(share.low) + " .. " + percent(share.high), bad_text(node), rounded(node.finding.adjusted_p),
               since_text(report, node), places_text(report, node)});
  }
  if (shown_nodes > 0) {
    table.print(out);
    out << '\n';
  }
  out << counted(report.rounds, "campaign") << " of " << counted(report.nodes.size(), "node") << ": "
      << counted(offenders, "repeat offender") << " (bad in two or more, adj. p at most " << rounded(alpha) << ")";
  if (shown_nodes < report.nodes.size()) out << "; " << report.nodes.size() - shown_nodes << " nodes not listed";
  if (report.too_small > 0)
    out << "; " << counted(report.too_small, "campaign") << " of fewer than " << fewest_nodes << " nodes left out";
  out << "\nBad: slower than the nodes' median by more than " << percent(fleet_margin)
      << " with the whole interval, and by three times their spread; or without a result that most have.\n";
}

std::vector<std::string> write_node_otava(std::ostream& out, const std::vector<Entry>& entries, const Fleet& fleet,
                                          const std::string& node) {
  NodeTable table = table_of(fleet, node);
  auto remarks = complete(table);
  if (table.columns.empty() || table.rounds.empty()) return remarks;
  std::vector<std::string> header{"time", "host", "version", "marks"};
  for (const std::string& column : table.columns) header.push_back(csv_text(column));
  write_cells(out, header);
  for (const std::size_t round : table.rounds) {
    std::vector<std::string> marks;
    std::vector<std::string> numbers;
    for (const std::string& column : table.columns) {
      const OfNode& one = *table.cells.at({round, column});
      numbers.push_back(assay::to_text(one.found.known.value));
      if (!one.found.marks.empty()) marks.push_back(column + ": " + marks_text(one.found.marks));
    }
    const Entry& entry = entries[table.cells.at({round, table.columns.front()})->campaign];
    std::vector<std::string> cells{entry.started, csv_text(printable(node)), fact_of(entry.facts, "assay.version"),
                                   csv_text(printable(joined(marks, "; ")))};
    cells.insert(cells.end(), numbers.begin(), numbers.end());
    write_cells(out, cells);
  }
  return remarks;
}

}  // namespace assay::history
