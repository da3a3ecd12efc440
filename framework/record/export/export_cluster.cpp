// SPDX-License-Identifier: Apache-2.0
// The report on a cluster as one JSON object: verdicts with their causes, and the tables that they rest on.
#include <cmath>
#include <ostream>

#include "record/cluster/cluster_verdict.hpp"
#include "record/cluster/node_causes.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"

namespace assay {

namespace {

using Members = Json::Object;

Json words_json(const std::vector<std::string>& words) { return Json::Array(words.begin(), words.end()); }

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// Null where there is nothing to compare with.
Json shift_json(const Shift& shift) {
  const bool is_compared = shift.interval.available() || !shift.is_ratio || shift.value != 1;
  if (!std::isfinite(shift.value) || !is_compared) return {};
  return Members{{"is_ratio", shift.is_ratio},
                 {"value", shift.value},
                 {"low", when_json(shift.interval, shift.interval.low)},
                 {"high", when_json(shift.interval, shift.interval.high)}};
}

Json::Array nodes_json(const std::vector<cluster::NodeVerdict>& nodes) {
  Json::Array array;
  for (const auto& node : nodes)
    array.push_back(Members{{"node", node.node},
                            {"verdict", cluster::to_text(node.standing)},
                            {"series", words_json(node.series)},
                            {"against", node.shift ? shift_json(*node.shift) : Json()},
                            {"against_in", text_or_null(node.shift_in)},
                            {"causes", words_json(node.causes)}});
  return array;
}

Json::Array links_json(const std::vector<cluster::LinkVerdict>& links) {
  Json::Array array;
  for (const auto& link : links)
    array.push_back(Members{{"node", link.node},
                            {"peer", link.peer},
                            {"verdict", cluster::to_text(link.standing)},
                            {"series", link.series}});
  return array;
}

Json::Array parts_json(const std::vector<cluster::PartVerdict>& parts) {
  Json::Array array;
  for (const auto& part : parts)
    array.push_back(Members{
        {"part", part.part}, {"verdict", "slow"}, {"series", part.series}, {"against", shift_json(part.shift)}});
  return array;
}

Json::Array facts_json(const std::vector<cluster::OddFact>& facts) {
  Json::Array array;
  for (const auto& fact : facts) {
    Json::Array others;
    for (const auto& other : fact.others)
      others.push_back(Members{{"value", other.value}, {"nodes", words_json(other.nodes)}});
    array.push_back(Members{
        {"fact", fact.key}, {"usual", fact.usual}, {"nodes", count_json(fact.nodes)}, {"others", std::move(others)}});
  }
  return array;
}

Members finding_json(const UnitFinding& finding, const cluster::Cell& cell) {
  const bool has_value = cell.result != nullptr;
  const Interval none;
  const Interval& interval = has_value ? cell.result->headline.interval : none;
  return {{"value", has_value ? finite_json(cell.result->headline.value) : Json()},
          {"low", when_json(interval, interval.low)},
          {"high", when_json(interval, interval.high)},
          {"verdict", std::string(to_text(finding.oddity))},
          {"against", shift_json(finding.shift)},
          {"p", finite_json(finding.p)},
          {"reason", text_or_null(finding.reason)}};
}

Json table_json(const cluster::Table& table) {
  Json::Array rows;
  for (const auto& unit : table.units) {
    Members row{{table.factor == "node" ? "node" : "cpu", unit.name}};
    for (auto& member : finding_json(unit.finding, unit.cell)) row.push_back(std::move(member));
    // Of nodes without a result of their own: the median of their links.
    if (unit.cell.result == nullptr && std::isfinite(unit.value)) row[1].second = unit.value;
    rows.emplace_back(std::move(row));
  }
  Json::Array links;
  for (const auto& link : table.links) {
    Members row{{"node", table.units[link.from].name}, {"peer", table.units[link.to].name}};
    for (auto& member : finding_json(link.finding, link.cell)) row.push_back(std::move(member));
    links.emplace_back(std::move(row));
  }
  const auto& quantities = table.series->series.quantities;
  return Members{{"series", table.series->series.series},
                 {"measurement", table.series->series.measurement},
                 {"quantity", quantities.empty() ? Json() : Json(quantities.front().name)},
                 {"unit", quantities.empty() ? Json() : Json(symbol(quantities.front().unit))},
                 {"parameters", levels_json(table.common)},
                 {"rows", std::move(rows)},
                 {"links", std::move(links)}};
}

/// What the report is of, and whether it is whole.
void write_frame(std::ostream& out, const std::vector<Record>& records) {
  Json title;
  Json started;
  Json ended;
  for (const Record& record : records) {
    if (const auto* campaign = std::get_if<CampaignRecord>(&record)) title = campaign->title;
    if (const auto* session = std::get_if<SessionRecord>(&record)) started = session->started;
    if (const auto* end = std::get_if<EndRecord>(&record)) ended = end->reason;
  }
  out << "\"title\":" << to_text(title) << ",\n\"started\":" << to_text(started) << ",\n\"ended\":" << to_text(ended)
      << ",\n";
}

// A line each, as in the JSON of results.
void write_array(std::ostream& out, const char* name, const Json::Array& items, const char* behind = ",\n") {
  out << '"' << name << "\":[";
  for (const Json& item : items) out << (&item == &items.front() ? "\n" : ",\n") << to_text(item);
  out << ']' << behind;
}

}  // namespace

Remarks write_cluster_json(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  const auto groups = group_by_series(source.records);
  const auto tables = cluster::tables_of(groups);
  const auto verdicts = cluster::verdicts_of(tables, source.records);
  Json::Array table_items;
  for (const auto& table : tables) table_items.push_back(table_json(table));
  Json::Array notes;
  for (const Record& record : source.records)
    if (const auto* note = std::get_if<NoteRecord>(&record)) notes.emplace_back(note->text);
  out << "{\"format\":\"assay-cluster\",\"version\":1,\n";
  write_frame(out, source.records);
  out << "\"deviating\":" << (verdicts.has_deviating() ? "true" : "false") << ",\n";
  out << "\"compared\":" << std::to_string(verdicts.compared) << ",\n";
  write_array(out, "nodes", nodes_json(verdicts.nodes));
  write_array(out, "links", links_json(verdicts.links));
  write_array(out, "parts", parts_json(verdicts.parts));
  write_array(out, "facts", facts_json(cluster::odd_facts(source.records)));
  write_array(out, "tables", table_items);
  write_array(out, "notes", notes, "\n}\n");
  Remarks remarks;
  if (verdicts.nodes.empty() && verdicts.links.empty() && verdicts.parts.empty())
    remarks.emplace_back("there are no verdicts on nodes: these are results of 'assay cluster' only");
  return remarks;
}

}  // namespace assay
