// SPDX-License-Identifier: Apache-2.0
// `assay generate`: the manual, completions and reference tables, from the tables that `--help` is from, and schedules
// of messages.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>

#include "app/commands/commands.hpp"
#include "app/shell/completion.hpp"
#include "app/shell/manual.hpp"
#include "app/shell/reference.hpp"
#include "base/number.hpp"
#include "platform/file/append_file.hpp"
#include "record/collective/schedule.hpp"
#include "record/provenance.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr const char* assay_generate = "assay generate";
constexpr std::int64_t most_scheduled_ranks = 1 << 20;
constexpr std::size_t largest_document = std::size_t{1} << 20U;

void write(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw StorageError("writing '" + path.string() + "'", errno);
}

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw ConfigError(Problem{{assay_generate}, what, {}, remedy});
}

void print_completion(const std::string& shell, AppContext& context) {
  const auto shells = completed_shells();
  if (std::ranges::find(shells, shell) == shells.end())
    refuse("there is no completion for " + shown(shell), suggestion(shell, shells));
  context.out << completion_for(shell);
}

void print_page(const std::string& wanted, AppContext& context) {
  std::vector<std::string> names;
  for (const Page& page : manual(source_date())) {
    names.push_back(page.name);
    if (page.name != wanted) continue;
    context.out << page.text;
    return;
  }
  const auto near = nearest(wanted, names);
  refuse("the manual has no page " + shown(wanted),
         near.empty() ? "pages are assay, assay-COMMAND and assay-campaign" : "did you mean '" + near + "'?");
}

void print_renewed(const std::string& path, AppContext& context) {
  std::string document;
  try {
    document = read_file(path, largest_document);
    context.out << with_tables_renewed(document);
  } catch (const PlatformError& error) {
    refuse("cannot read " + shown_path(path) + ": " + error.what(), "name a document of doc/");
  } catch (const std::invalid_argument& error) {
    refuse(path + ": " + error.what(), "'assay generate --help' says what a document has to have");
  }
}

void write_files(const fs::path& share) {
  for (const Page& page : manual(source_date())) write(share / "man" / page.file(), page.text);
  for (const std::string& shell : completed_shells()) write(share / completion_file(shell), completion_for(shell));
}

// Sizes as campaign files have them: 64Ki, 1k.
double message_size(const std::string& text) {
  const NumberResult read = read_number(text);
  const auto bytes = read.what.empty() ? number_of(read.value) : std::nullopt;
  if (!bytes || *bytes < 0)
    refuse("--bytes " + shown(text) + " is no size", read.remedy.empty() ? "write 4096 or 4Ki" : read.remedy);
  return *bytes;
}

template <class Items>
std::vector<std::string> schedule_names(const Items& items) {
  std::vector<std::string> names;
  for (const auto item : items) names.emplace_back(collective::name(item));
  return names;
}

void print_schedule(const std::string& of, const CommandLine& line, AppContext& context) {
  const auto operation = collective::collective_named(of);
  if (!operation)
    refuse("there is no schedule of " + shown(of), suggestion(of, schedule_names(collective::collectives())));
  const auto algorithms = collective::algorithms(*operation);
  const auto asked = value_of(line, "algorithm").value_or(std::string(collective::name(algorithms.front())));
  const auto algorithm = collective::algorithm_named(asked);
  if (!algorithm || std::ranges::find(algorithms, *algorithm) == algorithms.end())
    refuse(of + " has no algorithm " + shown(asked), suggestion(asked, schedule_names(algorithms)));
  const auto ranks = static_cast<int>(line.value<std::int64_t>("ranks").value_or(16));
  try {
    collective::write_goal(context.out, collective::make(*operation, *algorithm, ranks,
                                                         message_size(value_of(line, "bytes").value_or("1"))));
  } catch (const std::length_error& error) {
    refuse(error.what(), "take fewer ranks, or an algorithm whose rounds double");
  }
}

// What only schedules have.
void refuse_options(const CommandLine& line, const std::string& what) {
  for (const char* option : {"algorithm", "ranks", "bytes"})
    if (line.has(option))
      refuse("--" + std::string(option) + " and " + what + " contradict each other", "leave one out");
}

int run_generate(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const std::string& what = line.operands[0];
  const std::string& of = line.operands[1];
  if (what == "goal") {
    print_schedule(of, line, context);
    return ExitCode::ok;
  }
  refuse_options(line, what);
  if (what == "completion") {
    print_completion(of, context);
  } else if (what == "page") {
    print_page(of, context);
  } else if (what == "tables") {
    print_renewed(of, context);
  } else if (what == "files") {
    write_files(of);
  } else {
    refuse("cannot make " + shown(what), suggestion(what, {"completion", "page", "tables", "files", "goal"}));
  }
  return ExitCode::ok;
}

}  // namespace

CommandInfo generate_command() {
  CommandInfo command;
  command.name = "generate";
  command.synopsis =
      "generate goal COLLECTIVE [options] | completion bash|zsh|fish | page NAME | tables FILE | files DIR";
  command.summary =
      "Prints a schedule of messages, a completion, a page of the manual, or a document with its tables regenerated.";
  command.details =
      "goal prints the schedule of a collective operation for LogGOPSim: of barrier, broadcast, reduce, allreduce,\n"
      "allgather or alltoall. The others are generated from the tables that --help is printed from. In a document in "
      "Markdown the tables between\n"
      "'<!-- table: NAME -->' and '<!-- end of table -->' are regenerated. files writes manual and completions below "
      "DIR, as\n"
      "they are installed below PREFIX/share.\n";
  command.least_operands = command.most_operands = 2;
  command.options = {
      {"algorithm", {"NAME"}, "goal: binomial, recursive-doubling, ring, ...; default: the usual one"},
      {"ranks", {"N", count_value(1, most_scheduled_ranks)}, "goal: default: 16"},
      {"bytes",
       {"SIZE"},
       "goal: the vector of broadcast, reduce and allreduce, what each rank contributes to allgather, and "
       "sends to each in alltoall; default: 1"},
      help_option()};
  command.operands = {{"WHAT", ValueKind::words, {"completion", "page", "tables", "files", "goal"}},
                      {"OF", ValueKind::file}};
  command.run = &run_generate;
  command.hidden = true;
  return command;
}

}  // namespace assay
