// SPDX-License-Identifier: Apache-2.0
// What the completions of all shells are made of.
#include "app/shell/completion.hpp"

#include <array>
#include <limits>
#include <stdexcept>

#include "app/shell/guide.hpp"

namespace assay {

namespace {

struct Shell {
  std::string_view name;
  std::string_view file;
  std::string (*completion)();
};

constexpr std::array shells{Shell{"bash", "bash-completion/completions/assay", bash_completion},
                            Shell{"zsh", "zsh/site-functions/_assay", zsh_completion},
                            Shell{"fish", "fish/vendor_completions.d/assay.fish", fish_completion}};

const Shell& shell_named(std::string_view name) {
  for (const Shell& shell : shells)
    if (shell.name == name) return shell;
  throw std::invalid_argument("there is no completion for '" + std::string(name) + "'");
}

// Not in the table of sub-commands, since it needs nothing but the table itself.
CommandInfo help_command() {
  CommandInfo help;
  help.name = "help";
  help.summary = "Prints help, of a command where one is named.";
  help.most_operands = 1;
  help.operands = {{"COMMAND", ValueKind::command}};
  return help;
}

}  // namespace

std::string_view word_of(ValueKind kind) {
  constexpr std::array<std::string_view, 21> words{"text",   "words",    "file",    "directory", "campaign", "results",
                                                   "plugin", "program",  "user",    "command",   "layout",   "format",
                                                   "topic",  "series",   "setting", "column",    "filter",   "factor",
                                                   "level",  "quantity", "page"};
  return words.at(static_cast<std::size_t>(kind));
}

std::vector<std::string> completed_shells() {
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  return names;
}

std::string completion_for(std::string_view shell) { return shell_named(shell).completion(); }

std::string completion_file(std::string_view shell) { return std::string(shell_named(shell).file); }

std::vector<CommandInfo> completed_commands() {
  auto all = shown_commands();
  all.push_back(help_command());
  for (const CommandEntry& entry : commands())
    if (entry.name == "generate") all.push_back(entry.make());
  return all;
}

const Argument* operand_at(const CommandInfo& command, std::size_t position) {
  if (command.operands.empty() || position >= command.most_operands) return nullptr;
  return position < command.operands.size() ? &command.operands[position] : &command.operands.back();
}

bool repeats_last(const CommandInfo& command) {
  return !command.operands.empty() && command.most_operands > command.operands.size();
}

std::string spaced(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string{c};
  return quoted + "'";
}

}  // namespace assay
