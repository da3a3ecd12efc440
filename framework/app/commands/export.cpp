// SPDX-License-Identifier: Apache-2.0
// `assay export`: results in a format that other programs read.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/cluster/cluster_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/results/formats.hpp"
#include "app/results/results.hpp"
#include "platform/file/append_file.hpp"
#include "platform/process/program.hpp"
#include "record/crate/crate.hpp"
#include "record/export/observation_log.hpp"
#include "record/journal/anonymous.hpp"
#include "record/journal/journal.hpp"
#include "record/state_choice.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* assay_export = "assay export";
constexpr std::int64_t most_simulated_hosts = 1 << 24;

const ExportFormat& format_of(const CommandLine& line) {
  const auto asked = value_of(line, "format").value_or("");
  std::vector<std::string> known;
  for (const ExportFormat& format : export_formats()) {
    if (format.name == asked) return format;
    known.push_back(format.name);
  }
  throw ConfigError(
      Problem{{assay_export},
              asked.empty() ? "no format is given" : "unknown format " + shown(asked),
              "",
              asked.empty() ? "write --format csv; 'assay list formats' names them" : suggestion(asked, known)});
}

bool has_option(const ExportFormat& format, const std::string& option) {
  if (option == "filter" && format.feeds_simulator) return true;
  return format.option == option || ((option == "author" || option == "license") && format.makes_folder);
}

// Throws ConfigError for an option that the format does not have.
void check_options(const CommandLine& line, const ExportFormat& format) {
  for (const std::string option :
       {"csv-raw", "observations", "direction", "table", "filter", "ranks", "author", "license"}) {
    if (line.has(option) && !has_option(format, option))
      throw ConfigError(Problem{{assay_export},
                                "--" + option + " and --format " + format.name + " contradict each other",
                                {},
                                "leave one out"});
  }
  if (line.has("state") && (format.reads_cores || format.makes_folder))
    throw ConfigError(
        Problem{{assay_export},
                "--state and --format " + format.name + " contradict each other",
                format.makes_folder ? "the format has all of the campaign" : "the format has the states of all batches",
                "leave --state out"});
}

// What is asked for beyond the format. Throws ConfigError for an option that the format does not have.
ExportOptions format_options(const CommandLine& line, const ExportFormat& format) {
  check_options(line, format);
  ExportOptions options;
  if (line.has("csv-raw")) options.style = CsvStyle::raw;
  options.observations = line.has("observations");
  options.cycles = wants_cycles(line);
  if (options.cycles && !format.has_cycles)
    throw ConfigError(Problem{{assay_export},
                              "--unit cycles and --format " + format.name + " contradict each other",
                              "the format cannot represent two units of one time",
                              "take --format csv, csv-long or json"});
  for (const std::string& text : line.values("filter")) options.filter.push_back(parse_condition(text, assay_export));
  if (const auto ranks = line.value<std::int64_t>("ranks")) options.ranks = static_cast<int>(*ranks);
  if (const auto direction = line.value<std::string>("direction"))
    options.direction = *direction == "smaller" ? Better::smaller : Better::bigger;
  return options;
}

// The file to write, "-" for standard output. A link is not followed, and would not survive being replaced; one to a
// device or pipe is only another name for it.
std::string output_of(const CommandLine& line) {
  const auto output = value_of(line, "output").value_or("-");
  std::error_code ignored;
  const auto target = std::filesystem::status(output, ignored);
  const bool is_file = !std::filesystem::exists(target) || std::filesystem::is_regular_file(target);
  if (is_file && std::filesystem::is_symlink(std::filesystem::symlink_status(output, ignored)))
    throw ConfigError(Problem{{assay_export},
                              "--output " + shown_path(output) + " is a symbolic link",
                              "it would be replaced, and what it points to left as it is",
                              "name the file itself, or - for standard output"});
  if (std::filesystem::is_directory(target))
    throw ConfigError(Problem{{assay_export}, "--output " + shown_path(output) + " is a directory", {}, "name a file"});
  return output;
}

// Hands over the journal's visits, with the sessions and series that they are of, under the names that the results
// have.
void scan_visits(const std::string& path, const std::optional<Anonymizer>& anonymizer, const Take& take) {
  const auto wanted = [](const RecordHead& head) {
    return head.type == "session" || head.type == "series" || head.type == "visit";
  };
  scan_journal(path, wanted,
               [&](Record record) { take(anonymizer ? (*anonymizer)(std::move(record)) : std::move(record)); });
}

// The results with their observations or states, where a format asks for them.
ExportSource source_of(const ExportFormat& format, const std::string& path, const std::vector<Record>& records,
                       const std::optional<Anonymizer>& anonymizer) {
  ExportSource source{records, {}};
  if (format.reads_observations) {
    for (const Record& record : records)
      if (std::holds_alternative<CoresRecord>(record)) source.observations.add(record);
    scan_visits(path, anonymizer, [&](const Record& record) { source.observations.add(record); });
  }
  if (format.reads_cores) {
    source.cores.know(records);
    scan_visits(path, anonymizer, [&](const Record& record) { source.cores.add(record); });
  }
  return source;
}

// Of formats that have the journal as it is, or are written by another program.
void refuse_anonymous(const ExportFormat& format, const CommandLine& line) {
  if (line.has("anonymous"))
    throw ConfigError(Problem{{assay_export},
                              "--anonymous and --format " + format.name + " contradict each other",
                              {},
                              "leave one out: 'assay run --anonymous' keeps no names in the first place"});
}

