// SPDX-License-Identifier: Apache-2.0
// Tables in Markdown from the tables of options.
#include "app/shell/reference.hpp"

#include <algorithm>
#include <stdexcept>

#include "app/cli/options.hpp"
#include "app/shell/guide.hpp"
#include "app/shell/prose.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr std::string_view table_begin = "<!-- table: ";
constexpr std::string_view table_begun = " -->";
constexpr std::string_view table_end = "<!-- end of table -->";
constexpr std::size_t table_width = 140;

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

// Within a cell a bar would end it; outside of code, letters that Markdown gives a meaning stand for themselves.
std::string cell(std::string_view text) {
  std::string result;
  for (const Span& span : spans_of(text))
    for (const char c : span.is_literal ? code(span.text) : span.text) {
      if (c == '|' || (!span.is_literal && (c == '*' || c == '<' || c == '_'))) result += '\\';
      result += c;
    }
  return result;
}

std::string prose(std::string_view text) {
  std::string marked;
  for (const Span& span : spans_of(on_one_line(text))) marked += span.is_literal ? code(span.text) : span.text;
  std::string result;
  for (const std::string& line : wrapped(marked, table_width)) result += line + "\n";
  return result;
}

std::string keys(const std::string& section) {
  std::string table = "| Key | Value | Default | Meaning |\n|---|---|---|---|\n";
  for (const OptionInfo& option : options_of(section))
    table += "| " + code(option.name) + " | " + option.type.name + " | " +
             (option.standard.empty() ? "" : code(option.standard)) + " | " + cell(option.help) + " |\n";
  return table;
}

std::string exit_codes() {
  std::string table = "| Code | Meaning |\n|---|---|\n";
  for (const ExitMeaning& exit : exit_meanings())
    table += "| " + std::to_string(static_cast<int>(exit.code)) + " | " + cell(exit.meaning) + " |\n";
  return table;
}

std::string variables() {
  std::string table = "| Variable | Commands | Meaning |\n|---|---|---|\n";
  for (const EnvironmentVariable& variable : environment_variables()) {
    std::string commands;
    for (const std::string& command : variable.commands) commands += (commands.empty() ? "" : ", ") + code(command);
    table += "| " + code(variable.name) + " | " + (commands.empty() ? "all" : commands) + " | " +
             cell(variable.meaning) + " |\n";
  }
  return table;
}

std::string shown_option(const CommandOption& option) {
  const auto name = "--" + option.name + (option.argument.name.empty() ? "" : " " + option.argument.name);
  return option.letter == 0 ? code(name) : code(std::string("-") + option.letter) + ", " + code(name);
}

std::string examples_of(const CommandInfo& command, bool runs_anywhere) {
  std::string lines;
  for (const Example& example : command.examples)
    if (example.runs_anywhere == runs_anywhere) lines += example.command + "  # " + example.purpose + "\n";
  return lines.empty() ? "" : (runs_anywhere ? "\n```sh\n" : "\n```text\n") + lines + "```\n";
}

std::string chapter_of(const CommandInfo& command) {
  std::string text = "## `assay " + command.name + "`\n\n```text\n";
  for (const std::string& way : ways_to_call(command)) text += "assay " + way + "\n";
  text += "```\n\n" + prose(command.summary);
  if (!command.details.empty()) text += "\n" + prose(command.details);
  text += "\n| Option | Meaning |\n|---|---|\n";
  for (const CommandOption& option : command.options)
    text += "| " + shown_option(option) + " | " + cell(option.help) + " |\n";
  text += "\nExit codes:";
  for (const ExitMeaning& exit : exit_meanings(command))
    text += " " + std::to_string(static_cast<int>(exit.code)) + " " + exit.brief + ";";
  text.back() = '.';
  return text + "\n" + examples_of(command, true) + examples_of(command, false);
}

std::string chapters() {
  std::string text;
  for (const CommandInfo& command : shown_commands()) text += (text.empty() ? "" : "\n") + chapter_of(command);
  return text;
}

}  // namespace

std::string reference_table(std::string_view name) {
  constexpr std::string_view keys_of = "keys ";
  if (name == "commands") return chapters();
  if (name == "environment") return variables();
  if (name == "exit codes") return exit_codes();
  const std::string section(name.starts_with(keys_of) ? name.substr(keys_of.size()) : "");
  if (options_of(section).empty()) throw std::invalid_argument("there is no table '" + std::string(name) + "'");
  return keys(section);
}

std::string with_tables_renewed(std::string_view document) {
  std::string result;
  while (true) {
    const auto begin = document.find(table_begin);
    if (begin == document.npos) return result += document;
    const auto named = begin + table_begin.size();
    const auto begun = document.find(table_begun, named);
    const auto end = document.find(table_end, named);
    if (end == document.npos || begun > end)
      throw std::invalid_argument("a table that begins with '" + std::string(document.substr(begin, 40)) +
                                  "' has no end");
    result += document.substr(0, begun + table_begun.size());
    // Tables of Markdown want an empty line around them.
    result += "\n\n" + reference_table(document.substr(named, begun - named)) + "\n";
    result += table_end;
    document.remove_prefix(end + table_end.size());
  }
}

}  // namespace assay
