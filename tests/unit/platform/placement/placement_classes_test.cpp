// SPDX-License-Identifier: Apache-2.0
// Classes of placements: known counts of known machines, agreement with brute force, names, representatives, distances.
#include "platform/placement/placement_classes.hpp"

#include <gmock/gmock-matchers.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "support/machines/machines.hpp"

namespace assay {
namespace {

using test::cpu;
using test::memory;
using test::object;
using test::parts;
using test::tree_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

MachineTree synthetic(const std::string& text) { return Topology::synthetic(text).tree(); }

MachineTree hybrid_tree() {
  const auto p_core = object("smt", parts({{2, cpu("P")}}));
  const auto e_cluster = object("same-l2", parts({{4, cpu("E")}}));
  return tree_of(object("same-l3", parts({{8, p_core}, {4, e_cluster}})));
}

MachineTree restricted() {
  const auto core = object("smt", parts({{2, cpu()}}));
  return tree_of(object(
      "same-package", parts({{5, object("same-l3", parts({{8, core}}))}, {1, object("same-l3", parts({{3, core}}))}})));
}

PlacementClasses classes(const MachineTree& tree, int members, const std::string& roles = "ordered",
                         bool with_memory = false) {
  return PlacementClasses(tree, {.roles = parse_roles(roles, members), .memory = with_memory});
}

std::size_t count(const MachineTree& tree, int members, const std::string& roles = "ordered") {
  return classes(tree, members, roles).all().size();
}

Names names(const PlacementClasses& found) {
  Names list;
  for (const PlacementClass& one : found.all()) list.push_back(one.name);
  return list;
}

double total(const PlacementClasses& found) {
  double sum = 0;
  for (const PlacementClass& one : found.all()) sum += one.tuples;
  return sum;
}

struct Row {
  MachineTree tree;
  std::size_t cpus;
  std::vector<std::size_t> two;    ///< ordered, with distinct CPUs
  std::vector<std::size_t> three;  ///< ordered, main and equal clients, all equal
  std::vector<std::size_t> four;
};

std::vector<Row> known_machines() {
  return {{synthetic("pack:2 l3:8 core:8 pu:2"), 256, {5, 4}, {33, 23, 13}, {271, 87, 45}},
          {synthetic("pack:2 core:64 pu:2"), 256, {4, 3}, {20, 14, 8}, {120, 40, 22}},
          {synthetic("pack:2 numa:4 l3:2 core:8 pu:2"), 256, {6, 5}, {48, 33, 18}, {480, 148, 73}},
          {hybrid_tree(), 32, {8, 6}, {41, 29, 17}, {255, 87, 45}},
          {restricted(), 86, {9, 7}, {53, 37, 21}, {387, 125, 62}},
          {synthetic("pack:1 core:2 pu:1"), 2, {2, 1}, {4, 3, 2}, {8, 4, 3}}};
}

TEST(PlacementClasses, CountsOfKnownMachines) {
  for (const Row& row : known_machines()) {
    const auto pairs = classes(row.tree, 2);
    EXPECT_EQ(pairs.all().size(), row.two[0]) << row.cpus;
    EXPECT_EQ(std::ranges::count(pairs.all(), false, &PlacementClass::shares_cpu),
              static_cast<std::ptrdiff_t>(row.two[1]));
    for (const auto& [members, expected] : {std::pair(3, row.three), std::pair(4, row.four)})
      EXPECT_THAT((std::vector{count(row.tree, members), count(row.tree, members, "main+equal"),
                               count(row.tree, members, "equal")}),
                  expected)
          << row.cpus << " CPUs, " << members << " members";
  }
}

TEST(PlacementClasses, EveryPlacementIsInOneOfThem) {
  for (const Row& row : known_machines())
    for (int members = 1; members <= 4; ++members)
      for (const char* roles : {"ordered", "main+equal", "equal"})
        EXPECT_EQ(total(classes(row.tree, members, roles)), std::pow(row.cpus, members)) << row.cpus << roles;
  const double six = std::pow(256.0, 6);
  EXPECT_NEAR(total(classes(synthetic("pack:2 l3:8 core:8 pu:2"), 6, "equal")) / six, 1, 1e-12);
}

/// Small trees: with and without symmetry, several kinds, memory beside every kind of object.
std::vector<MachineTree> small_trees() {
  const auto core = object("smt", parts({{2, cpu()}}));
  const auto big = object("smt", parts({{2, cpu("big")}}));
  const auto package = object("same-package", parts({{1, memory()}, {2, core}}));
  auto two_types = object("same-package", parts({{1, memory("hbm")}, {1, memory("ddr")}, {2, cpu()}}));
  return {tree_of(cpu()),
          tree_of(object("same-package", parts({{1, memory()}, {3, cpu()}}))),
          tree_of(object("cross-package", parts({{2, package}}))),
          tree_of(object("cross-package", parts({{1, package}, {1, object("same-package", parts({{1, core}}))}}))),
          tree_of(object("same-l3", parts({{2, big}, {1, object("same-l2", parts({{2, cpu("little")}}))}}))),
          tree_of(object("cross-package", parts({{2, two_types}}))),
          tree_of(object("cross-package", parts({{2, package}, {1, memory()}}))),
          tree_of(object("same-l3", parts({{3, core}, {1, cpu()}})))};
}

/// Brute force and enumeration divide the placements in the same way.
void expect_same_classes(const MachineTree& tree, int members, const std::string& roles, bool with_memory) {
  const auto found = classes(tree, members, roles, with_memory);
  const test::Orbits orbits(tree, parse_roles(roles, members), with_memory);
  const auto sizes = orbits.sizes();
  ASSERT_EQ(found.all().size(), sizes.size()) << roles << members << with_memory;
  std::map<std::size_t, std::size_t> class_of;
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < orbits.placements().size(); ++i) {
    const std::size_t one = found.find(orbits.placements()[i]);
    const auto [known, is_new] = class_of.emplace(orbits.orbit_of(i), one);
    ASSERT_EQ(known->second, one);
    if (is_new) {
      ASSERT_TRUE(seen.insert(one).second);
      EXPECT_EQ(found.all()[one].tuples, sizes.at(orbits.orbit_of(i)));
    }
  }
}

TEST(PlacementClasses, AgreeWithBruteForce) {
  for (const MachineTree& tree : small_trees())
    for (int members = 1; members <= 4; ++members)
      for (const char* roles : {"ordered", "main+equal", "equal"}) expect_same_classes(tree, members, roles, false);
  for (const MachineTree& tree : small_trees()) expect_same_classes(tree, 4, "a,b,b,a", false);
}

TEST(PlacementClasses, AgreeWithBruteForceWithAMemoryHome) {
  for (const MachineTree& tree : small_trees()) {
    if (TreePaths(tree).memories().empty()) continue;
    for (int members = 1; members <= 3; ++members)
      for (const char* roles : {"ordered", "equal"}) expect_same_classes(tree, members, roles, true);
  }
}

TEST(PlacementClasses, PairsHaveTheKnownWords) {
  for (const char* machine : {"pack:2 numa:2 l3:2 l2:2 core:2 pu:2", "pack:2 l3:8 core:8 pu:2", "pack:1 core:2 pu:1"}) {
    const Topology topology = Topology::synthetic(machine);
    const auto pairs = classes(topology.tree(), 2);
    for (const int a : topology.usable())
      for (const int b : topology.usable())
        EXPECT_EQ(pairs.all()[pairs.find({{a, b}, -1})].name, topology.relation(a, b)) << a << " " << b;
  }
}

TEST(PlacementClasses, NamesSayKinds) {
  EXPECT_THAT(names(classes(hybrid_tree(), 2)), ElementsAre("same-pu:P", "same-pu:E", "smt:P", "same-l2:E",
                                                            "same-l3:P/E", "same-l3:E/P", "same-l3:P", "same-l3:E"));
  EXPECT_THAT(names(classes(hybrid_tree(), 1)), ElementsAre("bound:P", "bound:E"));
}

TEST(PlacementClasses, LevelsThatAddNoSharingAreNoDifference) {
  const auto core = object("smt", parts({{2, cpu()}}));
  const auto tree = tree_of(object("same-package", {object("same-l3", {object("same-l2", {core}), core})}));
  EXPECT_EQ(tree.nodes.size(), 7U);
  EXPECT_THAT(names(classes(tree, 2)), ElementsAre("same-pu", "smt", "same-l3"));
}

TEST(PlacementClasses, NamesOfMoreThanTwoAreNested) {
  EXPECT_THAT(
      names(classes(synthetic("pack:2 core:2 pu:2"), 3, "equal")),
      ElementsAre("same-pu", "smt(same-pu(0/1)/2)", "same-package(same-pu(0/1)/2)", "same-package(smt(0/1)/2)",
                  "cross-package(same-pu(0/1)/2)", "cross-package(smt(0/1)/2)", "cross-package(same-package(0/1)/2)"));
}

TEST(PlacementClasses, WhatDiffersByTheCutIsNumberedFromTheMostNumerous) {
  EXPECT_THAT(names(classes(restricted(), 2)),
              ElementsAre("same-pu", "same-pu~2", "smt", "smt~2", "same-l3", "same-l3~2", "same-package",
                          "same-package~2", "same-package~3"));
}

TEST(PlacementClasses, NamesSayWhereTheMemoryIs) {
  EXPECT_THAT(
      names(classes(synthetic("pack:3 [numa] core:1 pu:1"), 2, "ordered", true)),
      ElementsAre("same-pu@memory=local", "same-pu@memory=cross-package", "cross-package@memory=local/cross-package",
                  "cross-package@memory=cross-package/local", "cross-package@memory=cross-package"));
}

TEST(PlacementClasses, NamesAreUnique) {
  for (const Row& row : known_machines())
    for (int members = 1; members <= 4; ++members) {
      const auto list = names(classes(row.tree, members));
      EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
    }
}

TEST(PlacementClasses, RepresentativesAreOfTheirClassAndDiffer) {
  for (const Row& row : known_machines()) {
    const auto found = classes(row.tree, 3);
    for (std::size_t i = 0; i < found.all().size(); ++i) {
      const auto some = found.representatives(i, 4);
      EXPECT_EQ(static_cast<double>(some.size()), std::min(4.0, found.all()[i].tuples)) << found.all()[i].name;
      for (const Seats& seats : some) {
        EXPECT_EQ(found.find(seats), i);
        EXPECT_EQ(std::ranges::count(some, seats), 1);
      }
    }
  }
}

TEST(PlacementClasses, RepresentativesAvoidTheCoreOfCpu0) {
  const Topology topology = Topology::synthetic("pack:2 l3:8 core:8 pu:2");
  const auto found = classes(topology.tree(), 4);
  for (std::size_t i = 0; i < found.all().size(); ++i)
    for (const Seats& seats : found.representatives(i, 3))
      for (const int one : seats.cpus) EXPECT_GT(one, 1) << found.all()[i].name;
  const auto both = classes(synthetic("pack:1 core:2 pu:2"), 2);
  EXPECT_EQ(both.representatives(both.find({{0, 2}, -1}), 1).at(0).cpus, (std::vector<int>{1, 2}));
}

TEST(PlacementClasses, RepresentativesAreSpreadOverTheMachine) {
  const auto pairs = classes(synthetic("pack:2 l3:8 core:8 pu:2"), 2);
  const auto some = pairs.representatives(pairs.find({{2, 4}, -1}), 4);
  std::set<int> caches;
  for (const Seats& seats : some) caches.insert(seats.cpus[0] / 16);
  EXPECT_EQ(caches.size(), 4U);
  EXPECT_EQ(some[0].cpus, (std::vector<int>{2, 4}));
  EXPECT_GE(some[1].cpus[0], 128);
}

/// Four packages in a ring: neighbours are nearer than those opposite, which no tree says.
MachineTree ring() {
  MachineTree tree =
      tree_of(object("cross-package", parts({{4, object("same-package", parts({{1, memory()}, {2, cpu()}}))}})));
  tree.distances = {{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}};
  return tree;
}

TEST(PlacementClasses, DistancesThatAreNoTreeSplitClasses) {
  const auto pairs = classes(ring(), 2);
  EXPECT_THAT(names(pairs), ElementsAre("same-pu", "same-package", "cross-package~d20", "cross-package~d30"));
  EXPECT_EQ(total(pairs), 64);
  EXPECT_EQ(pairs.all()[2].tuples, 32);
  EXPECT_EQ(pairs.all()[3].tuples, 16);
  EXPECT_EQ(pairs.find({{0, 4}, -1}), 3U);
  EXPECT_EQ(pairs.find({{0, 6}, -1}), 2U);
  for (std::size_t i = 0; i < 4; ++i)
    for (const Seats& seats : pairs.representatives(i, 5)) EXPECT_EQ(pairs.find(seats), i);
  EXPECT_EQ(pairs.representatives(3, 5).size(), 5U);
}

TEST(PlacementClasses, DistancesOfARingForThreeAndForAMemoryHome) {
  // All in one package: 4. Two in one, a neighbour's or the opposite third: 2 x 3 x 2. In three: 3 for who is opposite.
  EXPECT_EQ(count(ring(), 3, "ordered"), 19U);
  EXPECT_EQ(total(classes(ring(), 3, "equal")), 512);
  const auto homes = classes(ring(), 1, "ordered", true);
  EXPECT_EQ(homes.all().size(), 3U);
  EXPECT_EQ(total(homes), 32);
}

TEST(PlacementClasses, DistancesThatFollowTheTreeChangeNothing) {
  MachineTree tree = ring();
  tree.distances = {{10, 21, 21, 21}, {21, 10, 21, 21}, {21, 21, 10, 21}, {21, 21, 21, 10}};
  EXPECT_THAT(names(classes(tree, 2)), ElementsAre("same-pu", "same-package", "cross-package"));
}

TEST(PlacementClasses, RolesAreReadAndRefused) {
  EXPECT_THAT(parse_roles("ordered", 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(parse_roles("equal", 3), ElementsAre(0, 0, 0));
  EXPECT_THAT(parse_roles("main+equal", 3), ElementsAre(0, 1, 1));
  EXPECT_THAT(parse_roles("x, y,x", 3), ElementsAre(0, 1, 0));
  EXPECT_THROW(parse_roles("a,b", 3), ConfigError);
  EXPECT_THROW(parse_roles("a,,b", 3), ConfigError);
  EXPECT_THROW(parse_roles("", 1), ConfigError);
}

TEST(PlacementClasses, RefusesWhatCannotBeEnumerated) {
  const auto tree = synthetic("pack:2 l3:8 core:8 pu:2");
  EXPECT_THROW(PlacementClasses(tree, {.roles = {}}), std::invalid_argument);
  EXPECT_THROW(PlacementClasses(tree, {.roles = std::vector<int>(7, 0)}), std::invalid_argument);
  EXPECT_THROW(PlacementClasses(tree, {.roles = parse_roles("ordered", 4), .most = 270}), std::length_error);
  EXPECT_NO_THROW(PlacementClasses(tree, {.roles = parse_roles("ordered", 4), .most = 271}));
  EXPECT_THROW(classes(hybrid_tree(), 2, "ordered", true), std::out_of_range) << "no memory nodes";
  EXPECT_THROW(classes(tree, 2).find({{0, 256}, -1}), std::out_of_range);
}

}  // namespace
}  // namespace assay
