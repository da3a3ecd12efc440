// SPDX-License-Identifier: Apache-2.0
// CPUs grouped by core and by part.
#include "platform/placement/machine_parts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "platform/topology/machine_tree.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

struct PartWord {
  std::string_view each;
  std::string_view name;
};
constexpr std::array<PartWord, 2> part_words{{{"each-numa", "numa"}, {"each-package", "package"}}};

std::size_t position_of(const std::string& relation) {
  const auto& all = Topology::relations();
  return static_cast<std::size_t>(std::ranges::find(all, relation) - all.begin());
}

// CPUs that are so near to each other, as lists in the order of the hardware: relations nest.
std::vector<std::vector<int>> grouped(const TreePaths& paths, const std::vector<int>& cpus, const char* relation) {
  const std::size_t limit = position_of(relation);
  std::vector<std::vector<int>> groups;
  for (const int cpu : cpus) {
    const auto holds = [&](const std::vector<int>& group) { return paths.relation(group.front(), cpu) <= limit; };
    const auto found = std::ranges::find_if(groups, holds);
    (found == groups.end() ? groups.emplace_back() : *found).push_back(cpu);
  }
  return groups;
}

std::map<int, std::vector<int>> by_memory(const TreePaths& paths) {
  std::map<int, std::vector<int>> groups;
  for (const int cpu : paths.cpus()) groups[std::max(0, paths.local_memory(cpu))].push_back(cpu);
  return groups;
}

std::map<int, std::vector<int>> by_package(const TreePaths& paths) {
  std::map<int, std::vector<int>> groups;
  for (auto& group : grouped(paths, paths.cpus(), "same-package"))
    groups.emplace(static_cast<int>(groups.size()), std::move(group));
  return groups;
}

std::string_view name_of(PartKind kind) { return part_words.at(static_cast<std::size_t>(kind)).name; }

}  // namespace

std::size_t MachinePart::cpus() const {
  std::size_t count = 0;
  for (const auto& core : cores) count += core.size();
  return count;
}

std::vector<MachinePart> machine_parts(const Topology& topology, PartKind kind) {
  const MachineTree tree = topology.tree();
  const TreePaths paths(tree);
  std::vector<MachinePart> parts;
  for (const auto& [number, cpus] : kind == PartKind::numa ? by_memory(paths) : by_package(paths))
    parts.push_back({std::string(name_of(kind)) + std::to_string(number), grouped(paths, cpus, "smt")});
  return parts;
}

std::optional<PartKind> part_kind(std::string_view word) {
  const auto* const found = std::ranges::find(part_words, word, &PartWord::each);
  if (found == part_words.end()) return std::nullopt;
  return static_cast<PartKind>(found - part_words.begin());
}

bool is_part_name(std::string_view word) {
  return std::ranges::any_of(part_words, [&](const PartWord& one) {
    return word.starts_with(one.name) && is_whole_number(std::string(word.substr(one.name.size())));
  });
}

PlacementChoice place_in_part(const Topology& topology, std::string_view name, int members) {
  for (const PartKind kind : {PartKind::numa, PartKind::package}) {
    std::vector<MachinePart> parts = machine_parts(topology, kind);
    const auto found = std::ranges::find(parts, name, &MachinePart::name);
    if (found == parts.end()) continue;
    if (std::cmp_greater(members, found->cpus()))
      return {std::nullopt, found->name + " has " + std::to_string(found->cpus()) + " usable CPUs"};
    const auto has_first = [](const std::vector<int>& core) { return std::ranges::find(core, 0) != core.end(); };
    std::ranges::stable_partition(found->cores, std::not_fn(has_first));
    std::vector<int> cpus;
    for (std::size_t thread = 0; std::cmp_less(cpus.size(), members); ++thread)
      for (const auto& core : found->cores)
        if (thread < core.size() && std::cmp_less(cpus.size(), members)) cpus.push_back(core[thread]);
    return {Placement{std::string(name), std::move(cpus)}, {}};
  }
  return {std::nullopt, "this machine has no part of that name"};
}

std::size_t usable_cores(const Topology& topology) {
  std::size_t count = 0;
  for (const MachinePart& part : machine_parts(topology, PartKind::package)) count += part.cores.size();
  return count;
}

}  // namespace assay
