// SPDX-License-Identifier: Apache-2.0
// One line for monitors: https://www.monitoring-plugins.org/doc/guidelines.html.
#include "record/export/monitoring.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/value.hpp"
#include "record/cluster/cluster_verdict.hpp"
#include "record/export/export_parts.hpp"
#include "record/utc_time.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

using cluster::Standing;
using cluster::Verdicts;

constexpr std::size_t most_named = 5;
constexpr double monitored_ns = 1e9;  // per second

/// What monitors take for the end of the text, or of a line, is replaced.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  line = printable(line);
  std::ranges::replace(line, '|', '/');
  return line;
}

struct Ended {
  std::string started;
  std::string reason;  ///< empty where it did not
};

Ended end_of(const std::vector<Record>& records) {
  Ended ended;
  for (const Record& record : records) {
    if (const auto* session = std::get_if<SessionRecord>(&record)) ended = {session->started, {}};
    if (const auto* end = std::get_if<EndRecord>(&record)) ended.reason = end->reason;
  }
  return ended;
}

std::optional<std::int64_t> age_of(const Ended& ended, const MonitorOptions& options) {
  const auto then = seconds_of_utc(ended.started);
  const auto now = seconds_of_utc(options.now);
  return then && now ? std::optional(*now - *then) : std::nullopt;
}

/// "'label'=value[unit];warn;crit;min;max"; quotes and equals signs may not stand in labels.
std::string performance(std::string label, const std::string& value, const std::string& limits = {}) {
  label = one_line(label);
  std::ranges::replace(label, '=', ':');
  std::ranges::replace(label, '\'', '_');
  return "'" + label + "'=" + value + limits;
}

std::string named(const std::vector<std::string>& names, std::string_view verdict) {
  return names.empty()
             ? ""
             : std::to_string(names.size()) + ' ' + std::string(verdict) + ": " + joined(names, ", ", most_named);
}

std::string text_of(const cluster::NodeVerdict& node) {
  std::string text = node.node + " (" + joined(node.series);
  if (node.shift) text += ", " + cluster::against_others(*node.shift);
  if (!node.causes.empty()) text += "; " + node.causes.front();
  return text + ")";
}

std::vector<std::string> texts_of(const Verdicts& verdicts, Standing standing) {
  std::vector<std::string> texts;
  for (const auto& node : verdicts.nodes)
    if (node.standing == standing) texts.push_back(text_of(node));
  return texts;
}

/// The parts that have something to say.
std::string sentence(std::vector<std::string> parts) {
  std::erase(parts, "");
  return joined(parts, "; ");
}

/// Why it is no whole campaign or report; empty where it is.
std::string gap_of(const Ended& ended) {
  if (ended.reason == "complete") return {};
  return "not whole: " + (ended.reason.empty() ? "no end" : ended.reason);
}

MonitorLine line_of_cluster(const Verdicts& verdicts, const Ended& ended) {
  std::vector<std::string> links;
  for (const auto& link : verdicts.links) links.push_back(link.node + " - " + link.peer);
  for (const auto& part : verdicts.parts) links.push_back(part.part);
  const auto slow = texts_of(verdicts, Standing::slow);
  const auto lacking = texts_of(verdicts, Standing::lacking);
  const std::size_t nodes = verdicts.compared;
  MonitorLine line;
  const bool is_whole = ended.reason == "complete";
  if (!slow.empty() || !lacking.empty())
    line.state = ServiceState::critical;
  else if (nodes == 0 || !is_whole)
    line.state = ServiceState::unknown;
  else
    line.state = links.empty() ? ServiceState::ok : ServiceState::warning;
  const std::string all = counted(nodes, "node") + " compared";
  line.text = sentence(
      {all, named(slow, "slow"), named(lacking, "lacking"), named(links, "slow in the network"), gap_of(ended)});
  const std::string of_nodes = ";;0;0;" + std::to_string(nodes);
  line.text += " | " + performance("nodes", std::to_string(nodes), ";;;0") + ' ' +
               performance("slow", std::to_string(slow.size()), of_nodes) + ' ' +
               performance("lacking", std::to_string(lacking.size()), of_nodes) + ' ' +
               performance("unclear", std::to_string(cluster::count_of(verdicts.nodes, Standing::unclear)),
                           ";;;0;" + std::to_string(nodes)) +
               ' ' + performance("slow in the network", std::to_string(links.size()), ";0;;0");
  return line;
}

