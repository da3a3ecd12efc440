// SPDX-License-Identifier: Apache-2.0
// Memory nodes and packages as places for all members.
#include "platform/placement/machine_parts.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<MachinePart>& parts) {
  std::vector<std::string> names;
  for (const MachinePart& part : parts) names.push_back(part.name);
  return names;
}

std::vector<int> placed_in(const std::string& machine, const std::string& part, int members) {
  const auto choice = place_in_part(Topology::synthetic(machine), part, members);
  return choice.placement ? choice.placement->cpus : std::vector<int>();
}

TEST(MachineParts, AreMemoryNodesAndPackages) {
  const Topology two = Topology::synthetic("pack:2 [numa] core:2 pu:2");
  EXPECT_THAT(names_of(machine_parts(two, PartKind::numa)), ElementsAre("numa0", "numa1"));
  EXPECT_THAT(names_of(machine_parts(two, PartKind::package)), ElementsAre("package0", "package1"));
  const Topology four = Topology::synthetic("pack:2 group:2 [numa] l3:2 core:2 pu:1");
  EXPECT_THAT(names_of(machine_parts(four, PartKind::numa)), ElementsAre("numa0", "numa1", "numa2", "numa3"));
  EXPECT_THAT(names_of(machine_parts(four, PartKind::package)), ElementsAre("package0", "package1"));
  EXPECT_EQ(machine_parts(four, PartKind::numa)[1].cores.size(), 4U);
  EXPECT_EQ(machine_parts(four, PartKind::package)[1].cpus(), 8U);
  EXPECT_EQ(usable_cores(two), 4U);
  EXPECT_EQ(machine_parts(two, PartKind::package)[1].cpus(), 4U);
}

TEST(MachineParts, MembersHaveCoresOfTheirOwnFirst) {
  const std::string machine = "pack:2 [numa] core:3 pu:2";
  EXPECT_THAT(placed_in(machine, "package1", 3), ElementsAre(6, 8, 10));
  EXPECT_THAT(placed_in(machine, "numa1", 4), ElementsAre(6, 8, 10, 7));
  EXPECT_THAT(placed_in(machine, "package0", 1), ElementsAre(2)) << "off the core of CPU 0";
  EXPECT_THAT(placed_in(machine, "package0", 3), ElementsAre(2, 4, 0));
}

TEST(MachineParts, WhatIsNotThereIsRefused) {
  const Topology machine = Topology::synthetic("pack:2 [numa] core:3 pu:2");
  EXPECT_THAT(place_in_part(machine, "numa1", 7).why_not, HasSubstr("6 usable CPUs"));
  EXPECT_THAT(place_in_part(machine, "numa2", 1).why_not, HasSubstr("no part of that name"));
  EXPECT_THAT(placed_in("core:2 pu:1", "package0", 2), ElementsAre(1, 0)) << "a machine without packages is one";
}

TEST(MachineParts, HaveWords) {
  EXPECT_EQ(part_kind("each-numa"), PartKind::numa);
  EXPECT_EQ(part_kind("each-package"), PartKind::package);
  EXPECT_FALSE(part_kind("each-core"));
  EXPECT_TRUE(is_part_name("numa0") && is_part_name("package12"));
  for (const char* word : {"numa", "package-1", "numa1x", "node1", ""}) EXPECT_FALSE(is_part_name(word)) << word;
  EXPECT_TRUE(is_placement_word("package1") && is_placement_word("numa1@memory=0"));
}

}  // namespace
}  // namespace assay
