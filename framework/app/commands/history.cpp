// SPDX-License-Identifier: Apache-2.0
// `assay history`: results over time, and against accepted ones. The work is done by a program beside this one.
#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "app/commands/commands.hpp"
#include "platform/process/program.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr const char* assay_history = "assay history";
constexpr const char* keeper = "assay-history";

// What can be asked for, with how many directories and which options.
struct Verb {
  std::string_view name;
  std::size_t least = 0;
  std::size_t most = 0;
  std::set<std::string_view> options;
};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{{"add", 1, std::numeric_limits<std::size_t>::max(), {"file"}},
                                     {"list", 0, 0, {"file", "format"}},
                                     {"show", 0, 0, {"file", "series", "point", "quantity", "node", "alpha", "format"}},
                                     {"fleet", 0, 0, {"file", "series", "quantity", "node", "alpha", "format"}},
                                     {"check", 1, 1, {"file", "accepted", "format", "strict"}},
                                     {"accept", 1, 1, {"output", "tolerance"}},
                                     {"rebuild", 0, 0, {"file"}}};
  return all;
}

[[noreturn]] void refuse_use(std::string what, std::string why, std::string remedy) {
  throw ConfigError(Problem{{assay_history}, std::move(what), std::move(why), std::move(remedy)});
}

std::string options_text(const Verb& verb) {
  std::vector<std::string> names;
  for (const std::string_view option : verb.options) names.push_back("--" + std::string(option));
  return "the options of " + std::string(verb.name) + (names.size() == 1 ? ": " : " are ") + joined(names);
}

// What the options of an action mean for each other.
void check_together(const std::string& asked, const CommandLine& line) {
  if (asked == "check" && line.has("accepted") && line.has("file"))
    refuse_use("--accepted and --file contradict each other", "a check is against one of them", "leave one out");
  if (line.value<std::string>("format") == "lines" && asked != "check")
    refuse_use("--format lines is not for " + asked, {}, "write table, csv or json");
  if (line.value<std::string>("format") == "otava" && asked != "fleet")
    refuse_use("--format otava is not for " + asked, {}, "write assay history fleet --format otava --node NAME");
  if (asked == "accept" && !line.has("output"))
    refuse_use("no file is named for the accepted values", {}, "write --output FILE");
}

void check_verb(const CommandLine& line) {
  const std::string& asked = line.operands.front();
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  const auto verb = std::ranges::find(verbs(), asked, &Verb::name);
  if (verb == verbs().end()) refuse_use("unknown action " + shown(asked), {}, suggestion(asked, names));
  const std::size_t given = line.operands.size() - 1;
  if (given < verb->least) refuse_use("nothing is named to " + asked, {}, "name the directory of a campaign");
  if (given > verb->most)
    refuse_use("unexpected " + shown(line.operands[verb->most + 1]), {},
               "'assay help history' says what goes together");
  for (const auto& [option, values] : line.options)
    if (!verb->options.contains(option))
      refuse_use("--" + option + " is not for " + asked, options_text(*verb), "leave it out, or use one of these");
  check_together(asked, line);
}

int run_history(const CommandLine& line, const Registry& /*registry*/, AppContext& context) {
  check_verb(line);
  if (context.history != nullptr) return context.history(line, context);
  const auto program = program_beside(keeper);
  if (!program)
    throw ConfigError(Problem{{assay_history},
                              "there is no assay-history in the folder of this program",
                              "it was built without SQLite",
                              "install libsqlite3-dev ('tools/deps build' does) and build assay again",
                              true});
  std::vector<std::string> arguments{"history"};
  arguments.insert(arguments.end(), line.arguments.begin(), line.arguments.end());
  const int error = execute_from_path(*program, arguments);
  throw ConfigError(Problem{{assay_history},
                            shown_path(*program) + " cannot be run",
                            std::system_category().message(error),
                            "build or install assay again",
                            true});
}

}  // namespace

CommandInfo history_command() {
  CommandInfo command;
  command.name = "history";
  command.synopsis = "history add DIR... | list | show | fleet | check DIR | accept DIR --output FILE | rebuild";
  command.summary = "Collects campaigns of many nodes and dates, shows points over time, and checks new results.";
  command.details =
      "add records campaigns by reference to their journals; adding again updates what has changed. list names "
      "them.\nshow prints points over time, with the change points found. fleet ranks the nodes of all\ncampaigns by "
      "how "
      "often they are bad, each with its first bad day. check compares a campaign with earlier\nones "
      "of its node in the history, or against a file of accepted values, which accept writes; exit code 6 "
      "where\nsomething is slower. rebuild reads all journals again. doc/history.md has the methods.\nThe file: "
      "--file, else ASSAY_HISTORY, else $XDG_DATA_HOME/assay/history.sqlite, "
      "else\n~/.local/share/assay/history.sqlite.\n";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.options = {
      {"file", {"PATH", ValueKind::file}, "the history's file"},
      {"series", "NAME", "show, fleet: this series only"},
      {"point", "FACTOR=LEVEL", "show: points at this level only; may be repeated", true},
      {"quantity", "NAME", "show, fleet: this quantity; default: each series' primary one"},
      {"node", "NAME", "show: campaigns of this node only; fleet: node that --format otava has"},
      {"alpha",
       {"A", share_value(Ends::none)},
       "show: probability of reporting a change where there is none; fleet: of naming a node that is well; default "
       "0.05"},
      {"accepted", {"FILE", ValueKind::file}, "check: against accepted values instead of the history"},
      {"format",
       {"FORMAT", word_value({"table", "csv", "json", "lines", "otava"})},
       "table (the default), csv or json; check: lines as well; fleet: otava as well"},
      {"strict", "", "check: exit with 1 where a point is missing, marked or unclear"},
      {"output", {"FILE", ValueKind::file}, "accept: file to create"},
      {"tolerance", {"T", share_value(Ends::zero)}, "accept: share by which intervals are widened; default 5%"},
      help_option()};
  command.operands = {{"ACTION", ValueKind::words, {"add", "list", "show", "fleet", "check", "accept", "rebuild"}},
                      {"DIR", ValueKind::results}};
  command.exits = {ExitCode::some_failed, ExitCode::environment, ExitCode::storage, ExitCode::refused,
                   ExitCode::regression};
  command.examples = {{"assay history add assay-clock --file history.sqlite", "add a campaign"},
                      {"assay history show --file history.sqlite", "every point over time"},
                      {"assay history accept assay-clock --output accepted.json || [ $? = 5 ]",
                       "record the present results as accepted; 5 where all are marked"}};
  command.run = &run_history;
  return command;
}

}  // namespace assay
