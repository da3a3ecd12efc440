// SPDX-License-Identifier: Apache-2.0
// `assay time`: how long commands take, and which of them is faster, without a campaign.
#include <iterator>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/results/screen.hpp"
#include "app/timing/time_exports.hpp"
#include "app/timing/time_text.hpp"
#include "platform/file/append_file.hpp"
#include "platform/process/termination_signals.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

/// One file to export to.
struct TimeExport {
  const char* option;
  std::string (*text)(const TimeReport& report);
};
constexpr TimeExport time_exports[] = {
    {"export-json", times_as_json}, {"export-csv", times_as_csv}, {"export-markdown", times_as_markdown}};

void write_exports(const CommandLine& line, const TimeReport& report) {
  for (const TimeExport& one : time_exports)
    if (const auto path = value_of(line, one.option)) write_file(*path, one.text(report));
}

int run_time(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const TimeRequest request = time_request(line);
  const std::string style = line.value<std::string>("style").value_or("auto");
  if (!context.find_command)
    throw ConfigError(Problem{{"assay time"}, "this program starts no commands", {}, "use the program 'assay'", true});
  try {
    TerminationSignals signals;
    const TimeReport report =
        report_of(request, take_timings(request, context.find_command, [&] { return signals.requested(); }));
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
      "Each CMD is one argument, run by 'sh -c', whose own start is measured and subtracted; with -N it is run without "
      "a\n"
      "shell. Commands take turns in random order, run by run, so that what changes on the machine changes all of "
      "them.\n"
      "Each is run 10 times at least, and for 3 s at least; with --time-limit on until its median is known to within 2 "
      "%\n"
      "(95 %). What is faster is decided by the ratios of runs of the same round. A command that fails ends "
      "everything.\n"
      "Options are called as those of hyperfine, and JSON and CSV have its fields. Nothing is kept: 'assay run\n"
      "command/run' makes a campaign of a command.\n";
  command.least_operands = 1;
  command.most_operands = 1000;
  command.options = time_options();
  for (CommandOption& option : std::vector<CommandOption>{
           {"export-json", {"FILE", ValueKind::file}, "write every run to FILE, as hyperfine does"},
           {"export-csv", {"FILE", ValueKind::file}, "write a line for each command to FILE"},
           {"export-markdown", {"FILE", ValueKind::file}, "write a table to FILE"},
           {"style",
            {"STYLE", word_value({"auto", "basic", "none"})},
            "basic: no colours; none: print nothing, for exports; default: auto"},
           help_option()})
    command.options.push_back(std::move(option));
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
