// SPDX-License-Identifier: Apache-2.0
// `assay generate`: the manual, completions and reference tables, from the tables that `--help` is from.
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
#include "platform/file/append_file.hpp"
#include "record/provenance.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr const char* assay_generate = "assay generate";
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
    refuse("cannot read " + shown(path) + ": " + error.what(), "name a document of doc/");
  } catch (const std::invalid_argument& error) {
    refuse(path + ": " + error.what(), "'assay generate --help' says what a document has to have");
  }
}

void write_files(const fs::path& share) {
  for (const Page& page : manual(source_date())) write(share / "man" / page.file(), page.text);
  for (const std::string& shell : completed_shells()) write(share / completion_file(shell), completion_for(shell));
}

int run_generate(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  const std::string& what = line.operands[0];
  const std::string& of = line.operands[1];
  if (what == "completion") {
    print_completion(of, context);
  } else if (what == "page") {
    print_page(of, context);
  } else if (what == "tables") {
    print_renewed(of, context);
  } else if (what == "files") {
    write_files(of);
  } else {
    refuse("cannot make " + shown(what), suggestion(what, {"completion", "page", "tables", "files"}));
  }
  return ExitCode::ok;
}

}  // namespace

CommandInfo generate_command() {
  CommandInfo command;
  command.name = "generate";
  command.synopsis = "generate completion bash|zsh|fish | page NAME | tables FILE | files DIR";
  command.summary = "Prints a completion, a page of the manual, or a document with its tables regenerated.";
  command.details =
      "All are generated from the tables that --help is printed from. In a document in Markdown the tables between\n"
      "'<!-- table: NAME -->' and '<!-- end of table -->' are regenerated. files writes manual and completions below "
      "DIR, as\n"
      "they are installed below PREFIX/share.\n";
  command.least_operands = command.most_operands = 2;
  command.options = {help_option()};
  command.operands = {{"WHAT", ValueKind::words, {"completion", "page", "tables", "files"}}, {"OF", ValueKind::file}};
  command.run = &run_generate;
  command.hidden = true;
  return command;
}

}  // namespace assay
