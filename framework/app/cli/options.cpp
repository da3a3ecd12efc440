// SPDX-License-Identifier: Apache-2.0
// Feeds Boost.Program_options by hand, so that each setting keeps its position.
#include "app/cli/options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "text/suggest.hpp"

namespace po = boost::program_options;

namespace assay {

namespace {

constexpr unsigned help_width = 100;
constexpr const char* operand = " operand";  // the space keeps it from looking like an option's name

int integer(const std::string& digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// A setting travels through the library as four tokens, which `validate` puts together again.
po::option fed(const Given& given) {
  po::option option;
  option.string_key = given.section + "." + given.key;
  const Where& at = given.setting.at;
  option.value = {given.setting.value, at.file, std::to_string(at.line), std::to_string(at.column)};
  return option;
}

po::options_description described(const SectionSchema& schema) {
  po::options_description description;
  for (const OptionInfo& option : schema.options) {
    auto* semantic = po::value<Setting>();
    if (!option.standard.empty()) semantic->default_value({option.standard, {}}, option.standard);
    description.add_options()((schema.section + "." + option.name).c_str(), semantic);
  }
  return description;
}

std::vector<std::string> names_of(const std::vector<OptionInfo>& options) {
  std::vector<std::string> names;
  for (const OptionInfo& option : options) names.push_back(option.name);
  return names;
}

std::string unknown_remedy(const Given& given, const SectionSchema& schema) {
  const auto near = nearest(given.key, names_of(schema.options));
  return near.empty() ? schema.hint : "did you mean '" + near + "'?";
}

// The settings of a source that the schema knows, in the library's form; the others become problems.
po::parsed_options parsed(const std::vector<Given>& source, const SectionSchema& schema,
                          const po::options_description& description, std::vector<Problem>& problems) {
  po::parsed_options options(&description);
  for (const Given& given : source) {
    if (given.section != schema.section) continue;
    if (description.find_nothrow(given.section + "." + given.key, false) != nullptr) {
      options.options.push_back(fed(given));
    } else {
      problems.push_back({given.key_at,
                          "unknown key " + shown(given.key) + " in [" + schema.section + "]",
                          {},
                          unknown_remedy(given, schema)});
    }
  }
  return options;
}

// "max-time" of "precision" is "ASSAY_PRECISION_MAX_TIME".
std::string variable_of(const std::string& section, const std::string& key) {
  std::string name = "ASSAY_" + section + "_" + key;
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    if (letter >= 'a' && letter <= 'z') return static_cast<char>(letter - 'a' + 'A');
    return letter == '-' ? '_' : letter;
  });
  return name;
}

// The key that a variable sets; for a misspelt one a key that no schema knows, so that it is reported.
std::string key_of(const std::string& variable, const std::string& section) {
  const auto prefix = variable_of(section, "");
  if (!variable.starts_with(prefix)) return {};
  for (const OptionInfo& option : options_of(section))
    if (variable_of(section, option.name) == variable) return option.name;
  return variable;
}

std::vector<Given> from_environment(const std::string& section) {
  const po::options_description none;
  std::map<std::string, std::string> variables;
  const auto mapper = [&](const std::string& variable) {
    const auto key = key_of(variable, section);
    if (!key.empty()) variables[key] = variable;
    return key;
  };
  std::vector<Given> found;
  for (const po::option& option : po::parse_environment(none, mapper).options) {
    const Where at{variables.at(option.string_key), 0, 0};
    found.push_back({section, option.string_key, at, {option.value.at(0), at}});
  }
  return found;
}

po::options_description described(const std::vector<CommandOption>& options) {
  po::options_description description(help_width);
  for (const CommandOption& option : options) {
    const auto names = option.letter == 0 ? option.name : option.name + "," + option.letter;
    if (option.argument.name.empty()) {
      description.add_options()(names.c_str(), option.help.c_str());
    } else {
      description.add_options()(names.c_str(), po::value<std::string>()->value_name(option.argument.name),
                                option.help.c_str());
    }
  }
  return description;
}

po::parsed_options parsed(const po::options_description& visible, const std::vector<std::string>& arguments) {
  namespace style = po::command_line_style;
  po::options_description all;
  all.add(visible);
  all.add_options()(operand, po::value<std::string>());
  po::positional_options_description positional;
  positional.add(operand, -1);
  return po::command_line_parser(arguments)
      .options(all)
      .positional(positional)
      .style(style::unix_style & ~style::allow_guessing)
      .run();
}

CommandLine collected(const po::parsed_options& parsed) {
  CommandLine line;
  for (const po::option& option : parsed.options) {
    if (option.position_key >= 0 || option.string_key == operand) {
      line.operands.insert(line.operands.end(), option.value.begin(), option.value.end());
    } else {
      auto& values = line.options[option.string_key];
      values.insert(values.end(), option.value.begin(), option.value.end());
    }
  }
  return line;
}

bool is_option(const std::vector<CommandOption>& options, const std::string& text) {
  return std::any_of(options.begin(), options.end(), [&](const auto& option) { return "--" + option.name == text; });
}

// What a shell makes of a variable that is not set. For --set and the like it means nothing either.
void check_empty(const std::string& command, const CommandLine& line) {
  for (const auto& [option, values] : line.options)
    if (std::find(values.begin(), values.end(), "") != values.end())
      throw ConfigError(
          Problem{{command}, "option '--" + option + "' has an empty value", {}, "give one, or leave the option out"});
  if (std::find(line.operands.begin(), line.operands.end(), "") != line.operands.end())
    throw ConfigError(Problem{{command}, "an argument is empty", {}, "a variable may not have been set"});
}

// What the library lets pass: a repeated option, and an option taken for the value of the one before it.
void check_options(const std::string& command, const std::vector<CommandOption>& options, const CommandLine& line) {
  for (const CommandOption& option : options) {
    const auto values = line.values(option.name);
    const auto swallowed =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return is_option(options, v); });
    if (swallowed != values.end())
      throw ConfigError(
          Problem{{command}, "option '--" + option.name + "' needs a value", "'" + *swallowed + "' follows it", {}});
    if (!option.repeatable && values.size() > 1)
      throw ConfigError(
          Problem{{command}, "option '--" + option.name + "' is given more than once", {}, "give it once"});
  }
}

