// SPDX-License-Identifier: Apache-2.0
// The completion for fish: a line for each sub-command, option and operand.
#include <algorithm>

#include "app/shell/completion.hpp"

namespace assay {

namespace {

constexpr const char* fish_functions = R"fish(
# Whether the sub-command is still to come, or is this one.
function __assay_is
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -lt 2
    else
        test (count $words) -gt 1; and test $words[2] = $argv[1]
    end
end

# Whether the next operand of a sub-command is of this number, or of a later one with a third argument.
function __assay_operand
    __assay_is $argv[1]; or return
    set -l words (commandline -opc)
    set -l number 1
    set -l is_value no
    for word in $words[3..]
        if test $is_value = yes
            set is_value no
        else if not string match -q -- '-*' $word
            set number (math $number + 1)
        else if __assay_takes_value $argv[1] $word
            set is_value yes
        end
    end
    if test (count $argv) -gt 2
        test $number -ge $argv[2]; and test $number -le $argv[3]
    else
        test $number -eq $argv[2]
    end
end

# What the program says that there is, in the campaigns that the line names too.
function __assay_ask
    set -l words (string replace -r '^~/' "$HOME/" -- (commandline -op) | string match -v '')
    $words[1] complete $argv[1] -- $words[2..] 2>/dev/null
end

# Files of one ending, and folders on the way to them.
function __assay_files
    __fish_complete_suffix $argv[1] | string match -r '^[^\t]*(?:\\'$argv[1]'|/)(?:\t.*)?$'
end

# Programs assay-COMMAND on the path, but for those that are the program's own.
function __assay_programs
    for program in $PATH/assay-*
        test -x $program; and string replace -r '.*/assay-' '' -- $program | string match -v -r '^(mpi|history)$'
    end
end

# Directories that hold results; where there are none, all on the way to them.
function __assay_results
    set -l found
    for path in (__fish_complete_directories (commandline -ct) '')
        set path (string split -f 1 \t -- $path)
        test -e $path/journal.jsonl; and set -a found $path
    end
    if set -q found[1]
        printf '%s\tresults of a campaign\n' $found
    else
        __fish_complete_directories (commandline -ct)
    end
end
)fish";

// In single quotes fish gives a meaning to these two letters alone.
std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string offers_of(const Argument& argument) {
  switch (argument.kind) {
    case ValueKind::text:
      return "";
    case ValueKind::words:
      return " -a " + fish_quoted(spaced(argument.words));
    case ValueKind::directory:
      return " -a '(__fish_complete_directories)'";
    case ValueKind::campaign:
      return " -k -a '(__assay_ask campaign; __assay_files .ini)'";
    case ValueKind::plugin:
      return " -k -a '(__assay_files .so)'";
    case ValueKind::results:
      return " -a '(__assay_results)'";
    case ValueKind::program:
      return " -a '(__fish_complete_command)'";
    case ValueKind::user:
      return " -a '(__fish_complete_users)'";
    case ValueKind::column:
      return " -a '(__fish_complete_list , \"__assay_ask column\")'";
    case ValueKind::layout:
      return " -k -a '(__assay_ask layout; __assay_files .ini)'";
    default:
      return " -a '(__assay_ask " + std::string(word_of(argument.kind)) + ")'";
  }
}

// Files are what fish offers by itself, and without -f.
std::string fish_value(const Argument& argument) {
  if (argument.kind == ValueKind::file) return " -F";
  return " -f" + offers_of(argument);
}

std::string line_of(const CommandInfo& command, const CommandOption& option) {
  std::string line = "complete -c assay -n '__assay_is " + command.name + "'";
  if (option.letter != 0) line += std::string(" -s ") + option.letter;
  line += " -l " + option.name;
  if (!option.argument.name.empty()) line += " -r" + fish_value(option.argument);
  return line + " -d " + fish_quoted(option.help) + "\n";
}

std::string operands_of(const CommandInfo& command) {
  std::string lines;
  for (std::size_t i = 0; i < command.operands.size(); ++i) {
    const Argument& operand = command.operands[i];
    const bool is_repeated = i + 1 == command.operands.size() && repeats_last(command);
    const auto last = std::min<std::size_t>(command.most_operands, 9999);
    lines += "complete -c assay -n '__assay_operand " + command.name + " " + std::to_string(i + 1) +
             (is_repeated ? " " + std::to_string(last) : "") + "'" + fish_value(operand) + "\n";
  }
  return lines;
}

std::string values_function(const std::vector<CommandInfo>& all) {
  std::string text = "\nfunction __assay_takes_value\n    contains -- \"$argv\"";
  for (const CommandInfo& command : all)
    for (const CommandOption& option : command.options) {
      if (option.argument.name.empty()) continue;
      text += " \\\n        '" + command.name + " --" + option.name + "'";
      if (option.letter != 0) text += " '" + command.name + " -" + option.letter + "'";
    }
  return text + "\nend\n";
}

}  // namespace

std::string fish_completion() {
  const auto all = completed_commands();
  std::string text =
      "# fish completion for assay\n# Made by 'assay generate completion fish' from the table of its sub-commands.\n" +
      std::string(fish_functions) + values_function(all) +
      "\ncomplete -c assay -f\n"
      "complete -c assay -n __assay_is -a '(__assay_programs)' -d 'a program of its own'\n"
      "complete -c assay -n __assay_is -s h -l help -d 'print help'\n"
      "complete -c assay -n __assay_is -l version -d 'print what the program was built with'\n";
  for (const CommandInfo& command : all) {
    if (!command.hidden)
      text += "complete -c assay -n __assay_is -a " + command.name + " -d " + fish_quoted(command.summary) + "\n";
  }
  for (const CommandInfo& command : all) {
    text += "\n# assay " + command.name + "\n";
    for (const CommandOption& option : command.options) text += line_of(command, option);
    text += operands_of(command);
  }
  return text;
}

}  // namespace assay
