// SPDX-License-Identifier: Apache-2.0
// Options as users of hyperfine know them, and all combinations of commands and parameters.
#include "app/timing/time_request.hpp"

#include <algorithm>

#include "base/pattern.hpp"
#include "base/rng.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr const char* assay_time = "assay time";
constexpr std::size_t most_commands = 10'000;

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// A parameter and all of its values.
struct Parameter {
  std::string name;
  std::vector<std::string> values;
};

[[noreturn]] void refuse(std::string what, std::string why, std::string remedy) {
  throw ConfigError(Problem{{assay_time}, std::move(what), std::move(why), std::move(remedy)});
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string in_place(std::string text, const Parameters& parameters) {
  for (const auto& [name, value] : parameters) text = replaced(std::move(text), "{" + name + "}", value);
  return text;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, comma - from));
    if (comma == text.size()) return parts;
    from = comma + 1;
  }
}

std::vector<Parameter> parameters_of(const CommandLine& line) {
  const auto given = line.values("parameter-list");
  std::vector<Parameter> all;
  for (std::size_t i = 0; i + 1 < given.size(); i += 2) {
    if (std::ranges::find(all, given[i], &Parameter::name) != all.end())
      refuse("parameter " + shown(given[i]) + " is given more than once", {}, "give it once, with all of its values");
    all.push_back({given[i], split(given[i + 1])});
  }
  return all;
}

/// Every combination of values, the first parameter varying fastest.
std::vector<Parameters> combinations(const std::vector<Parameter>& parameters) {
  std::vector<Parameters> all{{}};
  for (const Parameter& parameter : parameters) {
    if (all.size() * parameter.values.size() > most_commands)
      refuse("the parameters have too many combinations", "at most " + std::to_string(most_commands) + " are measured",
             "give fewer values");
    std::vector<Parameters> longer;
    for (const std::string& value : parameter.values)
      for (Parameters one : all) {
        one.emplace_back(parameter.name, value);
        longer.push_back(std::move(one));
      }
    all = std::move(longer);
  }
  return all;
}

/// The text that belongs to a command: one for all of them, or one each; empty where there is none.
std::string text_for(const CommandLine& line, const std::string& option, std::size_t command, std::size_t commands) {
  const auto given = line.values(option);
  if (given.empty()) return {};
  if (given.size() == 1) return given.front();
  if (given.size() == commands) return given[command];
  refuse(std::to_string(given.size()) + " times --" + option + " for " + std::to_string(commands) + " commands", {},
         "give it once for all of them, or once for each");
}

std::string name_for(const CommandLine& line, std::size_t entry, std::size_t entries, std::size_t command,
                     std::size_t commands) {
  const auto names = line.values("command-name");
  if (names.size() > entries || (names.size() > commands && names.size() < entries))
    refuse(std::to_string(names.size()) + " names for " + std::to_string(entries) + " commands", {},
           "give at most one --command-name for each of them");
  const std::size_t at = names.size() > commands ? entry : command;
  return at < names.size() ? names[at] : line.operands[command];
}

std::vector<CommandToTime> commands_of(const CommandLine& line) {
  const std::size_t count = line.operands.size();
  const auto values = combinations(parameters_of(line));
  std::vector<CommandToTime> all;
  for (const Parameters& parameters : values)
    for (std::size_t i = 0; i < count; ++i) {
      const auto text = [&](const std::string& option) {
        return in_place(text_for(line, option, i, count), parameters);
      };
      const auto name = name_for(line, all.size(), values.size() * count, i, count);
      all.push_back({in_place(name, parameters), in_place(line.operands[i], parameters), parameters, text("setup"),
                     text("prepare"), text("cleanup")});
    }
  for (const Parameter& parameter : parameters_of(line)) {
    const auto is_used = [&](const std::string& text) { return text.find("{" + parameter.name + "}") != text.npos; };
    const auto prepares = line.values("prepare");
    const auto setups = line.values("setup");
    if (std::ranges::none_of(line.operands, is_used) && std::ranges::none_of(prepares, is_used) &&
        std::ranges::none_of(setups, is_used))
      refuse("parameter " + shown(parameter.name) + " is not used", {},
             "write {" + parameter.name + "} where its values are to stand, in the command or in --prepare or --setup");
  }
  return all;
}

std::vector<std::string> shell_of(const CommandLine& line) {
  const auto given = line.values("shell");
  if (!line.has("no-shell") && given.empty()) return TimeRequest().shell;
  if (line.has("no-shell") && !given.empty() && given.front() != "none")
    refuse("-N and --shell together", "one of them runs commands without a shell", "leave one of them out");
  if (line.has("no-shell") || given.front() == "none") return {};
  auto words = words_of_command(given.front());
  words.emplace_back("-c");
  return words;
}

