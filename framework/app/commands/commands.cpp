// SPDX-License-Identifier: Apache-2.0
// The table of sub-commands, and what several of them need.
#include "app/commands/commands.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "app/config/plugins.hpp"
#include "app/results/results.hpp"
#include "platform/machine/identity.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"
#include "record/journal/anonymous.hpp"
#include "record/layout/layouts.hpp"
#include "record/state_choice.hpp"
#include "run/worker/supervisor.hpp"
#include "text/suggest.hpp"

namespace assay {

std::span<const CommandEntry> commands() {
  static constexpr CommandEntry all[] = {{"run", run_command},
                                         {"resume", resume_command},
                                         {"plan", plan_command},
                                         {"list", list_command},
                                         {"placements", placements_command},
                                         {"describe", describe_command},
                                         {"show", show_command},
                                         {"export", export_command},
                                         {"compare", compare_command},
                                         {"reproduce", reproduce_command},
                                         {"predict", predict_command},
                                         {"history", history_command},
                                         {"journal", journal_command},
                                         {"doctor", doctor_command},
                                         {"time", time_command},
                                         {"cluster", cluster_command},
                                         {"check", check_command},
                                         {"cluster-node", cluster_node_command},
                                         {"launch", launch_command},
                                         {"generate", generate_command},
                                         {"complete", complete_command},
                                         {"worker", worker_command}};
  return all;
}

CommandOption help_option() { return {"help", "", "print this text", false, 'h'}; }

CommandOption quiet_option() { return {"quiet", "", "no progress, no remarks: tables and errors only"}; }

CommandOption verbose_option() {
  return {"verbose", "", "of plain tables: intervals, counts, verdicts, marks and every state of the cores", false,
          'v'};
}

CommandOption strict_option() {
  return {"strict", "", "warnings of checks and sessions become failures (exit code 1)"};
}

CommandOption anonymous_option() { return {"anonymous", "", "replace the names of hosts and users by a short hash"}; }

CommandOption state_option() {
  return {"state", "alone|any|shared",
          "state of the cores: alone, shared, or any for as found; default: the headline state"};
}

void apply_state(const CommandLine& line, const std::string& command, std::vector<Record>& records) {
  const auto text = value_of(line, "state");
  if (!text) return;
  const auto state = parse_wanted_state(*text);
  if (!state)
    throw ConfigError(
        Problem{{command}, "--state " + shown(*text) + " is no state of the cores", {}, "write alone, any or shared"});
  choose_state(records, *state);
}

CommandOption unit_option() {
  return {"unit",
          {"UNIT", word_value({"ns", "cycles"})},
          "unit of times: ns (the default), or cycles: core cycles in addition"};
}

bool wants_cycles(const CommandLine& line) { return line.value<std::string>("unit") == "cycles"; }

bool wants_cycles_of(const CampaignPlan& plan, const CommandLine& line, const std::string& command) {
  const bool asked = wants_cycles(line);
  if (asked && !plan.layout.empty() && plan.layout != plain_layout)
    throw ConfigError(
        Problem{{command},
                "--unit is for plain tables",
                "layout " + shown(plan.layout) + " has its own rows and columns",
                "leave it out, and print plain tables later: assay show DIR --layout plain --unit cycles"});
  return asked;
}

std::vector<Record> results_of(const CommandLine& line, const std::string& path, const std::string& command,
                               std::ostream& err, const std::vector<std::string>& raw_of) {
  auto records = read_results(command, path, err, nullptr, raw_of);
  apply_state(line, command, records);
  if (const auto anonymizer = anonymizer_of(line, records))
    std::ranges::transform(records, records.begin(), *anonymizer);
  return records;
}

std::optional<Anonymizer> anonymizer_of(const CommandLine& line, const std::vector<Record>& records) {
  if (!line.has("anonymous")) return std::nullopt;
  auto names = own_names();
  std::ranges::move(names_in(records), std::back_inserter(names));
  return Anonymizer(std::move(names));
}

CommandOption plugin_option() {
  return {"plugin", {"PATH", ValueKind::plugin}, "shared object with further measurements", true};
}

std::vector<CommandOption> override_options() {
  return {{"set",
           {"SECTION.KEY=VALUE", ValueKind::setting},
           "override a setting: precision.eps=5%, series.NAME.bytes=64; bytes=64 in all series that set it",
           true},
          {"series", {"NAME", ValueKind::series}, "only this series; may be repeated", true},
          {"quick", "", "a quick estimate: 10 %, 300 ms and three processes per point at most; --set takes precedence"},
          {"allow-large", "", "let a series have more than 100000 points"},
          {"launcher",
           {"COMMAND", ValueKind::program},
           "as --set campaign.launcher=COMMAND: starts ranks, {n} of them: 'mpirun -np {n}'"},
          {"time-limit", "T", "as --set campaign.time-limit=T: stop in good order after 30s, 10min, 2h"},
          {"sessions", "S", "as --set campaign.sessions=S: measure every point in S sessions; long-term from 3 on"},
          {"every", "T", "as --set campaign.every=T: from the start of a session to the start of the next"}};
}

std::vector<CommandOption> rights_options() {
  return {{"share", "", "everybody may read the results; default: only their owner"},
          {"drop-to", {"USER", ValueKind::user}, "as root: measure with USER's rights; results stay root's"}};
}

void apply_rights(const std::string& command, const CommandLine& line) {
  const auto user = value_of(line, "drop-to");
  if (!user) return;
  if (const auto why = drop_in_workers(*user))
    throw ConfigError(Problem{{command},
                              "--drop-to " + shown(*user) + " is not possible",
                              *why,
                              "as root, name an ordinary user; otherwise leave the option out"});
}

std::vector<CampaignSource> sources_of(const CommandLine& line, const Registry& registry,
                                       const std::optional<Against>& against) {
  if (line.operands.empty() && against) return {campaign_of(*against)};
  CampaignPlaces places{campaign_folders(), {}, &std::cin};
  for (const Description& description : catalogue_of(registry).built_in)
    places.measurements.push_back(description.name);
  return campaign_sources(line.operands, places);
}

std::string operands_text() {
  return "FILE is a campaign file, the name of one that comes with the program ('assay list campaigns'), or - for\n"
         "standard input. A measurement with settings in its place, as in 'sync/lock lock=mutex,spinlock', is a\n"
         "campaign of one series.\n";
}

CommandOption against_option() {
  return {"against",
          {"DIR|PROGRAM", ValueKind::file},
          "measure every point beside an earlier campaign, or another build of assay, and compare"};
}

std::string against_text() {
  return "--against answers whether something changed: the other program, or the one of that campaign if it is still\n"
         "there, measures every point in the same rounds as this one, and a comparison follows the tables (exit code "
         "6:\n"
         "something is slower). With a campaign, FILE may be left out: what it measured is measured again, and a "
         "column\n"
         "of its values shows what changed on the machine since then.\n";
}

std::optional<Against> against_of(const CommandLine& line, const AppContext& context) {
  const auto given = value_of(line, "against");
  if (!given) return std::nullopt;
  if (context.ranks != nullptr)
    throw ConfigError(Problem{{"--against " + shown(*given)},
                              "not possible in a launch of ranks",
                              "all ranks of a launch are one program",
                              "start assay by itself; ranks are compared by two campaigns: assay compare A B"});
  return look_at(*given);
}

CommandOption topology_option() {
  return {"topology",
          {"MACHINE", ValueKind::file},
          "another machine: an XML file of 'lstopo --of xml FILE', or a text as \"pack:2 l3:8 core:8 pu:2\""};
}

Topology machine_of(const CommandLine& line, const std::string& command) {
  const auto given = value_of(line, "topology");
  if (!given) return Topology::this_machine();
  const bool is_file = given->ends_with(".xml") || std::filesystem::exists(*given);
  try {
    return is_file ? Topology::from_xml(*given) : Topology::synthetic(*given);
  } catch (const ConfigError& error) {
    auto problems = error.problems();
    for (Problem& problem : problems) problem.where = {command + " --topology " + shown(*given)};
    throw ConfigError(std::move(problems));
  }
}

std::optional<std::string> value_of(const CommandLine& line, const std::string& option) {
  const auto values = line.values(option);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

Overrides overrides_of(const CommandLine& line) {
  Overrides overrides{line.values("set"), line.values("series"), value_of(line, "output"), line.has("allow-large"),
                      line.has("quick")};
  for (const std::string key : {"time-limit", "sessions", "every", "launcher"})
    if (const auto value = value_of(line, key)) {
      const Where at{"--" + key + " " + shown(*value)};
      overrides.options.push_back({"campaign", key, at, {*value, at}});
    }
  return overrides;
}

Catalogue catalogue_of(const Registry& registry) {
  Catalogue catalogue;
  for (const Entry& entry : registry.entries()) catalogue.built_in.push_back(entry.description);
  catalogue.describe_plugins = examine_plugins;
  return catalogue;
}

std::vector<Description> descriptions_of(const Registry& registry, const CommandLine& line) {
  const auto catalogue = catalogue_of(registry);
  auto all = catalogue.built_in;
  auto further = measurements_of(examine_plugins(plugin_paths(line.values("plugin")), plugin_deadline));
  std::move(further.begin(), further.end(), std::back_inserter(all));
  return all;
}

}  // namespace assay
