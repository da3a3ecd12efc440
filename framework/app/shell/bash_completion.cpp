// SPDX-License-Identifier: Apache-2.0
// The completion for bash: it needs no package bash-completion, and works with it.
#include "app/shell/completion.hpp"

namespace assay {

namespace {

constexpr const char* bash_functions = R"sh(
# The line's words up to the cursor, as typed; bash takes them apart at '=' and ':'. Sets words, cword and cur.
_assay_words() {
  local i word
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $breaks && $i -gt 1 && -n $word && ($word == [$breaks]* || ${COMP_WORDS[i - 1]} == *[$breaks]) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  cword=$((${#words[@]} - 1))
  cur=${words[cword]}
}

# A word without quotes and backslashes. Sets plain.
_assay_plain() {
  plain=${1//\\/}
  plain=${plain#[\"\']}
  plain=${plain%[\"\']}
  [[ $plain != '~/'* ]] || plain=$HOME/${plain#'~/'}
}

# Asks the program for what there is, in the campaigns that the line names too. Sets found.
_assay_ask() {
  local kind=$1 plain program word line=()
  _assay_plain "${COMP_WORDS[0]}"
  program=$(type -P -- "$plain") || program=$(type -P assay) || return
  for word in "${COMP_WORDS[@]:1}"; do
    _assay_plain "$word"
    [[ -z $plain ]] || line+=("$plain")
  done
  while IFS=$'\t' read -r word _; do found+=("$word"); done < <("$program" complete "$kind" -- "${line[@]}" 2>/dev/null)
}

# Offers those of the words that begin as the current one does.
_assay_keep() {
  local word
  for word in "$@"; do
    [[ $word != "$cur"* ]] || COMPREPLY+=("$word")
  done
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

# Offers files of a kind, and folders on the way to them.
_assay_paths() {
  local kind=$1 path plain folders=() files=()
  _assay_plain "$cur"
  [[ $cur != '~/'* ]] || plain=$cur
  compopt -o filenames 2>/dev/null
  mapfile -t folders < <(compgen -d -- "$plain")
  case $kind in
    directory) ;;
    campaign) mapfile -t files < <(compgen -f -X '!*.ini' -- "$plain") ;;
    plugin) mapfile -t files < <(compgen -f -X '!*.so' -- "$plain") ;;
    results)
      for path in "${folders[@]}"; do
        [[ ! -e ${path/#'~'\//$HOME/}/journal.jsonl ]] || files+=("$path")
      done
      [[ ${#files[@]} -eq 0 ]] || folders=()
      ;;
    *) mapfile -t files < <(compgen -f -- "$plain") && folders=() ;;
  esac
  COMPREPLY+=("${files[@]}" "${folders[@]}")
}

# Offers what can stand for a value of a kind.
_assay_offer() {
  local found=() list
  case $1 in
    text) ;;
    words:*) read -r -a found <<<"${1#words:}" && _assay_keep "${found[@]}" ;;
    user) mapfile -t COMPREPLY < <(compgen -u -- "$cur") ;;
    program) mapfile -t COMPREPLY < <(compgen -c -- "$cur") ;;
    file | directory | results | plugin) _assay_paths "$1" ;;
    campaign)
      _assay_ask campaign
      _assay_keep "${found[@]}"
      _assay_paths campaign
      ;;
    column)
      list=
      [[ $cur != *,* ]] || list=${cur%,*},
      _assay_ask column
      _assay_keep "${found[@]/#/$list}"
      compopt -o nospace 2>/dev/null
      ;;
    *)
      _assay_ask "$1"
      _assay_keep "${found[@]}"
      [[ $1 != layout || ${#COMPREPLY[@]} -gt 0 ]] || _assay_paths campaign
      ;;
  esac
}

# Offers the sub-commands, those of other programs on the path too.
_assay_first() {
  local name others=()
  mapfile -t others < <(compgen -c assay- | sort -u)
  _assay_keep $commands --help --version
  for name in "${others[@]#assay-}"; do
    [[ " $commands $own_programs " == *" $name "* || $name != "$cur"* ]] || COMPREPLY+=("$name")
  done
}

# Looks at the words before the current one. Sets given (options), operands (their number) and kind, that of the value
# which has to follow.
_assay_before() {
  local i word only_operands=
  for ((i = 2; i < cword; i++)); do
    word=${words[i]}
    kind=
    if [[ $only_operands || $word != -?* ]]; then
      operands=$((operands + 1))
    elif [[ $word == -- ]]; then
      only_operands=yes
    else
      given+="${word%%=*} "
      [[ $word == *=* ]] || _assay_value "$command" "$word"
      [[ -z $kind ]] || i=$((i + 1))
    fi
  done
  ((i > cword)) || kind=
}

# Offers the options that are not there yet, or may be repeated.
_assay_offer_options() {
  local option left=()
  for option in $options; do
    [[ $given == *" $option "* && " $repeatable " != *" $option "* ]] || left+=("$option")
  done
  _assay_keep "${left[@]}"
}

_assay() {
  local breaks=${COMP_WORDBREAKS//[^=:]/}
  local words cword cur command options repeatable kind= given=' ' operands=0 before
  COMPREPLY=()
  _assay_words
  if ((cword < 2)); then
    _assay_first
    return
  fi
  command=${words[1]}
  _assay_options "$command"
  _assay_before
  if [[ $kind ]]; then
    _assay_offer "$kind"
  elif [[ $cur == --*=* ]]; then
    _assay_value "$command" "${cur%%=*}"
    before=${cur%%=*}=
    cur=${cur#*=}
    [[ -z $kind ]] || _assay_offer "$kind"
    [[ $breaks == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$before}")
  elif [[ $cur == -* ]]; then
    _assay_offer_options
  else
    _assay_operand "$command" "$((operands + 1))"
    _assay_offer "${kind:-text}"
  fi
  # Only what stands behind the last place where bash took the word apart is replaced.
  [[ -z $breaks || $cur != *[$breaks]* ]] || COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*[$breaks]}"}"}")
} && complete -F _assay assay
)sh";

std::string bash_kind(const Argument& argument) {
  return argument.kind == ValueKind::words ? shell_quoted("words:" + spaced(argument.words))
                                           : std::string(word_of(argument.kind));
}

std::string options_function(const std::vector<CommandInfo>& all) {
  std::string text =
      "\n# The options of a sub-command, and those that may be repeated.\n_assay_options() {\n  options= repeatable=\n"
      "  case $1 in\n";
  for (const CommandInfo& command : all) {
    std::vector<std::string> options;
    std::vector<std::string> repeatable;
    for (const CommandOption& option : command.options) {
      options.push_back("--" + option.name);
      if (option.repeatable) repeatable.push_back("--" + option.name);
    }
    text += "    " + command.name + ") options=" + shell_quoted(spaced(options)) +
            " repeatable=" + shell_quoted(spaced(repeatable)) + " ;;\n";
  }
  return text + "  esac\n}\n";
}

std::string value_function(const std::vector<CommandInfo>& all) {
  std::string text =
      "\n# What the value of an option is, empty for one that takes none.\n_assay_value() {\n  kind=\n  case \"$1 $2\" "
      "in\n";
  for (const CommandInfo& command : all)
    for (const CommandOption& option : command.options) {
      if (option.argument.name.empty()) continue;
      text += "    '" + command.name + " --" + option.name + "'";
      if (option.letter != 0) text += " | '" + command.name + " -" + option.letter + "'";
      text += ") kind=" + bash_kind(option.argument) + " ;;\n";
    }
  return text + "  esac\n}\n";
}

std::string operand_function(const std::vector<CommandInfo>& all) {
  std::string text =
      "\n# What an operand is, by its number; empty where there is none.\n_assay_operand() {\n  kind=\n  case \"$1 "
      "$2\" in\n";
  for (const CommandInfo& command : all) {
    for (std::size_t i = 0; i + (repeats_last(command) ? 1 : 0) < command.operands.size(); ++i)
      text +=
          "    '" + command.name + " " + std::to_string(i + 1) + "') kind=" + bash_kind(command.operands[i]) + " ;;\n";
    if (!repeats_last(command)) continue;
    std::string pattern = "'" + command.name + " '*";
    if (command.most_operands < 10) {
      pattern.clear();
      for (auto i = command.operands.size(); i <= command.most_operands; ++i)
        pattern += (pattern.empty() ? "'" : " | '") + command.name + " " + std::to_string(i) + "'";
    }
    text += "    " + pattern + ") kind=" + bash_kind(command.operands.back()) + " ;;\n";
  }
  return text + "  esac\n}\n";
}

}  // namespace

std::string bash_completion() {
  const auto all = completed_commands();
  std::vector<std::string> names;
  for (const CommandInfo& command : all)
    if (!command.hidden) names.push_back(command.name);
  const std::string variables = "  local commands=" + shell_quoted(spaced(names)) + " own_programs='mpi'\n";
  std::string text = bash_functions;
  const std::string place = "# Offers the sub-commands, those of other programs on the path too.\n_assay_first() {\n";
  text.insert(text.find(place) + place.size(), variables);
  return "# bash completion for assay                              -*- shell-script -*-\n"
         "# Made by 'assay generate completion bash' from the table of its sub-commands.\n" +
         options_function(all) + value_function(all) + operand_function(all) + text;
}

}  // namespace assay
