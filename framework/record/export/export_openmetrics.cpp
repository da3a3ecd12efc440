// SPDX-License-Identifier: Apache-2.0
// The text format of OpenMetrics 1.0, https://prometheus.io/docs/specs/om/open_metrics_spec/, and the older one of
// Prometheus, 0.0.4, which the textfile collector of its node exporter reads: that refuses a file with a type that it
// does not know.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>

#include "base/value.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "record/export/export_parts.hpp"
#include "record/export/exports.hpp"
#include "record/export/monitoring.hpp"
#include "record/utc_time.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

constexpr double ns_per_second = 1e9;

// A unit as base unit of the format. A family's name ends in it; a plain number has none.
struct MetricUnit {
  Unit unit;
  const char* name;
  double per_base;  ///< how many make a base unit: dividing rounds once
};
constexpr std::array<MetricUnit, 6> metric_units{{{Unit::nanoseconds, "seconds", ns_per_second},
                                                  {Unit::bytes, "bytes", 1},
                                                  {Unit::bytes_per_second, "bytes_per_second", 1},
                                                  {Unit::per_second, "hertz", 1},
                                                  {Unit::ratio, "ratio", 1},
                                                  {Unit::count, "", 1}}};

// A family per number of a result.
struct MetricNumber {
  const char* name;
  const char* help;
  double (*of)(const Estimate& headline);
  bool is_end = false;  ///< of an interval, which there may be none of
};
const std::array<MetricNumber, 3> metric_numbers{
    {{"assay_median", "Median of clean batches per event.", [](const Estimate& e) { return e.value; }},
     {"assay_low", "Lower end of the interval of the median.", [](const Estimate& e) { return e.interval.low; }, true},
     {"assay_high", "Upper end of the interval of the median.", [](const Estimate& e) { return e.interval.high; },
      true}}};

enum class Dialect : std::uint8_t { openmetrics, prometheus };

// A family of metrics. A unit is a part of its name.
struct MetricHead {
  std::string name;
  const char* type;  ///< "gauge", "stateset"
  std::string help;
  std::string unit = {};
};

void write_head(std::ostream& out, const MetricHead& family, Dialect dialect) {
  const bool is_older = dialect == Dialect::prometheus;
  out << "# TYPE " << family.name << ' ' << (is_older ? "gauge" : family.type) << '\n';
  if (!family.unit.empty() && !is_older) out << "# UNIT " << family.name << ' ' << family.unit << '\n';
  out << "# HELP " << family.name << ' ' << family.help << '\n';
}

constexpr std::array<const char*, 5> mark_states{"not-converged", "short-term", "noisy", "no-interval", "cpus-moved"};
constexpr const char* marks_family = "assay_marks";

std::string label_value(const std::string& text) {
  std::string value = "\"";
  for (const char letter : printable(text)) {
    if (letter == '"' || letter == '\\') value += '\\';
    value += letter;
  }
  return value + '"';
}

bool is_label_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_label_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || is_label_digit(letter);
}

// Letters, digits and underscores, no digit first; what is taken or reserved gets a prefix.
std::string label_name(const std::string& factor, std::set<std::string>& taken) {
  std::string name = factor;
  std::ranges::replace_if(
      name, [](char letter) { return !is_label_letter(letter); }, '_');
  const bool is_reserved = name == "le" || name == "quantile" || name.starts_with("__");
  if (name.empty() || is_label_digit(name.front()) || is_reserved) name.insert(0, "factor_");
  while (!taken.insert(name).second) name.insert(0, "factor_");
  return name;
}

// Without braces, so that a state can follow.
std::string labels_of(const NumberedResult& row) {
  std::set<std::string> taken{"series", "measurement", "quantity", "regime", marks_family};
  std::string labels =
      "series=" + label_value(row.point->series) + ",measurement=" + label_value(row.point->measurement) +
      ",quantity=" + label_value(row.result->quantity) + ",regime=\"" + to_text(row.result->regime) + '"';
  for (const auto& level : row.point->point.levels())
    labels += ',' + label_name(level.first, taken) + '=' + label_value(row.point->point.text(level.first));
  return labels;
}

void write_family(std::ostream& out, const MetricNumber& number, const MetricUnit& unit,
                  const std::vector<NumberedResult>& rows, Dialect dialect) {
  const std::string name = number.name + (*unit.name == '\0' ? std::string() : std::string("_") + unit.name);
  bool is_first = true;
  for (const NumberedResult& row : rows) {
    const Estimate& headline = row.result->headline;
    if (row.result->unit != unit.unit || (number.is_end && !headline.interval.available())) continue;
    const double value = number.of(headline) / unit.per_base;
    if (!std::isfinite(value)) continue;
    if (is_first) write_head(out, {name, "gauge", number.help, unit.name}, dialect);
    is_first = false;
    out << name << '{' << labels_of(row) << "} " << to_text(value) << '\n';
  }
}

void write_marks(std::ostream& out, const std::vector<NumberedResult>& rows, Dialect dialect) {
  write_head(out, {marks_family, "stateset", "Reasons why a result is not to be taken at its word."}, dialect);
  for (const NumberedResult& row : rows) {
    const auto marks = mark_words(*row.point, *row.result);
    const std::set<std::string> set(marks.begin(), marks.end());
    for (const char* state : mark_states)
      out << marks_family << '{' << labels_of(row) << ',' << marks_family << "=\"" << state << "\"} "
          << (set.contains(state) ? 1 : 0) << '\n';
  }
}