int export_crate(const ExportFormat& format, const CommandLine& line, AppContext& context) {
  refuse_anonymous(format, line);
  const auto folder = value_of(line, "output").value_or("-");
  if (folder == "-" || folder.empty())
    throw ConfigError(Problem{{assay_export},
                              "--format " + format.name + " cannot go to standard output",
                              "it is a folder",
                              "name a new one by --output FOLDER"});
  CrateOptions options;
  for (const std::string& author : line.values("author"))
    options.authors.push_back(parse_author(author, {assay_export}));
  if (const auto license = value_of(line, "license")) options.license = parse_license(*license, {assay_export});
  const std::string& path = line.operands.front();
  if (ClusterFolder(path).exists())
    throw ConfigError(Problem{{assay_export},
                              "--format " + format.name + " is for one campaign, and " + shown_path(path) + " has many",
                              "nodes and launches of a cluster have campaigns of their own",
                              "export those that you want to keep: " + path + "/nodes/NAME"});
  const auto records = read_results(assay_export, path, context.err);
  for (const std::string& remark : write_crate(folder, path, records, options))
    context.err << "note: " << remark << '\n';
  return ExitCode::ok;
}

// The format's program takes this one's place: what it says and its exit code are the command's.
[[noreturn]] void become(const ExportFormat& format, const CommandLine& line, const std::string& output) {
  refuse_anonymous(format, line);
  if (output == "-")
    throw ConfigError(Problem{{assay_export},
                              "--format " + format.name + " cannot go to standard output",
                              {},
                              "name a file by --output FILE"});
  std::vector<std::string> arguments{"--output=" + output};
  if (const auto value = value_of(line, format.option)) arguments.push_back("--" + format.option + "=" + *value);
  arguments.insert(arguments.end(), {"--", line.operands.front()});
  const int error = execute_from_path(format.program, arguments);
  const std::string why = error == ENOENT ? "it is not on the path" : std::generic_category().message(error);
  throw ConfigError(Problem{{assay_export},
                            "--format " + format.name + " needs " + format.program + ", which cannot be run",
                            why + "; nothing was written",
                            "it is part of the report package: run tools/report/setup, and put "
                            "build/report-venv/bin on the path",
                            true});
}

int run_export(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const ExportFormat& format = format_of(line);
  const ExportOptions options = format_options(line, format);
  if (format.makes_folder) return export_crate(format, line, context);
  const auto output = output_of(line);
  if (format.write == nullptr) become(format, line, output);
  const std::string& path = line.operands.front();
  auto records = read_results(assay_export, path, context.err);
  apply_state(line, assay_export, records);
  if (line.has("state")) drop_other_states(records);
  const auto anonymizer = anonymizer_of(line, records);
  if (anonymizer) std::ranges::transform(records, records.begin(), *anonymizer);
  if (!options.filter.empty()) {
    const auto groups = group_by_series(records);
    require_known(TableChoice{.filter = options.filter}, groups, assay_export);
  }
  const ExportSource source = source_of(format, path, records, anonymizer);
  Remarks remarks;
  if (output == "-") {
    remarks = format.write(context.out, source, options);
  } else {
    std::ostringstream text;
    remarks = format.write(text, source, options);
    write_file(output, std::move(text).str());
  }
  for (const std::string& remark : remarks) context.err << "note: " << remark << '\n';
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
      {"format", {"FORMAT", ValueKind::format}, "'assay list formats' names them"},
      {"output",
       {"FILE", ValueKind::file},
       "file to write, or replace; - (the default) is standard output; ro-crate: folder to create"},
      {"csv-raw", "", "leave texts that look like formulas as they are, without an apostrophe before them"},
      {"observations", "", "google-benchmark: a row per timing too, not only mean, median, deviation and extremes"},
      {"direction",
       {"WAY", word_value({"smaller", "bigger"})},
       "github-action-benchmark: what is better, smaller (times) or bigger (rates)"},
      {"table",
       {"NAME", word_value({"points", "observations", "derived"})},
       "parquet: points (the default), observations or derived"},
      {"ranks",
       {"N", count_value(2, most_simulated_hosts)},
       "simgrid: hosts of the platform, one per rank; default: 16"},
      {"author", "NAME", "ro-crate: who made it, 'Jane Doe' or 'Jane Doe <https://orcid.org/...>'; may be repeated",
       true},
      {"license", "ID", "ro-crate: license of the results, as CC-BY-4.0 (SPDX), or an address"},
      {"filter",
       {"NAME=LEVELS", ValueKind::filter},
       "simgrid, loggopsim, netgauge and noise: only the channel or point for which this holds, as in 'assay show'; of "
       "several all hold",
       true},
      unit_option(),
      state_option(),
      anonymous_option(),
      help_option()};
  command.operands = {{"DIR", ValueKind::results}};
  command.exits = {ExitCode::environment, ExitCode::storage, ExitCode::refused};
  command.examples = {{"assay export assay-first --format csv --output first.csv", "a table for other programs"},
                      {"assay export assay-first --format json", "on standard output"},
                      {"assay export assay-first --format ro-crate --output assay-first-crate --license CC-BY-4.0",
                       "a folder for an archive, with an artifact description"}};
  command.run = &run_export;
  return command;
}

}  // namespace assay
