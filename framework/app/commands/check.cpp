// SPDX-License-Identifier: Apache-2.0
// `assay check`: results as one line and an exit code for Nagios, Icinga and what else runs their plugins.
#include <ostream>
#include <sstream>

#include "app/commands/commands.hpp"
#include "app/results/results.hpp"
#include "platform/clock/system_clock.hpp"
#include "record/export/monitoring.hpp"

namespace assay {

namespace {

constexpr const char* assay_check = "assay check";

int finish(const MonitorLine& line, AppContext& context) {
  context.out << line.text << "\n";
  return static_cast<int>(line.state);
}

int in_trouble(const std::string& message, AppContext& context) { return finish(monitor_trouble(message), context); }

int run_check(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  std::ostringstream remarks;  // a torn end costs the last record only, and the line says that there is no end
  const auto records = results_of(line, line.operands.front(), assay_check, remarks);
  return finish(monitor_line(records, {utc_now(), line.value<Nanoseconds>("max-age"), line.has("strict")}), context);
}

}  // namespace

CommandInfo check_command() {
  CommandInfo command;
  command.name = "check";
  command.synopsis = "check DIR [--max-age T] [--strict]";
  command.summary =
      "Says in one line and an exit code how a cluster or a node stands, for Nagios, Icinga and the like.";
  command.details =
      "DIR is what 'assay cluster' left: critical where a node is slow or lacks results, a warning where only links\n"
      "are slow. Of another campaign points that failed are critical. Results that are not whole, or older than\n"
      "--max-age, are unknown. The line has counts or values as performance data. Nothing is measured.\n";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {{"max-age", {"T", duration_above_zero()}, "older results are UNKNOWN: 36h; default: of any age"},
                     {"strict", "", "a point of a campaign that missed the precision asked for is a WARNING"},
                     anonymous_option(),
                     help_option()};
  command.operands = {{"DIR", ValueKind::results}};
  command.states = {"OK", "WARNING: links or parts of the network are slow",
                    "CRITICAL: a node is slow or lacks results, or points failed",
                    "UNKNOWN: no results, unfinished or old ones, or wrong use"};
  command.examples = {{"assay check assay-first", "one line for a monitor"},
                      {"assay check assay-nodes --max-age 36h", "of a cluster that is measured every day", false}};
  command.run = &run_check;
  command.in_trouble = &in_trouble;
  return command;
}

}  // namespace assay
