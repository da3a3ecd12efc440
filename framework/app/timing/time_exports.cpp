// SPDX-License-Identifier: Apache-2.0
// JSON by the tree, CSV and Markdown by lines.
#include "app/timing/time_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/value.hpp"
#include "stats/rule/estimate.hpp"
#include "text/csv_text.hpp"
#include "text/json.hpp"
#include "text/printable.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr double ms_per_s = 1e3;

Json in_seconds(double ms) { return Json(ms / ms_per_s); }

Json end_of(const Interval& interval, double end) { return interval.available() ? in_seconds(end) : Json(); }

Json json_of(const CommandFigures& command, const CommandToTime& what, const CommandTimes& times) {
  Json::Array walls;
  Json::Array memory;
  Json::Array exits;
  for (const TimedRun& run : times.runs) {
    walls.emplace_back(run.wall.count / 1e9);
    memory.push_back(run.is_upper_bound ? Json() : Json(static_cast<std::int64_t>(run.memory)));
    exits.push_back(run.exit_code ? Json(*run.exit_code) : Json());
  }
  Json result;
  result.set("command", command.name);
  result.set("mean", in_seconds(command.wall.mean));
  result.set("stddev", command.wall.n > 1 ? in_seconds(command.wall.stddev) : Json());
  result.set("median", in_seconds(command.median.value));
  result.set("user", in_seconds(command.user)).set("system", in_seconds(command.system));
  result.set("min", in_seconds(command.wall.min)).set("max", in_seconds(command.wall.max));
  result.set("times", std::move(walls)).set("memory_usage_byte", std::move(memory)).set("exit_codes", std::move(exits));
  if (!what.parameters.empty()) {
    Json parameters;
    for (const auto& [name, value] : what.parameters) parameters.set(name, value);
    result.set("parameters", std::move(parameters));
  }
  const Interval& interval = command.median.interval;
  result.set("median_low", end_of(interval, interval.low)).set("median_high", end_of(interval, interval.high));
  result.set("runs", static_cast<std::int64_t>(command.wall.n)).set("verdict", to_text(command.verdict.outcome));
  return result;
}

Json json_of(const CommandRatio& found, const TimeReport& report) {
  Json comparison;
  comparison.set("command", report.commands[found.command].name);
  comparison.set("reference", report.commands[report.fastest].name);
  comparison.set("rounds", static_cast<std::int64_t>(found.pairs));
  comparison.set("ratio", found.ratio ? Json(found.ratio->value) : Json());
  comparison.set("ratio_low", found.ratio ? Json(found.ratio->interval.low) : Json());
  comparison.set("ratio_high", found.ratio ? Json(found.ratio->interval.high) : Json());
  comparison.set("differs", found.differs());
  return comparison;
}

std::string joined_cells(const std::vector<std::string>& cells) { return joined(cells, ",") + "\n"; }

std::string cell(double value) { return std::isfinite(value) ? to_text(Value(value)) : ""; }

std::string ratio_cell(const TimeReport& report, std::size_t command) {
  if (command == report.fastest) return "1.00";
  const auto found = std::ranges::find(report.ratios, command, &CommandRatio::command);
  if (found == report.ratios.end() || !found->ratio) return "n/a";
  return ratio_text(*found->ratio);
}

/// Code in a table: a bar would end the cell.
std::string code_cell(const std::string& text) {
  std::string escaped = printable(text);
  for (auto at = escaped.find('|'); at != escaped.npos; at = escaped.find('|', at + 2)) escaped.insert(at, "\\");
  return "`" + escaped + "`";
}

}  // namespace

std::string times_as_json(const TimeReport& report) {
  Json::Array results;
  for (std::size_t i = 0; i < report.commands.size(); ++i)
    results.push_back(json_of(report.commands[i], report.request.commands[i], report.timings.commands[i]));
  Json::Array comparisons;
  for (const CommandRatio& found : report.ratios) comparisons.push_back(json_of(found, report));
  Json all;
  all.set("results", std::move(results)).set("comparisons", std::move(comparisons));
  Json shell;
  if (report.timings.shell)
    shell.set("command", joined(report.request.shell, " ")).set("start", in_seconds(report.timings.shell->wall.value));
  all.set("shell", std::move(shell)).set("seed", std::to_string(report.request.seed));
  all.set("interleaved", report.request.is_interleaved());
  return to_text(all) + "\n";
}

std::string times_as_csv(const TimeReport& report) {
  std::vector<std::string> head{"command", "mean", "stddev",     "median",      "user", "system",
                                "min",     "max",  "median_low", "median_high", "runs", "peak_memory_byte"};
  if (!report.commands.empty())
    for (const auto& parameter : report.commands.front().parameters)
      head.push_back(csv_text("parameter_" + parameter.first));
  std::string text = joined_cells(head);
  for (const CommandFigures& command : report.commands) {
    const Interval& interval = command.median.interval;
    std::vector<std::string> cells{csv_text(command.name)};
    for (const double time : {command.wall.mean, command.wall.stddev, command.median.value, command.user,
                              command.system, command.wall.min, command.wall.max})
      cells.push_back(cell(time / ms_per_s));
    for (const double end : {interval.low, interval.high})
      cells.push_back(interval.available() ? cell(end / ms_per_s) : "");
    cells.push_back(std::to_string(command.wall.n));
    cells.push_back(command.is_upper_bound ? "" : std::to_string(static_cast<std::int64_t>(command.memory)));
    for (const auto& parameter : command.parameters) cells.push_back(csv_text(parameter.second));
    text += joined_cells(cells);
  }
  return text;
}

std::string times_as_markdown(const TimeReport& report) {
  if (report.commands.empty()) return {};
  const Scale scale = scale_of(report.commands[report.fastest].median.value * ns_in_ms, Unit::nanoseconds);
  const auto number = [&](double time, double half) {
    const double unit = scale.size / ns_in_ms;
    return fixed_text(time / unit, decimals_for(time / unit, half / unit));
  };
  const std::string unit = " [" + scale.name + "]";
  std::string text = "| Command | Mean" + unit + " | Median" + unit + " | Min" + unit + " | Max" + unit +
                     " | Relative |\n|:---|---:|---:|---:|---:|---:|\n";
  for (std::size_t i = 0; i < report.commands.size(); ++i) {
    const CommandFigures& command = report.commands[i];
    const Summary& wall = command.wall;
    const Interval& interval = command.median.interval;
    const double half = reach(command.median.value, interval);
    std::string median = number(command.median.value, half);
    if (interval.available()) median += " [" + number(interval.low, half) + " .. " + number(interval.high, half) + "]";
    text += "| " + code_cell(command.name) + " | " + number(wall.mean, wall.stddev) + " ± " +
            number(wall.stddev, wall.stddev) + " | " + median + " | " + number(wall.min, wall.stddev) + " | " +
            number(wall.max, wall.stddev) + " | " + ratio_cell(report, i) + " |\n";
  }
  return text;
}

}  // namespace assay