std::string in_words(const po::invalid_command_line_syntax& error) {
  using Syntax = po::invalid_command_line_syntax;
  const auto option = "option " + shown(error.get_option_name());
  if (error.kind() == Syntax::extra_parameter) return option + " takes no value";
  if (error.kind() == Syntax::missing_parameter || error.kind() == Syntax::empty_adjacent_parameter)
    return option + " needs a value";
  return error.what();
}

ConfigError unknown_option(const std::string& command, const std::string& given,
                           const std::vector<CommandOption>& options) {
  std::vector<std::string> names;
  for (const CommandOption& option : options) names.push_back("--" + option.name);
  auto remedy = suggestion(given, names);
  return ConfigError(Problem{{command}, "unknown option " + shown(given), {}, std::move(remedy)});
}

}  // namespace

// Found by the library through its last parameter.
void validate(boost::any& target, const std::vector<std::string>& tokens, Setting*, int) {
  target = Setting{tokens.at(0), {tokens.at(1), integer(tokens.at(2)), integer(tokens.at(3))}};
}

Settings merge(const SectionSchema& schema, const std::vector<std::vector<Given>>& sources,
               std::vector<Problem>& problems) {
  const auto description = described(schema);
  po::variables_map values;
  for (const auto& source : sources) po::store(parsed(source, schema, description, problems), values);
  po::store(po::parsed_options(&description), values);  // defaults, should there be no source
  Settings settings;
  for (const auto& [key, value] : values)
    if (!value.empty()) settings[key] = value.as<Setting>();
  return settings;
}

std::vector<Given> environment_settings() {
  auto found = from_environment("campaign");
  for (auto& given : from_environment("precision")) found.push_back(std::move(given));
  // The short name, as it may stand in a job's script.
  if (const char* launcher = std::getenv("ASSAY_LAUNCHER"); launcher != nullptr && *launcher != '\0') {
    const Where at{"ASSAY_LAUNCHER", 0, 0};
    found.push_back({"campaign", "launcher", at, {launcher, at}});
  }
  return found;
}

std::vector<std::string> CommandLine::values(const std::string& option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

CommandLine parse_command_line(const std::string& command, const std::vector<CommandOption>& options,
                               const std::vector<std::string>& arguments) {
  try {
    auto line = collected(parsed(described(options), arguments));
    check_options(command, options, line);
    check_empty(command, line);
    line.arguments = arguments;
    return line;
  } catch (const po::unknown_option& error) {
    throw unknown_option(command, error.get_option_name(), options);
  } catch (const po::invalid_command_line_syntax& error) {
    throw ConfigError(Problem{{command}, in_words(error), {}, "'" + command + " --help' shows the options"});
  }
}

std::string help_text(const std::vector<CommandOption>& options) {
  std::ostringstream text;
  text << described(options);
  return text.str();
}

}  // namespace assay
