// SPDX-License-Identifier: Apache-2.0
// `assay export`: results in a format that other programs read.
#include <filesystem>
#include <ostream>
#include <sstream>

#include "app/commands/commands.hpp"
#include "app/formats.hpp"
#include "app/results.hpp"
#include "app/suggest.hpp"
#include "platform/append_file.hpp"
#include "record/csv.hpp"

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

// Whether texts that look like formulas stay as they are.
bool is_raw(const CommandLine& line, const ExportFormat& format) {
  if (line.has("csv-raw") && format.name != "csv")
    throw ConfigError(
        Problem{{name}, "--csv-raw and --format " + format.name + " contradict each other", {}, "leave one out"});
  return line.has("csv-raw");
}

// The file to write, "-" for standard output. A link is not followed, and would not survive being replaced; one to a
// device or pipe is only another name for it.
std::string output_of(const CommandLine& line) {
  const auto output = value_of(line, "output").value_or("-");
  std::error_code ignored;
  const auto target = std::filesystem::status(output, ignored);
  const bool is_file = !std::filesystem::exists(target) || std::filesystem::is_regular_file(target);
  if (is_file && std::filesystem::is_symlink(std::filesystem::symlink_status(output, ignored)))
    throw ConfigError(Problem{{name},
                              "--output " + shown(output) + " is a symbolic link",
                              "it would be replaced, and what it points to left as it is",
                              "name the file itself, or - for standard output"});
  if (std::filesystem::is_directory(target))
    throw ConfigError(Problem{{name}, "--output " + shown(output) + " is a directory", {}, "name a file"});
  return output;
}

void write(std::ostream& out, const ExportFormat& format, const std::vector<Record>& records, bool raw) {
  if (raw)
    write_csv(out, records, CsvStyle::raw);
  else
    format.write(out, records);
}

int run(const CommandLine& line, const Registry& /*registry*/, Terminal& terminal) {
  const ExportFormat& format = format_of(line);
  const bool raw = is_raw(line, format);
  const auto output = output_of(line);
  const auto records = results_of(line, name, terminal.err);
  std::ostringstream text;
  write(text, format, records, raw);
  if (output == "-")
    terminal.out << text.str();
  else
    write_file(output, text.str());
  return ExitCode::ok;
}

}  // namespace

CommandInfo export_command() {
  CommandInfo command;
  command.name = "export";
  command.synopsis = "export DIR --format FORMAT [options]";
  command.summary = "Writes the results of a campaign in a format for other programs.";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {
      {"format", "FORMAT", "'assay list formats' names them"},
      {"output", "FILE", "file to write, or replace; - (the default) is standard output"},
      {"csv-raw", "", "leave texts that look like formulas as they are, without an apostrophe before them"},
      anonymous_option(),
      help_option()};
  command.run = &run;
  return command;
}

}  // namespace assay
