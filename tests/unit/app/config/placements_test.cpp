// SPDX-License-Identifier: Apache-2.0
// Placements of a series on synthetic machines: representatives, names, lists, and what is impossible.
#include "app/config/placements.hpp"

#include "unit/app/plan_fixture.hpp"

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
  const auto one = series("placement = 0+1, unbound, smt\n");
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

TEST_F(PlacementsTest, AllIsEveryOrderOfDifferentCpus) {
  EXPECT_EQ(placement_names(series("placement = all\n")).size(), 8U * 7U);
  const auto solo = load("[series.one]\nmeasurement = demo/solo\nplacement = all\n").series.at(0);
  EXPECT_EQ(placement_names(solo).size(), 8U);
  const auto three = load("[series.one]\nmeasurement = demo/team\nmembers = 3\nplacement = all\n").series.at(0);
  EXPECT_EQ(three.placements.size(), 8U * 7 * 6);
}

TEST_F(PlacementsTest, AllNeedsACpuForEachMember) {
  topology_ = Topology::synthetic("pack:1 core:1 pu:1");
  EXPECT_EQ(place(Mistake{"placement = all\n", ""}), "3:13");
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(PlacementsTest, ClassesAreEveryClass) {
  EXPECT_EQ(placement_names(series("placement = classes\n")), (Names{"same-pu", "smt", "same-l3", "same-package"}));
  const auto three = load("[series.one]\nmeasurement = demo/team\nmembers = 3\nplacement = classes\n").series.at(0);
  EXPECT_EQ(placement_names(three).size(), 19U);
  EXPECT_EQ(three.placements[0].group, "same-pu");
}

TEST_F(PlacementsTest, RepresentativesOfEachClass) {
  EXPECT_EQ(placement_names(series("placement = smt, 0+2\nrepresentatives = 3\n")),
            (Names{"smt", "smt@4+5", "smt@6+7", "0+2"}));
  const auto classes = series("placement = classes\nrepresentatives = 2\n");
  EXPECT_EQ(classes.placements.size(), 8U);
  EXPECT_EQ(classes.placements[1].group, "same-pu");
  EXPECT_EQ(placement_names(series("placement = smt, classes\n")).size(), 4U) << "each name once";
}

TEST_F(PlacementsTest, HomesOfMemory) {
  topology_ = Topology::synthetic("pack:2 [numa] core:2 pu:1");
  EXPECT_EQ(placement_names(series("placement = representative@memory=1\n")),
            (Names{"unbound@memory=1", "same-pu@memory=1", "same-package@memory=1", "cross-package@memory=1"}));
  EXPECT_EQ(placement_names(series("placement = classes@memory\n")).size(), 6U);
  const auto one = series("placement = classes@memory=0\n");
  EXPECT_EQ(placement_names(one).size(), 3U);
  EXPECT_EQ(one.placements[0].memory, 0);
  expect_places(std::vector{Mistake{"placement = same-pu@memory=5\n", "3:13"}}, 3);
}

TEST_F(PlacementsTest, EachPartOfTheMachineHasOne) {
  topology_ = Topology::synthetic("pack:2 [numa] core:3 pu:2");
  const auto one =
      load("[series.one]\nmeasurement = demo/team\nmembers = numa\nplacement = each-numa, package1\n").series.at(0);
  EXPECT_EQ(placement_names(one), (Names{"numa0", "numa1", "package1"}));
  ASSERT_EQ(one.placements.size(), 3U);
  EXPECT_EQ(one.placements[1].cpus, (std::vector<int>{6, 8, 10}));
  const auto all = load("[series.one]\nmeasurement = demo/team\nmembers = cores\n").series.at(0);
  const auto members = std::ranges::find(all.factors, "members", &FactorDomain::name);
  ASSERT_NE(members, all.factors.end());
  EXPECT_EQ(members->domain.levels, (std::vector<Value>{std::int64_t{6}}));
  const auto some =
      load("[series.one]\nmeasurement = demo/team\nmembers = 2, 7\nplacement = each-package\n").series.at(0);
  EXPECT_EQ(placement_names(some), (Names{"package0", "package1"}));
  EXPECT_EQ(some.refused.size(), 2U) << "for seven members";
  topology_ = Topology::synthetic("pack:2 [numa] core:1 pu:1");
  EXPECT_EQ(place(Mistake{"placement = each-numa\n", ""}), "3:13") << "two members, and a CPU in each";
  EXPECT_EQ(exit_code_, 3);
}

TEST_F(PlacementsTest, ResolvedLevelsGiveTheSamePlacements) {
  for (const char* lines : {"placement = classes\nrepresentatives = 3\n", "placement = close, spread, all\n",
                            "placement = classes@memory\n", "placement = smt@memory=0\n", "placement = each-numa\n"}) {
    const auto plan = load_series(lines);
    const auto again = load(plan.configuration);
    EXPECT_EQ(again.series.at(0).placements, plan.series.at(0).placements) << lines;
    EXPECT_EQ(placement_names(again.series.at(0)), placement_names(plan.series.at(0)));
  }
}

TEST_F(PlacementsTest, AreThereForEveryNumberThatRefiningCanAdd) {
  const auto team =
      load("[series.one]\nmeasurement = demo/team\nmembers = 2, 12 refine 5% multipleof 2\nplacement = same-pu\n")
          .series.at(0);
  for (const int members : {2, 4, 6, 8, 10, 12})
    EXPECT_NE(team.placements.find("same-pu", members), nullptr) << members;
  EXPECT_EQ(team.placements.find("same-pu", 3), nullptr) << "never a level";
  EXPECT_EQ(team.placements.size(), 6U);
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
  EXPECT_TRUE(team.refused[0].starts_with("smt for 4 ")) << team.refused[0];
}

TEST_F(PlacementsTest, WhatTheMachineLacksIsTheEnvironments) { expect_places(machine_lacks, 3); }

TEST_F(PlacementsTest, MistakesAreTheUsers) { expect_places(placement_mistakes); }

}  // namespace
}  // namespace assay::test