void set_counts(const CommandLine& line, TimeRequest& request) {
  const auto count = [&](const char* option) { return line.value<std::int64_t>(option); };
  request.warmup = static_cast<int>(count("warmup").value_or(0));
  if (const auto runs = count("runs")) {
    if (count("min-runs") || count("max-runs"))
      refuse("--runs together with --min-runs or --max-runs", "--runs gives the exact number", "leave one of them out");
    request.least_runs = static_cast<int>(*runs);
    request.most_runs = request.least_runs;
    request.is_exact = true;
    return;
  }
  if (const auto most = count("max-runs")) request.most_runs = static_cast<int>(*most);
  request.least_runs =
      static_cast<int>(count("min-runs").value_or(std::min(usual_least_runs, request.most_runs.value_or(1'000'000))));
  if (request.most_runs && *request.most_runs < request.least_runs)
    refuse("--max-runs is below --min-runs", {}, "exchange them, or leave one out");
}

void set_files(const CommandLine& line, TimeRequest& request) {
  const auto of = [&](const char* option) {
    const auto values = line.values(option);
    return values.empty() || values.front() == "null" ? std::string("/dev/null") : values.front();
  };
  request.input = of("input");
  request.output = of("output");
  request.shows_output = request.output == "inherit";
  if (request.shows_output) request.output = "/dev/null";
}

}  // namespace

bool TimeRequest::is_interleaved() const {
  return std::ranges::all_of(commands, [&](const CommandToTime& one) {
    return one.setup == commands.front().setup && one.cleanup == commands.front().cleanup;
  });
}

std::vector<std::string> words_of_command(const std::string& command) {
  const Pattern pattern = read_pattern(replaced(replaced(command, "{", "{{"), "}", "}}"));
  if (pattern.error) refuse("the words of " + shown(command), pattern.error->what, pattern.error->remedy);
  auto words = expand(pattern, [](const std::string& name) { return name; });
  if (words.empty()) refuse("a command without words", {}, "give a program and its arguments");
  return words;
}

std::vector<CommandOption> time_options() {
  constexpr std::int64_t most_runs = 1'000'000;
  return {
      {"warmup", {"N", count_value(0, most_runs)}, "runs of each command beforehand that do not count", false, 'w'},
      {"runs", {"N", count_value(1, most_runs)}, "exactly N runs of each command", false, 'r'},
      {"min-runs", {"N", count_value(1, most_runs)}, "at least N runs of each command; default: 10", false, 'm'},
      {"max-runs", {"N", count_value(1, most_runs)}, "at most N runs of each command; default: no limit", false, 'M'},
      {"time-limit",
       {"T", duration_above_zero()},
       "measure on until all commands converge, or for T of runs of them; default: 2.4 s for each command"},
      {"no-shell", "", "run commands without a shell: words are separated by blanks, quotes keep them together", false,
       'N'},
      {"shell",
       {"SHELL", ValueKind::program},
       "shell that runs the commands, by 'SHELL -c'; none: as -N; default: sh, whose own start is measured and "
       "subtracted",
       false,
       'S'},
      {"prepare",
       {"CMD", ValueKind::program},
       "run CMD before each run, untimed; once for all commands or one for each",
       true,
       'p'},
      {"setup",
       {"CMD", ValueKind::program},
       "run CMD before the first run; once for all commands or one for each",
       true,
       's'},
      {"cleanup",
       {"CMD", ValueKind::program},
       "run CMD after the last run; once for all commands or one for each",
       true,
       'c'},
      {"parameter-list", "VAR VALUES", "measure with each of the VALUES, separated by commas, in the place of {VAR}",
       true, 'L', 2},
      {"command-name", "NAME", "name of a command in what is printed; may be repeated", true, 'n'},
      {"input", {"FILE", ValueKind::file}, "standard input of the commands; default: null, which is empty"},
      {"output",
       {"FILE", ValueKind::file},
       "standard output of the commands: a file, null (the default) or inherit, which shows both outputs"},
      {"ignore-failure", "", "measure commands although they end with another exit code than 0", false, 'i'},
      {"seed", {"N", seed_value()}, "seed of the random order; default: made from the commands, so that it repeats"}};
}

TimeRequest time_request(const CommandLine& line) {
  TimeRequest request;
  request.commands = commands_of(line);
  request.shell = shell_of(line);
  set_counts(line, request);
  set_files(line, request);
  request.time_limit = line.value<Nanoseconds>("time-limit");
  request.seed = line.value<std::uint64_t>("seed").value_or(stable_hash(joined(line.operands, "\n")));
  request.ignores_failures = line.has("ignore-failure");
  return request;
}

}  // namespace assay
