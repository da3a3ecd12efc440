// SPDX-License-Identifier: Apache-2.0
// The completion for zsh: specifications for its function _arguments (zshcompsys(1)).
#include "app/shell/completion.hpp"

namespace assay {

namespace {

constexpr const char* zsh_functions = R"zsh(
# Offers what the program says that there is, in the campaigns that the line names too.
_assay_ask() {
  local kind=${@[-1]} program=${(Q)assay_line[1]} line text  # before it stand options of _arguments
  local -a open full found given
  program=${program/#\~\//$HOME/}
  given=(${(Q)assay_line[2,-1]})
  found=("${(@f)$($program complete $kind -- ${given/#\~\//$HOME/} 2>/dev/null)}")
  for line in $found; do
    text=${${line%%$'\t'*}//:/\\:}
    [[ $line != *$'\t'* ]] || text+=:${line#*$'\t'}
    if [[ ${line%%$'\t'*} == *= ]]; then open+=($text); else full+=($text); fi
  done
  _describe -t $kind $kind full -- open -S ''
}

_assay_columns() {
  compset -P '*,'
  compset -S ',*'
  _assay_ask column
}

_assay_layouts() { _alternative 'layouts:layout:_assay_ask layout' 'files:layout file:_files -g "*.ini"' }

_assay_campaigns() { _alternative 'campaigns:campaign:_assay_ask campaign' 'files:campaign file:_files -g "*.ini"' }

# Directories that hold results; where there are none, all on the way to them.
_assay_results() {
  local expl
  local -a found
  found=(${(Q)PREFIX}*/journal.jsonl(N:h))
  if (($#found)); then
    _wanted results expl 'results of a campaign' compadd -f -a found
  else
    _files -/
  fi
}

_assay_commands() {
  local -a all others own=(mpi history)
  all=(
)zsh";

constexpr const char* main_begin = R"zsh(  )
  _describe -t commands command all
  # Programs assay-COMMAND on the path, but for those that are the program's own.
  others=(${${(k)commands[(I)assay-*]}#assay-})
  compadd -- ${others:|own}
}

_assay() {
  local curcontext=$curcontext state state_descr line ret=1
  local -a assay_line=("${words[@]}")
  typeset -A opt_args
  _arguments -C '(- *)'{-h,--help}'[print help]' '(- *)--version[print what the program was built with]' \
    '1:command:_assay_commands' '*::argument:->arguments' && ret=0
  [[ $state == arguments ]] || return ret
  curcontext=${curcontext%:*:*}:assay-$words[1]:
  case $words[1] in
)zsh";

constexpr const char* main_end = R"zsh(    *) _files && ret=0 ;;
  esac
  return ret
}

if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
)zsh";

// What has a meaning in specifications, taken as it is.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != special.npos) result += '\\';
    result += c;
  }
  return result;
}

std::string action_of(const Argument& argument) {
  switch (argument.kind) {
    case ValueKind::text:
      return " ";
    case ValueKind::words:
      return "(" + spaced(argument.words) + ")";
    case ValueKind::file:
      return "_files";
    case ValueKind::directory:
      return "_files -/";
    case ValueKind::campaign:
      return "_assay_campaigns";
    case ValueKind::plugin:
      return "_files -g \"*.so\"";
    case ValueKind::results:
      return "_assay_results";
    case ValueKind::program:
      return "_command_names -e";
    case ValueKind::user:
      return "_users";
    case ValueKind::column:
      return "_assay_columns";
    case ValueKind::layout:
      return "_assay_layouts";
    default:
      return "_assay_ask " + std::string(word_of(argument.kind));
  }
}

std::string zsh_value(const Argument& argument) {
  return ":" + escaped(argument.name, ":") + ":" + action_of(argument);
}

std::string specification_of(const CommandOption& option) {
  std::string help;
  for (const char c : option.help) help += c == '\n' ? ' ' : c;
  const auto text = "[" + escaped(help, "[]\\:") + "]";
  if (option.argument.name.empty() && option.letter != 0)
    return shell_quoted("(- *)") + "{-" + option.letter + ",--" + option.name + "}" + shell_quoted(text);
  const auto value = option.argument.name.empty() ? std::string() : zsh_value(option.argument);
  const std::string equals = option.argument.name.empty() ? "" : "=";
  auto all = shell_quoted((option.repeatable ? "*--" : "--") + option.name + equals + text + value);
  if (option.letter != 0) all += std::string(" ") + shell_quoted(std::string("-") + option.letter + "+" + text + value);
  return all;
}

std::string arguments_of(const CommandInfo& command) {
  std::string text = "    " + command.name + ")\n      _arguments -S";
  for (const CommandOption& option : command.options) text += " \\\n        " + specification_of(option);
  for (std::size_t i = 0; i < command.operands.size(); ++i) {
    const bool is_last = i + 1 == command.operands.size();
    const auto number = is_last && repeats_last(command) ? "*" : std::to_string(i + 1);
    text += " \\\n        " + shell_quoted(number + zsh_value(command.operands[i]));
  }
  return text + " && ret=0\n      ;;\n";
}

}  // namespace

std::string zsh_completion() {
  std::string commands;
  std::string cases;
  for (const CommandInfo& command : completed_commands()) {
    if (!command.hidden) commands += "    " + shell_quoted(command.name + ":" + escaped(command.summary, ":")) + "\n";
    cases += arguments_of(command);
  }
  return "#compdef assay\n# Made by 'assay generate completion zsh' from the table of its sub-commands.\n" +
         std::string(zsh_functions) + commands + main_begin + cases + main_end;
}

}  // namespace assay
