// SPDX-License-Identifier: Apache-2.0
// Switches from a topology.conf and from host names, and what is said of a file that is wrong.
#include "app/cluster/fabric_file.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& text, const std::vector<std::string>& nodes) {
  try {
    fabric_from_text("topology.conf", text, nodes);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(HostLists, AreExpandedAsSlurmDoes) {
  EXPECT_THAT(hosts_in("n[0-2,07],login"), ElementsAre("n0", "n1", "n2", "n07", "login"));
  EXPECT_THAT(hosts_in("r[1-2]n[08-10]x"), ElementsAre("r1n08x", "r1n09x", "r1n10x", "r2n08x", "r2n09x", "r2n10x"));
  EXPECT_TRUE(hosts_in("").empty());
  EXPECT_THROW(hosts_in("n[3-1]"), std::invalid_argument);
  EXPECT_THROW(hosts_in("n[1"), std::invalid_argument);
  EXPECT_THROW(hosts_in("n[a]"), std::invalid_argument);
  EXPECT_THROW(hosts_in("n[0-99999999]"), std::invalid_argument);
}

TEST(FabricFile, SwitchesAreLeavesAndWhatConnectsThemIsNoGroup) {
  const NamedFabric two =
      fabric_from_text("t",
                       "# comment\nSwitchName=s0 Nodes=n[0-3] LinkSpeed=100\nswitchname=s1 nodes=n[4-7]\n"
                       "SwitchName=top Switches=s[0-1]\n",
                       {"n5", "n0", "n1"});
  EXPECT_THAT(two.leaves, ElementsAre("s1", "s0"));
  EXPECT_EQ(two.fabric.leaf_of(0), 0U);
  EXPECT_EQ(two.fabric.leaf_of(2), 1U);
  EXPECT_FALSE(two.fabric.has_groups());
  EXPECT_EQ(name_of(two, {UnitKind::leaf, 1, 0}), "switch s0 (n0, n1)");
  EXPECT_EQ(name_of(two, {UnitKind::pair, 0, 2}), "link n5 - n1");
}

TEST(FabricFile, SwitchesInBetweenAreGroups) {
  const NamedFabric tree = fabric_from_text("t",
                                            "SwitchName=a Nodes=n0\nSwitchName=b Nodes=n1\nSwitchName=c Nodes=n2\n"
                                            "SwitchName=west Switches=a,b\nSwitchName=east Switches=c\n"
                                            "SwitchName=top Switches=west,east\n",
                                            {"n0", "n1", "n2"});
  EXPECT_TRUE(tree.fabric.has_groups());
  EXPECT_EQ(tree.fabric.distance(0, 1), 1U);
  EXPECT_EQ(tree.fabric.distance(0, 2), 2U);
  EXPECT_EQ(name_of(tree, {UnitKind::trunk, 0, 1}), "links between groups west - east");
}

TEST(FabricFile, ErrorsSayWhereWhatAndWhy) {
  EXPECT_THAT(error_of("\nSwitchName=s0 Nodes=n[0-\n", {"n0"}), HasSubstr("topology.conf:2"));
  EXPECT_THAT(error_of("SwitchName=s0 Nodes=n0\nSwitchName=top Switches=s9\n", {"n0"}),
              testing::AllOf(HasSubstr("topology.conf:2"), HasSubstr("s9")));
  EXPECT_THAT(error_of("SwitchName=s0 Nodes=n0\nSwitchName=s1 Nodes=n0\n", {"n0"}), HasSubstr("under two switches"));
  EXPECT_THAT(error_of("SwitchName=s0 Nodes=n0\n", {"n0", "n7"}), HasSubstr("1 of the nodes measured"));
}

TEST(FabricFile, HostNamesSaySwitchAndGroup) {
  const NamedFabric named = fabric_from_names({"r1c0n0", "r1c0n1", "r1c1n0", "r2c0n0"});
  EXPECT_EQ(named.fabric.distance(0, 1), 0U);
  EXPECT_EQ(named.fabric.distance(0, 2), 1U);
  EXPECT_EQ(named.fabric.distance(0, 3), 2U);
  EXPECT_FALSE(fabric_from_names({"n0", "n1"}).fabric.has_leaves());
  EXPECT_EQ(unknown_fabric({"a", "b"}).fabric.nodes(), 2U);
}

}  // namespace
}  // namespace assay
