// SPDX-License-Identifier: Apache-2.0
// `assay list`: names of what exists.
#include <limits>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/config/factors.hpp"
#include "app/results/formats.hpp"
#include "platform/placement/placement.hpp"
#include "record/layout/layouts.hpp"
#include "record/table/table.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

std::string members_text(const MemberRange& members) {
  if (members.least == members.most) return std::to_string(members.least);
  if (members.most == std::numeric_limits<int>::max()) return std::to_string(members.least) + " or more";
  return std::to_string(members.least) + " to " + std::to_string(members.most);
}

void list_measurements(const Registry& registry, const CommandLine& line, std::ostream& out) {
  TextTable table({"measurement", "members", "vehicles", "what it times"});
  for (const Description& description : descriptions_of(registry, line))
    table.add(
        {description.name, members_text(description.members), joined(vehicles_of(description)), description.summary});
  table.print(out);
}

std::string cpus_text(const Placement& placement) {
  if (!placement.bound()) return "every usable CPU";
  std::string text;
  for (const int cpu : placement.cpus) text += (text.empty() ? "" : "+") + std::to_string(cpu);
  return text;
}

// For one, two and three members: what a representative placement is, or why there is none.
void list_placements(std::ostream& out) {
  const auto topology = Topology::this_machine();
  out << topology.summary() << "\n";
  if (!topology.restriction().empty()) out << topology.restriction() << "\n";
  TextTable table({"members", "placement", "CPUs by rank"});
  for (int members = 1; members <= 3; ++members) {
    auto words = members == 1 ? placement_words(topology, 1) : Topology::relations();
    if (members > 1) words.insert(words.begin(), "unbound");
    for (const std::string& word : words) {
      const auto choice = place(topology, word, members);
      table.add({std::to_string(members), word, choice.placement ? cpus_text(*choice.placement) : choice.why_not});
    }
  }
  table.print(out);
  out << "'assay placements' lists all classes\n";
}

void list_formats(std::ostream& out) {
  TextTable table({"format", "what it is"});
  for (const ExportFormat& format : export_formats()) table.add({format.name, format.summary});
  table.print(out);
}

void list_layouts(std::ostream& out) {
  TextTable table({"layout", "what it shows"});
  for (const std::string& name : layout_names()) table.add({name, find_layout(name)->summary});
  table.print(out);
}

void list_rules(std::ostream& out) {
  TextTable table({"rule", "satisfied when"});
  for (const std::string& rule : rule_names()) table.add({rule, rule_help(rule).summary});
  table.print(out);
}

int run_list(const CommandLine& line, const Registry& registry, AppContext& context) {
  const std::string what = line.operands.empty() ? "measurements" : line.operands.front();
  if (what == "measurements") {
    list_measurements(registry, line, context.out);
  } else if (what == "placements") {
    list_placements(context.out);
  } else if (what == "formats") {
    list_formats(context.out);
  } else if (what == "layouts") {
    list_layouts(context.out);
  } else if (what == "rules") {
    list_rules(context.out);
  } else {
    throw ConfigError(Problem{{"assay list"},
                              "unknown kind of thing " + shown(what),
                              {},
                              suggestion(what, {"measurements", "placements", "formats", "layouts", "rules"})});
  }
  return ExitCode::ok;
}

}  // namespace

CommandInfo list_command() {
  CommandInfo command;
  command.name = "list";
  command.synopsis = "list [measurements|placements|formats|layouts|rules] [--plugin PATH]...";
  command.summary = "Names the measurements, this machine's placements, the formats, layouts or stopping rules.";
  command.most_operands = 1;
  command.options = {plugin_option(), help_option()};
  command.operands = {{"KIND", ValueKind::words, {"measurements", "placements", "formats", "layouts", "rules"}}};
  command.exits = {ExitCode::environment};
  command.examples = {{"assay list", "what can be measured"}, {"assay list layouts", "the layouts of tables"}};
  command.run = &run_list;
  return command;
}

}  // namespace assay
