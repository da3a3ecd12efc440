// SPDX-License-Identifier: Apache-2.0
// `assay placements`: the classes of placements that a machine has.
#include <ostream>
#include <set>
#include <stdexcept>

#include "app/commands/commands.hpp"
#include "app/results/listing.hpp"
#include "platform/placement/placement_classes.hpp"
#include "platform/topology/topology.hpp"
#include "text/scale.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr const char* command_name = "assay placements";
constexpr std::int64_t most_representatives = 1000;

// What is asked for.
struct Wish {
  int members = 2;
  std::string roles = "ordered";
  bool memory = false;
  std::size_t representatives = 1;
};

ConfigError refused(std::string what, std::string why, std::string remedy) {
  return ConfigError(Problem{{command_name}, std::move(what), std::move(why), std::move(remedy)});
}

// What `part` returns; its problems get the command as their place.
template <class Part>
auto positioned(const char* command, Part part) {
  try {
    return part();
  } catch (const ConfigError& error) {
    auto problems = error.problems();
    for (Problem& problem : problems) problem.where = {command};
    throw ConfigError(std::move(problems));
  }
}

Wish wish_of(const CommandLine& line) {
  Wish wish;
  wish.members = static_cast<int>(line.value<std::int64_t>("members").value_or(wish.members));
  wish.roles = value_of(line, "roles").value_or(wish.roles);
  wish.memory = line.has("memory");
  wish.representatives = static_cast<std::size_t>(line.value<std::int64_t>("representatives").value_or(1));
  return wish;
}

PlacementClasses classes_of(const MachineTree& tree, const Wish& wish) {
  const auto roles = positioned(command_name, [&] { return parse_roles(wish.roles, wish.members); });
  try {
    return PlacementClasses(tree, {.roles = roles, .memory = wish.memory});
  } catch (const std::length_error& error) {
    throw refused("there are " + std::string(error.what()), {}, "ask for fewer members, or for --roles equal");
  } catch (const std::out_of_range& error) {
    throw refused("a node for the memory cannot be chosen", error.what(), "leave --memory out");
  }
}

std::string seats_text(const Seats& seats) {
  std::vector<std::string> cpus;
  for (const int cpu : seats.cpus) cpus.push_back(std::to_string(cpu));
  return joined(cpus, "+") + (seats.memory < 0 ? "" : " memory " + std::to_string(seats.memory));
}

std::string number_of_tuples(double tuples) {
  constexpr double exact = 9007199254740992;  // 2^53
  return tuples < exact ? fixed_text(tuples, 0) : fixed_text(tuples / 1e15, 0) + "e15";
}

// What of the machine distinguishes placements, and what it does not show.
void print_machine(std::ostream& out, const Topology& topology, const MachineTree& tree) {
  out << topology.summary() << "\n";
  if (!topology.restriction().empty()) out << topology.restriction() << "\n";
  std::set<std::string> kinds;
  std::vector<std::string> memories;
  for (const MachineNode& node : tree.nodes) {
    if (node.cpu >= 0 && !node.kind.empty()) kinds.insert(node.kind);
    if (node.memory >= 0)
      memories.push_back(std::to_string(node.memory) + (node.label.empty() ? "" : " " + node.label));
  }
  if (!kinds.empty()) out << "kinds of CPU: " << joined({kinds.begin(), kinds.end()}, ", ") << "\n";
  if (memories.size() > 1)
    out << "memory nodes: " << joined(memories, ", ")
        << (tree.distances.empty() ? "; the machine reports no distances between them" : "") << "\n";
}

Listing listing_of(const PlacementClasses& classes, const Wish& wish) {
  Listing table{
      "placement-classes",
      {"class", "placements", "one CPU each", wish.representatives == 1 ? "representative" : "representatives"}};
  for (std::size_t i = 0; i < classes.all().size(); ++i) {
    std::vector<std::string> seats;
    for (const Seats& one : classes.representatives(i, wish.representatives)) seats.push_back(seats_text(one));
    const PlacementClass& one = classes.all()[i];
    table.add({one.name, number_of_tuples(one.tuples), one.shares_cpu ? "no" : "yes", joined(seats, ", ")});
  }
  return table;
}

void print_classes(std::ostream& out, const PlacementClasses& classes, const Wish& wish) {
  double placements = 0;
  for (const PlacementClass& one : classes.all()) placements += one.tuples;
  out << wish.members << (wish.members == 1 ? " member" : " members, roles " + wish.roles)
      << (wish.memory ? ", with a node of the memory: " : ": ") << classes.all().size()
      << (classes.all().size() == 1 ? " class of " : " classes of ") << number_of_tuples(placements) << " placements\n";
  if (classes.unrefined() > 0)
    out << classes.unrefined() << " classes touch too many memory nodes to be distinguished by distance\n";
  print_wrapped(out, listing_of(classes, wish));
}

int run_placements(const CommandLine& line, const Registry&, AppContext& context) {
  const Wish wish = wish_of(line);
  const Topology topology = machine_of(line, command_name);
  const MachineTree tree = topology.tree();
  const PlacementClasses classes = classes_of(tree, wish);
  const ListingFormat format = listing_format(line);
  if (format != ListingFormat::table) {
    Listing listing = listing_of(classes, wish);
    listing.facts = {{"machine", topology.summary()}, {"members", wish.members}, {"roles", wish.roles}};
    write_listing(context.out, listing, format);
    return ExitCode::ok;
  }
  print_machine(context.out, topology, tree);
  print_classes(context.out, classes, wish);
  return ExitCode::ok;
}

}  // namespace

CommandInfo placements_command() {
  CommandInfo command;
  command.name = "placements";
  command.synopsis = "placements [--members N] [--topology FILE.xml|TEXT] [options]";
  command.summary =
      "Lists the classes of placements: those of one class are equivalent by the symmetry of the hardware.";
  command.details =
      "A class can be written as a level of factor 'placement'; numbers in brackets are members by rank. A machine\n"
      "is this one, an XML file as 'lstopo --of xml FILE' writes it, or a text such as \"pack:2 l3:8 core:8 pu:2\".\n";
  command.options = {{"members",
                      {"N", count_value(1, PlacementClasses::most_members)},
                      "number of members, 1 to 6; default: 2",
                      false,
                      'k'},
                     topology_option(),
                     listing_option(),
                     {"roles",
                      {"ROLES", ValueKind::words, {"ordered", "equal", "main+equal"}},
                      "ordered (default), equal, main+equal, or a word for each member: a,b,b"},
                     {"memory", "", "with the memory node of the shared memory"},
                     {"representatives",
                      {"R", count_value(1, most_representatives)},
                      "number of placements of each class; default: 1"},
                     help_option()};
  command.examples = {
      {"assay placements --members 3", "the classes of three members on this machine"},
      {"assay placements --topology 'pack:2 l3:2 core:4 pu:2'", "those of two members on a machine that is described"}};
  command.run = &run_placements;
  return command;
}

}  // namespace assay
