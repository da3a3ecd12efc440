// SPDX-License-Identifier: Apache-2.0
// `assay list`: names of what exists.
#include <limits>
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/config/factors.hpp"
#include "app/results/formats.hpp"
#include "app/results/listing.hpp"
#include "platform/placement/placement.hpp"
#include "record/layout/layouts.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/suggest.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

const std::vector<std::string> kinds{"measurements", "placements", "formats", "layouts", "rules", "campaigns"};

std::string members_text(const MemberRange& members) {
  if (members.least == members.most) return std::to_string(members.least);
  if (members.most == std::numeric_limits<int>::max()) return std::to_string(members.least) + " or more";
  return std::to_string(members.least) + " to " + std::to_string(members.most);
}

Listing measurements(const Registry& registry, const CommandLine& line) {
  Listing table{"measurements", {"measurement", "members", "vehicles", "what it times"}};
  for (const Description& description : descriptions_of(registry, line))
    table.add(
        {description.name, members_text(description.members), joined(vehicles_of(description)), description.summary});
  return table;
}

std::string cpus_text(const Placement& placement) {
  if (!placement.bound()) return "every usable CPU";
  std::string text;
  for (const int cpu : placement.cpus) text += (text.empty() ? "" : "+") + std::to_string(cpu);
  return text;
}

// For one, two and three members: what a representative placement is, or why there is none.
Listing placements() {
  const auto topology = Topology::this_machine();
  Listing table{"placements", {"members", "placement", "CPUs by rank"}};
  table.facts = {{"machine", topology.summary()}, {"restriction", topology.restriction()}};
  for (int members = 1; members <= 3; ++members) {
    auto words = members == 1 ? placement_words(topology, 1) : Topology::relations();
    if (members > 1) words.insert(words.begin(), "unbound");
    for (const std::string& word : words) {
      const auto choice = place(topology, word, members);
      table.add({members, word, choice.placement ? cpus_text(*choice.placement) : choice.why_not});
    }
  }
  return table;
}

// What holds for all rows stands above them.
void print_table(std::ostream& out, const Listing& listing) {
  for (const auto& [name, fact] : listing.facts)
    if (!fact.string().empty()) out << fact.string() << "\n";
  print_wrapped(out, listing);
  if (listing.kind == "placements") out << "'assay placements' lists all classes\n";
}

Listing formats() {
  Listing table{"formats", {"format", "what it is"}};
  for (const ExportFormat& format : export_formats()) table.add({format.name, format.summary});
  return table;
}

Listing layouts() {
  Listing table{"layouts", {"layout", "what it shows"}};
  for (const std::string& name : layout_names()) table.add({name, find_layout(name)->summary});
  return table;
}

Listing rules() {
  Listing table{"rules", {"rule", "satisfied when"}};
  for (const std::string& rule : rule_names()) table.add({rule, rule_help(rule).summary});
  return table;
}

Listing campaigns() {
  Listing table{"campaigns", {"campaign", "file"}};
  for (const KnownCampaign& campaign : known_campaigns(campaign_folders())) table.add({campaign.name, campaign.path});
  return table;
}

Listing listing_of(const std::string& what, const Registry& registry, const CommandLine& line) {
  if (what == "measurements") return measurements(registry, line);
  if (what == "placements") return placements();
  if (what == "formats") return formats();
  if (what == "layouts") return layouts();
  if (what == "rules") return rules();
  if (what == "campaigns") return campaigns();
  throw ConfigError(Problem{{"assay list"}, "unknown kind of thing " + shown(what), {}, suggestion(what, kinds)});
}

int run_list(const CommandLine& line, const Registry& registry, AppContext& context) {
  const std::string what = line.operands.empty() ? "measurements" : line.operands.front();
  const Listing listing = listing_of(what, registry, line);
  const ListingFormat format = listing_format(line);
  if (format == ListingFormat::table)
    print_table(context.out, listing);
  else
    write_listing(context.out, listing, format);
  return ExitCode::ok;
}

}  // namespace

CommandInfo list_command() {
  CommandInfo command;
  command.name = "list";
  command.synopsis =
      "list [measurements|placements|formats|layouts|rules|campaigns] [--format FORMAT] [--plugin PATH]...";
  command.summary =
      "Names the measurements, this machine's placements, the formats, layouts, stopping rules or campaigns.";
  command.most_operands = 1;
  command.options = {listing_option(), plugin_option(), help_option()};
  command.operands = {{"KIND", ValueKind::words, kinds}};
  command.exits = {ExitCode::environment};
  command.examples = {{"assay list", "what can be measured"}, {"assay list layouts", "the layouts of tables"}};
  command.run = &run_list;
  return command;
}

}  // namespace assay
