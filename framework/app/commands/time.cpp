// SPDX-License-Identifier: Apache-2.0
// `assay time`: how long commands take, and which of them is faster, without a campaign.
#include <iterator>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/results/screen.hpp"
#include "app/timing/time_report.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/append_file.hpp"
#include "platform/process/termination_signals.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

/// A kind of file to export to, and its option.
struct TimeExport {
  const char* option;
  const char* help;
  std::string (*text)(const TimeReport& report);
};
constexpr TimeExport time_exports[] = {{"export-json", "write every run to FILE, as hyperfine does", times_as_json},
                                       {"export-csv", "write a line for each command to FILE", times_as_csv},
                                       {"export-markdown", "write a table to FILE", times_as_markdown}};

void write_exports(const CommandLine& line, const TimeReport& report) {
  for (const TimeExport& one : time_exports)
    if (const auto path = value_of(line, one.option)) write_file(*path, one.text(report));
}

Timings timings_of(const TimeRequest& request, bool has_progress, TerminationSignals& signals, AppContext& context) {
  const MonotonicClock clock;
  LiveLine line(context.remarks(), line_style(context.err_is_terminal), clock);
  TimeProgressTold told;
  if (has_progress && line.rewrites())
    told = [&](const std::function<TimeProgress()>& progress) {
      line.show([&] {
        const TimeProgress now = progress();
        return LiveText{to_text(now), now.share()};
      });
    };
  return take_timings(
      request, context.find_command, [&] { return signals.requested(); }, told);
}

int run_time(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const TimeRequest request = time_request(line);
  const std::string style = line.value<std::string>("style").value_or("auto");
  if (!context.find_command)
    throw ConfigError(Problem{{"assay time"}, "this program starts no commands", {}, "use the program 'assay'", true});
  try {
    TerminationSignals signals;
    const bool has_progress = style == "auto" && !request.shows_output;
    const TimeReport report = report_of(request, timings_of(request, has_progress, signals, context));
    write_exports(line, report);
    const auto colour = style == "basic" ? ColourChoice::never : ColourChoice::automatic;
    if (style != "none") print_times(context.out, report, text_style(colour, context.out_is_terminal));
    return report.timings.was_interrupted ? ExitCode::stopped : ExitCode::ok;
  } catch (const CommandFailed& failed) {
    context.err << "assay time: error: " << printable(failed.what()) << "\n";
    return ExitCode::some_failed;
  }
}

}  // namespace

CommandInfo time_command() {
  CommandInfo command;
  command.name = "time";
  command.synopsis = "time CMD [CMD...] [options]";
  command.summary = "Times whole commands, and says which of them is faster.";
  command.details =
      "Each CMD is one argument, run by 'sh -c', whose own start is measured in turn with the commands and "
      "subtracted,\n"
      "and whose uncertainty is part of the intervals; with -N it is run without a shell. Commands take turns in "
      "random\n"
      "order, run by run, so that what changes on the machine changes all of them. Each is run 10 times at least, and\n"
      "for 2.4 s at least; with --time-limit on until its median is known to within 2 % (95 %). What is faster is\n"
      "decided by the ratios of runs of the same round. A command that fails ends everything. Options are called as\n"
      "those of hyperfine, and JSON and CSV have its fields. Nothing is kept: 'assay run command/run' makes a "
      "campaign\n"
      "of a command.\n";
  command.least_operands = 1;
  command.most_operands = 1000;
  command.options = time_options();
  for (const TimeExport& one : time_exports)
    command.options.push_back({one.option, {"FILE", ValueKind::file}, one.help});
  command.options.push_back(
      {"style",
       {"STYLE", word_value({"auto", "basic", "none"})},
       "basic: no colours and no progress; none: print nothing, for exports; default: auto, with a line of progress on "
       "a terminal"});
  command.options.push_back(help_option());
  command.operands = {{"CMD", ValueKind::program}};
  command.exits = {ExitCode::some_failed, ExitCode::environment, ExitCode::stopped};
  command.failure = "a command failed";
  command.examples = {
      {"assay time 'gzip -1 -c README.md' 'gzip -9 -c README.md'", "which is faster, and by how much"},
      {"assay time -N -w 3 -r 20 --export-json times.json true", "20 runs without a shell, for other programs"},
      {"assay time -L level 1,9 'gzip -{level} -c README.md'", "the same command with several values"}};
  command.run = &run_time;
  return command;
}

}  // namespace assay
