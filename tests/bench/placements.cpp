// SPDX-License-Identifier: Apache-2.0
// What enumerating placements costs: the classes of known machines, and every pair of a large one.
#include <chrono>
#include <iostream>

#include "platform/placement/placement_classes.hpp"
#include "platform/placement/placer.hpp"
#include "support/machines/machines.hpp"
#include "text_table.hpp"

namespace assay::bench {
namespace {

struct Machine {
  std::string name;
  MachineTree tree;
};

std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const char* text : {"pack:2 l3:8 core:8 pu:2", "pack:2 core:64 pu:2", "pack:2 numa:4 l3:2 core:8 pu:2",
                           "pack:2 core:96 pu:2", "pack:2 l3:12 core:8 pu:2", "pack:1 core:2 pu:1"})
    all.push_back({text, Topology::synthetic(text).tree()});
  using test::cpu;
  using test::object;
  using test::parts;
  const auto core = object("smt", parts({{2, cpu()}}));
  all.push_back({"hybrid 8 x 2 + 4 x 4",
                 test::tree_of(object("same-l3", parts({{8, object("smt", parts({{2, cpu("P")}}))},
                                                        {4, object("same-l2", parts({{4, cpu("E")}}))}})))});
  all.push_back({"cpuset 5 x 8 x 2 + 3 x 2",
                 test::tree_of(object("same-package", parts({{5, object("same-l3", parts({{8, core}}))},
                                                             {1, object("same-l3", parts({{3, core}}))}})))});
  return all;
}

template <class Call>
double milliseconds_of(const Call& call) {
  const auto from = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
}

/// Classes and the time to enumerate, name and represent them.
std::string cell(const MachineTree& tree, int members, const std::string& roles) {
  std::size_t classes = 0;
  const double took =
      milliseconds_of([&] { classes = PlacementClasses(tree, {.roles = parse_roles(roles, members)}).all().size(); });
  return std::to_string(classes) + " in " + decimal(took, 1);
}

void show_classes(bool markdown) {
  TextTable table{"Classes in milliseconds", {"machine"}, {}};
  const std::vector<std::pair<int, std::string>> wanted{
      {2, "ordered"}, {3, "ordered"}, {4, "ordered"}, {4, "main+equal"}, {4, "equal"}, {5, "main+equal"}, {6, "equal"}};
  for (const auto& [members, roles] : wanted) table.headings.push_back(std::to_string(members) + " " + roles);
  for (const Machine& machine : machines()) {
    std::vector<std::string> row{machine.name};
    for (const auto& [members, roles] : wanted) row.push_back(cell(machine.tree, members, roles));
    table.rows.push_back(row);
  }
  print(std::cout, table, markdown);
}

void show_targets(bool markdown) {
  TextTable table{"Against what was promised", {"task", "found", "ms", "at most", ""}, {}};
  const auto add = [&](const std::string& task, double most, const auto& call) {
    std::size_t found = 0;
    const double took = milliseconds_of([&] { found = call(); });
    table.rows.push_back(
        {task, std::to_string(found), decimal(took, 1), decimal(most, 0), took < most ? "met" : "MISSED"});
  };
  const Topology large = Topology::synthetic("pack:2 core:96 pu:2");
  add("classes of 4 on pack:2 core:96 pu:2", 50,
      [&] { return PlacementClasses(large.tree(), {.roles = parse_roles("ordered", 4)}).all().size(); });
  add("every ordered pair of its 384 CPUs, each with its class", 1000,
      [&] { return Placer(large, 1'000'000).all(2).size(); });
  const Topology caches = Topology::synthetic("pack:2 l3:12 core:8 pu:2");
  add("the same on pack:2 l3:12 core:8 pu:2", 1000, [&] { return Placer(caches, 1'000'000).all(2).size(); });
  print(std::cout, table, markdown);
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  const bool markdown = count > 1 && std::string_view(arguments[1]) == "--markdown";
  if (count > (markdown ? 2 : 1)) {
    std::cerr << "usage: placements [--markdown]\n";
    return 2;
  }
  assay::bench::show_classes(markdown);
  assay::bench::show_targets(markdown);
}