/// In the base units of the guidelines: s and B; other values without.
std::string value_text(const Result& result) {
  if (result.unit == Unit::nanoseconds) return to_text(result.headline.value / monitored_ns) + "s";
  return to_text(result.headline.value) + (result.unit == Unit::bytes ? "B" : "");
}

/// As many values as the line has room for.
void add_values(std::string& text, const NumberedResults& found) {
  text += " |";
  for (const NumberedResult& row : found.rows) {
    const std::string one =
        ' ' + performance(result_name(*row.group, *row.point, *row.result), value_text(*row.result));
    if (text.size() + one.size() > longest_monitor_line) return;
    text += one;
  }
}

struct PointCounts {
  std::size_t all = 0;
  std::size_t marked = 0;
  std::vector<std::string> failed;
};

PointCounts counts_of(const std::vector<SeriesGroup>& groups) {
  PointCounts counts;
  for (const SeriesGroup& group : groups)
    for (const PointRecord& point : group.points) {
      ++counts.all;
      counts.marked += mark_words(point).empty() ? 0U : 1U;
      if (has_failed(point.outcome)) counts.failed.push_back(point_name(point) + " (" + point.reason + ")");
    }
  return counts;
}

ServiceState state_of(const PointCounts& counts, const Ended& ended, bool strict) {
  if (!counts.failed.empty()) return ServiceState::critical;
  if (counts.all == 0 || ended.reason != "complete") return ServiceState::unknown;
  return strict && counts.marked > 0 ? ServiceState::warning : ServiceState::ok;
}

MonitorLine line_of_campaign(const std::vector<Record>& records, const Ended& ended, bool strict) {
  const auto groups = group_by_series(records);
  const PointCounts counts = counts_of(groups);
  MonitorLine line;
  line.state = state_of(counts, ended, strict);
  const std::string marked =
      counts.marked == 0 ? "" : std::to_string(counts.marked) + " with less than the precision asked for";
  line.text = sentence({counted(counts.all, "point"), named(counts.failed, "failed"), marked, gap_of(ended)});
  add_values(line.text, numbered_results(groups));
  return line;
}

/// With the name of the service and its state before it, on one line.
MonitorLine finished(MonitorLine line) {
  const auto bar = line.text.rfind(" |");
  const std::string values = bar == line.text.npos ? "" : line.text.substr(bar);
  const std::string start = "ASSAY " + to_text(line.state) + " - ";
  std::string text = one_line(std::string_view(line.text).substr(0, bar));
  constexpr std::size_t longest_text = 2000;
  if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
  line.text = start + text + values;
  return line;
}

}  // namespace

std::string to_text(ServiceState state) {
  constexpr std::array<const char*, 4> names{"OK", "WARNING", "CRITICAL", "UNKNOWN"};
  return names.at(static_cast<std::size_t>(state));
}

MonitorLine monitor_line(const std::vector<Record>& records, const MonitorOptions& options) {
  const Ended ended = end_of(records);
  const Verdicts verdicts = cluster::verdicts_of(records);
  const bool is_cluster = verdicts.compared > 0 || !verdicts.links.empty();
  MonitorLine line = is_cluster ? line_of_cluster(verdicts, ended) : line_of_campaign(records, ended, options.strict);
  const auto age = age_of(ended, options);
  if (options.oldest && (!age || static_cast<double>(*age) * monitored_ns > options.oldest->count)) {
    line.state = ServiceState::unknown;
    line.text = "the results are of " + (ended.started.empty() ? "no known time" : ended.started) +
                ", and older than asked for; then: " + line.text;
  }
  line = finished(std::move(line));
  if (age) line.text += ' ' + performance("age", std::to_string(std::max<std::int64_t>(*age, 0)) + "s", ";;;0");
  return line;
}

MonitorLine monitor_trouble(std::string_view message) {
  return finished({ServiceState::unknown, one_line(trimmed(message, " \n"))});
}

}  // namespace assay