// When the campaign was measured, and whether it came to its end: an alert on old results needs no more.
void write_campaign(std::ostream& out, const std::vector<Record>& records, Dialect dialect) {
  std::optional<std::int64_t> started;
  bool is_complete = false;
  for (const Record& record : records) {
    if (const auto* session = std::get_if<SessionRecord>(&record)) {
      started = seconds_of_utc(session->started);
      is_complete = false;
    }
    if (const auto* end = std::get_if<EndRecord>(&record)) is_complete = end->reason == "complete";
  }
  if (!started) return;
  const std::string start = "assay_campaign_start_time_seconds";
  write_head(out, {start, "gauge", "When the last session began, since 1970.", "seconds"}, dialect);
  out << start << ' ' << std::to_string(*started) << '\n';
  write_head(out, {"assay_campaign_complete", "gauge", "1 where the last session came to its end."}, dialect);
  out << "assay_campaign_complete " << (is_complete ? 1 : 0) << '\n';
}

constexpr std::array<cluster::Standing, 5> standings{cluster::Standing::slow, cluster::Standing::lacking,
                                                     cluster::Standing::fast, cluster::Standing::unclear,
                                                     cluster::Standing::ok};

void write_nodes(std::ostream& out, const std::vector<cluster::NodeVerdict>& nodes, Dialect dialect) {
  const std::string verdicts = "assay_node_verdict";
  write_head(out, {verdicts, "stateset", "How a node stands among those of its cluster."}, dialect);
  for (const auto& node : nodes)
    for (const cluster::Standing standing : standings)
      out << verdicts << "{node=" << label_value(node.node) << ',' << verdicts << "=\"" << cluster::to_text(standing)
          << "\"} " << (node.standing == standing ? 1 : 0) << '\n';
  const std::string shift = "assay_node_against_others_ratio";
  bool is_first = true;
  for (const auto& node : nodes) {
    if (!node.shift || !node.shift->is_ratio || !std::isfinite(node.shift->value)) continue;
    if (is_first)
      write_head(out, {shift, "gauge", "How many times the others' a deviating node's worst result is.", "ratio"},
                 dialect);
    is_first = false;
    out << shift << "{node=" << label_value(node.node) << ",series=" << label_value(node.shift_in) << "} "
        << to_text(node.shift->value) << '\n';
  }
}

// Those that deviate, with 1; a series that ends says that the link is well again.
void write_network(std::ostream& out, const cluster::Verdicts& verdicts, Dialect dialect) {
  const std::string links = "assay_link_deviates";
  if (!verdicts.links.empty()) write_head(out, {links, "gauge", "Links that are slow or lack results."}, dialect);
  for (const auto& link : verdicts.links)
    out << links << "{node=" << label_value(link.node) << ",peer=" << label_value(link.peer)
        << ",series=" << label_value(link.series) << ",verdict=\"" << cluster::to_text(link.standing) << "\"} 1\n";
  const std::string parts = "assay_part_against_others_ratio";
  if (!verdicts.parts.empty())
    write_head(out, {parts, "gauge", "Switches and groups of them that are slow.", "ratio"}, dialect);
  for (const auto& part : verdicts.parts)
    out << parts << "{part=" << label_value(part.part) << ",series=" << label_value(part.series) << "} "
        << to_text(part.shift.value) << '\n';
}

// What an alert on a cluster needs: how many nodes stand how, and how much of the network deviates.
void write_cluster(std::ostream& out, const std::vector<Record>& records, Dialect dialect) {
  const auto verdicts = cluster::verdicts_of(records);
  if (verdicts.compared == 0 && verdicts.links.empty() && verdicts.parts.empty()) return;
  // Of a screening only those that are not well have verdicts.
  const std::size_t unlisted = verdicts.compared - verdicts.nodes.size();
  write_head(out, {"assay_nodes", "gauge", "Nodes of the cluster by verdict."}, dialect);
  for (const cluster::Standing standing : standings)
    out << "assay_nodes{verdict=\"" << cluster::to_text(standing) << "\"} "
        << std::to_string(cluster::count_of(verdicts.nodes, standing) +
                          (standing == cluster::Standing::ok ? unlisted : 0))
        << '\n';
  write_nodes(out, verdicts.nodes, dialect);
  write_network(out, verdicts, dialect);
}

Remarks write_metrics(std::ostream& out, const ExportSource& source, Dialect dialect) {
  const auto groups = group_by_series(source.records);
  const NumberedResults found = numbered_results(groups);
  write_campaign(out, source.records, dialect);
  write_cluster(out, source.records, dialect);
  for (const MetricNumber& number : metric_numbers)
    for (const MetricUnit& unit : metric_units) write_family(out, number, unit, found.rows, dialect);
  if (!found.rows.empty()) write_marks(out, found.rows, dialect);
  Remarks remarks;
  tell_numberless(remarks, found.numberless);
  return remarks;
}

}  // namespace

Remarks write_openmetrics(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  Remarks remarks = write_metrics(out, source, Dialect::openmetrics);
  out << "# EOF\n";
  return remarks;
}

Remarks write_prometheus(std::ostream& out, const ExportSource& source, const ExportOptions& /*options*/) {
  return write_metrics(out, source, Dialect::prometheus);
}

}  // namespace assay
