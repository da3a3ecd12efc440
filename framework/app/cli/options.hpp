// SPDX-License-Identifier: Apache-2.0
// Room: commands, options, errors of the command line.
// Options of campaign files and sub-commands: schema, precedence, defaults and help by Boost.Program_options, which
// does not leave options.cpp.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/value_type.hpp"
#include "base/error.hpp"

namespace assay {

/// One option of a campaign file. Precedence: command line, then ASSAY_* environment, then file, then default. Those of
/// [precision] can be set in each [series.NAME] too, where they override [precision] from whatever source.
struct OptionInfo {
  std::string section;  ///< "campaign", "precision", "series"
  std::string name;
  ValueType type;
  std::string standard;  ///< default, as text; empty: worked out as `help` says, or none
  std::string help;
};

/// All options of a campaign file: the single table of them.
const std::vector<OptionInfo>& option_table();
/// Those of one section.
std::vector<OptionInfo> options_of(std::string_view section);

/// A value with where it came from; the position of a default is empty.
struct Setting {
  std::string value;  ///< as it is written
  Where at;
  std::optional<OptionValue> typed{};  ///< by the option's type; nothing before it is read, and where it was refused
  /// The typed value, where it is a T.
  template <class T>
  std::optional<T> as() const {
    const T* found = typed ? std::get_if<T>(&*typed) : nullptr;
    return found == nullptr ? std::nullopt : std::optional<T>(*found);
  }
};
/// Values by "section.key"; for a series "series.NAME.key".
using Settings = std::map<std::string, Setting>;

/// A setting as one source gives it.
struct Given {
  std::string section;
  std::string key;
  Where key_at;
  Setting setting;
};

/// Whether a value was refused: what the others mean for each other would be reported wrongly.
bool has_refused(const Settings& settings);

/// What the sources give for one section, where the first source that has a key wins, and defaults for the rest, read
/// by their types. A value that its type refuses is a problem; so is a key that `schema` does not have, with the
/// nearest name; `hint` says where the keys are listed.
struct SectionSchema {
  std::string section;  ///< "campaign", "precision", "series.NAME"
  std::vector<OptionInfo> options;
  std::string hint;
};
Settings merge(const SectionSchema& schema, const std::vector<std::vector<Given>>& sources,
               std::vector<Problem>& problems);

/// Settings of [campaign] and [precision] from variables ASSAY_SECTION_KEY, '-' written '_': ASSAY_PRECISION_MAX_TIME.
std::vector<Given> environment_settings();

/// What a value or an operand is; by it shells complete it.
enum class ValueKind : std::uint8_t {
  text,  ///< numbers, times, and what else cannot be completed
  words,
  file,
  directory,
  campaign,  ///< a campaign file
  results,   ///< a directory that holds a campaign's results
  plugin,
  program,
  user,
  // What the program is asked for: what there is, by itself or in the campaigns that the line names.
  command,
  layout,  ///< of a name, or a file
  format,
  topic,  ///< of `describe`
  series,
  setting,  ///< SECTION.KEY=
  column,   ///< or several, separated by commas
  filter,   ///< NAME=LEVEL
  factor,
  level,
  quantity,
  page  ///< of the manual
};

/// What stands for a value or an operand in the help, and what it is.
struct Argument {
  // NOLINTNEXTLINE(google-explicit-constructor): tables are read as they are written
  Argument(const char* text = "", ValueKind what = ValueKind::text, std::vector<std::string> choices = {})
      : name(text), kind(what), words(std::move(choices)) {}
  /// A value that is read by its type: CommandLine::value has it.
  Argument(const char* text, ValueType what)
      : name(text),
        kind(what.words.empty() ? ValueKind::text : ValueKind::words),
        words(what.words),
        type(std::move(what)) {}
  std::string name;  ///< empty: there is none
  ValueKind kind;
  std::vector<std::string> words;  ///< what it usually is, where these are fixed words
  ValueType type = raw_value("text");
};

/// An option of a sub-command.
struct CommandOption {
  std::string name;
  Argument argument;  ///< its value; of no name: it takes none
  std::string help;
  bool repeatable = false;
  char letter = 0;     ///< the short form is '-' and this; 0: it has none
  unsigned words = 1;  ///< that its value takes; CommandLine::values has them one after the other
};

/// A sub-command's arguments, taken apart.
struct CommandLine {
  std::vector<std::string> arguments;  ///< as given
  std::vector<std::string> operands;
  std::map<std::string, std::vector<std::string>> options;
  std::map<std::string, OptionValue> typed;  ///< the last value of each option that has one, by its type

  bool has(const std::string& option) const { return options.count(option) > 0; }
  /// Every value given for an option.
  std::vector<std::string> values(const std::string& option) const;
  /// The value of an option whose type makes it a T; nothing where it is not given.
  template <class T>
  std::optional<T> value(const std::string& option) const {
    const auto found = typed.find(option);
    return found == typed.end() ? std::nullopt : std::optional<T>(std::get<T>(found->second));
  }
};

/// Takes arguments apart; `--` ends the options, names are not abbreviated, `-h` is `--help`. Throws ConfigError, its
/// position being `command`.
CommandLine parse_command_line(const std::string& command, const std::vector<CommandOption>& options,
                               const std::vector<std::string>& arguments);
/// The options as lines of help text.
std::string help_text(const std::vector<CommandOption>& options);

}  // namespace assay
