// SPDX-License-Identifier: Apache-2.0
// Placements of a series on synthetic machines: representatives, names, lists, and what is impossible.
#include "app/placements.hpp"

#include "plan_fixture.hpp"

namespace assay::test {
namespace {

using PlacementsTest = PlanTest;

std::vector<std::string> placement_names(const SeriesPlan& series) {
  std::vector<std::string> names;
  for (const FactorDomain& factor : series.factors)
    if (factor.name == "placement")
      for (const Value& level : factor.domain.levels) names.push_back(std::get<std::string>(level));
  return names;
}

using Names = std::vector<std::string>;

TEST_F(PlacementsTest, RepresentativeIsWhatTheMachineHas) {
  const auto one = series("");
  EXPECT_EQ(placement_names(one), placement_words(topology_, 2));
  EXPECT_EQ(one.placements.size(), placement_names(one).size());
  EXPECT_TRUE(one.refused.empty()) << "what the machine lacks was not asked for";
}

TEST_F(PlacementsTest, OneCpuLeavesUnboundAndSamePu) {
  topology_ = Topology::synthetic("pack:1 core:1 pu:1");
  EXPECT_EQ(placement_names(series("")), (Names{"unbound", "same-pu"}));
}

TEST_F(PlacementsTest, NamesAndListsInTheOrderWritten) {
  const auto one = series("placement = 0+1, unbound, smt, 0+1\n");
  EXPECT_EQ(placement_names(one), (Names{"0+1", "unbound", "smt"}));
  ASSERT_EQ(one.placements.size(), 3U);
  EXPECT_EQ(one.placements[0].name, "0+1");
  EXPECT_EQ(one.placements[0].cpus, (std::vector<int>{0, 1}));
  EXPECT_FALSE(one.placements[1].bound());
}

TEST_F(PlacementsTest, RepresentativeAndFurtherOnes) {
  const auto names = placement_names(series("placement = representative, 2+5, unbound\n"));
  EXPECT_EQ(names.size(), placement_words(topology_, 2).size() + 1);
  EXPECT_EQ(names.back(), "2+5");
}

TEST_F(PlacementsTest, AllIsEveryPairOrEveryCpu) {
  EXPECT_EQ(placement_names(series("placement = all\n")).size(), 8U * 7U / 2U);
  const auto solo = load("[series.one]\nmeasurement = demo/solo\nplacement = all\n").series.at(0);
  EXPECT_EQ(placement_names(solo).size(), 8U);
  EXPECT_EQ(problem("members = 3\nplacement = all\n", "demo/team"),
            "test.ini:4:13: error: placement 'all' is for one or two members; list the CPUs by rank, as in 0+1+2");
}

TEST_F(PlacementsTest, EveryNumberOfMembersHasItsOwn) {
  const auto team =
      load("[series.one]\nmeasurement = demo/team\nmembers = 1, 2, 4\nplacement = bound, same-pu\n").series.at(0);
  ASSERT_EQ(team.placements.size(), 3U);
  EXPECT_EQ(team.placements[0].cpus.size(), 1U);
  EXPECT_EQ(team.placements[1].cpus.size(), 2U);
  EXPECT_EQ(team.placements[2].cpus.size(), 4U);
}

TEST_F(PlacementsTest, WhatOnlySomeNumbersCanHaveIsKeptForThem) {
  const auto team = load("[series.one]\nmeasurement = demo/team\nmembers = 2, 4\nplacement = smt\n").series.at(0);
  ASSERT_EQ(team.placements.size(), 1U);
  EXPECT_EQ(team.placements[0].cpus.size(), 2U);
  ASSERT_EQ(team.refused.size(), 1U);
  EXPECT_TRUE(team.refused[0].starts_with("smt for 4 members: ")) << team.refused[0];
}

TEST_F(PlacementsTest, AClassTheMachineLacksIsTheEnvironments) {
  const auto found = problem("placement = smt, cross-package\n");
  EXPECT_TRUE(
      found.starts_with("test.ini:3:18: error: this machine cannot have placement 'cross-package'; 2 members: "))
      << found;
  EXPECT_NE(found.find("usable are 0-7"), found.npos) << found;
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(PlacementsTest, ACpuTheMachineLacksIsTheEnvironments) {
  EXPECT_TRUE(
      problem("placement = 0+64\n").starts_with("test.ini:3:13: error: this machine cannot have placement '0+64'"));
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(PlacementsTest, MistakesAreTheUsers) {
  EXPECT_EQ(problem("placement = smt, same-l33\n"),
            "test.ini:3:18: error: unknown placement 'same-l33'; did you mean 'same-l3'?");
  EXPECT_EQ(problem("placement = 0+1+2\n"),
            "test.ini:3:13: error: impossible placement '0+1+2'; the list names 3 CPUs for 2 members; choose another");
  EXPECT_EQ(
      problem("placement = bound\n"),
      "test.ini:3:13: error: impossible placement 'bound'; 'bound' is for one member; there are 2 members; choose "
      "another");
  EXPECT_EQ(
      problem("placement = smt\n", "demo/solo"),
      "test.ini:3:13: error: impossible placement 'smt'; 'smt' relates members to each other; there is one member; "
      "choose another");
  EXPECT_EQ(exit_code_, 2);
  EXPECT_TRUE(problem("placement = smt,\n").starts_with("test.ini:3:17: error: placement: "));
}

}  // namespace
}  // namespace assay::test
