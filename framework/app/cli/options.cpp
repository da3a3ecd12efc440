// SPDX-License-Identifier: Apache-2.0
// Boost.Program_options with the types of the tables; it is given one setting at a time, so that each keeps its
// position.
#include "app/cli/options.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <sstream>

#include "text/suggest.hpp"

namespace po = boost::program_options;

namespace assay {

namespace {

constexpr unsigned help_width = 100;
constexpr const char* operand = " operand";  // the space keeps it from looking like an option's name

// How the library reads the values of an option: by its type, with its default.
class Semantic : public po::value_semantic_codecvt_helper<char> {
 public:
  // `label` is what the option is called in messages; `shown` is what stands for its value in the help.
  Semantic(ValueType type, std::string label, std::string standard, std::string shown, unsigned words = 1)
      : type_(std::move(type)),
        label_(std::move(label)),
        standard_(std::move(standard)),
        shown_(std::move(shown)),
        words_(words) {}

  std::string name() const override { return shown_; }
  unsigned min_tokens() const override { return words_; }
  unsigned max_tokens() const override { return words_; }
  bool is_composing() const override { return false; }
  bool is_required() const override { return false; }
  bool apply_default(boost::any& value) const override {
    if (standard_.empty()) return false;
    value = type_.read(label_, standard_);
    return true;
  }
  void notify(const boost::any& /*value*/) const override {}

 protected:
  void xparse(boost::any& value, const std::vector<std::string>& tokens) const override {
    value = type_.read(label_, tokens.at(0));
  }

 private:
  ValueType type_;
  std::string label_;
  std::string standard_;
  std::string shown_;
  unsigned words_;
};

po::options_description described(const SectionSchema& schema) {
  po::options_description description;
  for (const OptionInfo& option : schema.options)
    description.add_options()((schema.section + "." + option.name).c_str(),
                              new Semantic(option.type, option.name, option.standard, ""));
  return description;
}

std::vector<std::string> names_of(const std::vector<OptionInfo>& options) {
  std::vector<std::string> names;
  for (const OptionInfo& option : options) names.push_back(option.name);
  return names;
}

std::string unknown_remedy(const Given& given, const SectionSchema& schema) {
  const auto near = nearest(given.key, names_of(schema.options));
  if (schema.section.starts_with("variant.") && given.key.starts_with("env"))
    return "environment variables are set each by a key of its own: env.NAME = VALUE";
  return near.empty() ? schema.hint : "did you mean '" + near + "'?";
}

// Takes what a source gives for the section and no source before it has. Each by itself: the library ends at the first
// value that is refused, and all of them are to be reported.
void store(const std::vector<Given>& source, const SectionSchema& schema, const po::options_description& description,
           po::variables_map& values, std::vector<Problem>& problems) {
  for (const Given& given : source) {
    if (given.section != schema.section) continue;
    const std::string name = given.section + "." + given.key;
    if (description.find_nothrow(name, false) == nullptr) {
      problems.push_back({given.key_at,
                          "unknown key " + shown(given.key) + " in [" + schema.section + "]",
                          {},
                          unknown_remedy(given, schema)});
      continue;
    }
    po::parsed_options one(&description);
    one.options.emplace_back(name, std::vector<std::string>{given.setting.value});
    try {
      po::store(one, values);
    } catch (const BadValue& bad) {
      problems.push_back({given.setting.at, bad.what(), bad.why(), bad.remedy()});
    }
  }
}

// What the first source that has the option says; nullptr where none has it.
const Setting* first_given(const std::vector<std::vector<Given>>& sources, const std::string& section,
                           const std::string& key) {
  for (const auto& source : sources)
    for (const Given& given : source)
      if (given.section == section && given.key == key) return &given.setting;
  return nullptr;
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
      description.add_options()(
          names.c_str(), new Semantic(option.argument.type, "--" + option.name, "", option.argument.name, option.words),
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

// Values of options by their types; operands and options without a value aside.
std::map<std::string, OptionValue> typed_values(const po::parsed_options& parsed,
                                                const po::options_description& description) {
  po::parsed_options named(&description);
  for (const po::option& option : parsed.options)
    if (option.position_key < 0 && option.string_key != operand && !option.value.empty())
      named.options.push_back(option);
  po::variables_map values;
  po::store(named, values);
  std::map<std::string, OptionValue> typed;
  for (const auto& [name, value] : values)
    if (const auto* found = boost::any_cast<OptionValue>(&value.value())) typed[name] = *found;
  return typed;
}

ConfigError unknown_option(const std::string& command, const std::string& given,
                           const std::vector<CommandOption>& options) {
  std::vector<std::string> names;
  for (const CommandOption& option : options) names.push_back("--" + option.name);
  auto remedy = suggestion(given, names);
  return ConfigError(Problem{{command}, "unknown option " + shown(given), {}, std::move(remedy)});
}

}  // namespace

bool has_refused(const Settings& settings) {
  return std::ranges::any_of(settings, [](const auto& setting) { return !setting.second.typed; });
}

Settings merge(const SectionSchema& schema, const std::vector<std::vector<Given>>& sources,
               std::vector<Problem>& problems) {
  const auto description = described(schema);
  po::variables_map values;
  for (const auto& source : sources) store(source, schema, description, values, problems);
  po::store(po::parsed_options(&description), values);  // defaults, should there be no source
  Settings settings;
  for (const OptionInfo& option : schema.options) {
    const auto name = schema.section + "." + option.name;
    const auto value = values.find(name);
    if (value == values.end()) continue;
    const Setting* given = first_given(sources, schema.section, option.name);
    Setting& setting = settings[name] = given != nullptr ? *given : Setting{option.standard, {}};
    if (!value->second.empty()) setting.typed = value->second.as<OptionValue>();
  }
  return settings;
}

std::vector<Given> environment_settings() {
  std::vector<Given> found;
  // The short name, as it may stand in a job's script, goes before the long one.
  if (const char* launcher = std::getenv("ASSAY_LAUNCHER"); launcher != nullptr && *launcher != '\0') {
    const Where at{"ASSAY_LAUNCHER", 0, 0};
    found.push_back({"campaign", "launcher", at, {launcher, at}});
  }
  for (const char* section : {"campaign", "precision"})
    for (auto& given : from_environment(section)) found.push_back(std::move(given));
  return found;
}

std::vector<std::string> CommandLine::values(const std::string& option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

CommandLine parse_command_line(const std::string& command, const std::vector<CommandOption>& options,
                               const std::vector<std::string>& arguments) {
  // Each worker starts so: what describes the options is not built to find none.
  if (arguments.empty()) return {};
  try {
    const auto description = described(options);
    const auto given = parsed(description, arguments);
    auto line = collected(given);
    check_options(command, options, line);
    check_empty(command, line);
    line.typed = typed_values(given, description);
    line.arguments = arguments;
    return line;
  } catch (const BadValue& bad) {
    throw ConfigError(Problem{{command}, bad.what(), bad.why(), bad.remedy()});
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
