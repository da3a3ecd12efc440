// SPDX-License-Identifier: Apache-2.0
// `assay export`: results in a format that other programs read.
#include <algorithm>
#include <ostream>
#include <sstream>

#include "app/commands/commands.hpp"
#include "app/formats.hpp"
#include "app/results.hpp"
#include "app/suggest.hpp"
#include "platform/append_file.hpp"

namespace assay {

namespace {

constexpr const char* name = "assay export";

const ExportFormat& format_of(const CommandLine& line) {
  const auto asked = value_of(line, "format").value_or("");
  std::vector<std::string> known;
  for (const ExportFormat& format : export_formats()) {
    if (format.name == asked) return format;
    known.push_back(format.name);
  }
  throw ConfigError(
      Problem{{name},
              asked.empty() ? "no format is given" : "unknown format " + shown(asked),
              "",
              asked.empty() ? "write --format csv; 'assay list formats' names them" : suggestion(asked, known)});
}

int run(const CommandLine& line, const Registry& /*registry*/, Terminal& terminal) {
  const ExportFormat& format = format_of(line);
  const auto records = read_results(name, line.operands.front(), terminal.err);
  const auto output = value_of(line, "output").value_or("-");
  if (output == "-") {
    format.write(terminal.out, records);
    return ExitCode::ok;
  }
  std::ostringstream text;
  format.write(text, records);
  write_file(output, text.str());
  return ExitCode::ok;
}

}  // namespace

CommandInfo export_command() {
  CommandInfo command;
  command.name = "export";
  command.synopsis = "export DIR --format FORMAT [--output FILE]";
  command.summary = "Writes the results of a campaign in a format for other programs.";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {{"format", "FORMAT", "'assay list formats' names them"},
                     {"output", "FILE", "file to write, or replace; - (the default) is standard output"},
                     help_option()};
  command.run = &run;
  return command;
}

}  // namespace assay
