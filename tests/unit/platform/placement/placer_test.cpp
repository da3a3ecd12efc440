// SPDX-License-Identifier: Apache-2.0
// Words of placements on synthetic machines: classes, representatives, homes of memory, all ways; near and far.
#include "platform/placement/placer.hpp"

#include <gmock/gmock-matchers.h>

#include <set>

#include "support/machines/machines.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using Cpus = std::vector<int>;

class PlacerTest : public testing::Test {
 protected:
  Placer& on(const std::string& machine, std::size_t most = 4096) {
    topology_ = std::make_unique<Topology>(Topology::synthetic(machine));
    placer_ = std::make_unique<Placer>(*topology_, most);
    return *placer_;
  }
  Placement placed(const std::string& word, int members) {
    const auto choice = placer_->place(word, members);
    EXPECT_TRUE(choice.placement) << word << ": " << choice.why_not;
    return choice.placement.value_or(Placement{});
  }
  std::string refusal(const std::string& word, int members) { return placer_->place(word, members).why_not; }
  static std::vector<std::string> names(const std::vector<Placement>& list) {
    std::vector<std::string> names;
    for (const Placement& one : list) names.push_back(one.name);
    return names;
  }

  std::unique_ptr<Topology> topology_;
  std::unique_ptr<Placer> placer_;
};

TEST_F(PlacerTest, KnownWordsAreWhereTheyWere) {
  on("pack:2 l3:8 core:8 pu:2");
  for (const std::string& word : placement_words(*topology_, 2)) {
    const Placement now = placed(word, 2);
    EXPECT_EQ(now.cpus, place(*topology_, word, 2).placement->cpus);
    EXPECT_EQ(now.group, word == "unbound" ? "" : word);
  }
}

TEST_F(PlacerTest, AClassStandsWhereItsWordDoes) {
  Placer& placer = on("pack:2 l3:8 core:8 pu:2");
  const auto classes = placer.classes(2, false, 1);
  EXPECT_THAT(names(classes), ElementsAre("same-pu", "smt", "same-l3", "same-package", "cross-package"));
  for (const Placement& one : classes) EXPECT_EQ(one.cpus, placed(one.name, 2).cpus) << one.name;
}

TEST_F(PlacerTest, EveryNameReadsBack) {
  Placer& placer = on("pack:2 [numa] l3:2 core:2 pu:2");
  std::set<std::string> seen;
  for (const int members : {1, 2, 3})
    for (const bool memory : {false, true})
      for (const Placement& one : placer.classes(members, memory, 3)) {
        EXPECT_TRUE(is_placement_word(one.name)) << one.name;
        EXPECT_EQ(placed(one.name, members), one);
        EXPECT_TRUE(seen.insert(std::to_string(members) + one.name).second) << one.name;
      }
}

TEST_F(PlacerTest, FurtherRepresentativesSayTheirCpus) {
  Placer& placer = on("pack:1 l3:1 core:4 pu:1");
  const auto some = placer.representatives(placed("same-l3", 2), 3);
  ASSERT_THAT(some, SizeIs(3));
  EXPECT_EQ(some[0].name, "same-l3");
  for (const Placement& one : some) EXPECT_EQ(one.group, "same-l3");
  EXPECT_EQ(some[1].name, "same-l3@" + std::to_string(some[1].cpus[0]) + "+" + std::to_string(some[1].cpus[1]));
  EXPECT_THAT(placer.representatives(placed("same-pu", 2), 9), SizeIs(4)) << "there are no more";
  EXPECT_THAT(placer.representatives(placed("unbound", 2), 9), SizeIs(1));
}

TEST_F(PlacerTest, WhatIsSaidOfAListIsChecked) {
  on("pack:1 l3:2 core:2 pu:2");
  EXPECT_EQ(placed("same-l3@3+1", 2).cpus, (Cpus{3, 1}));
  EXPECT_THAT(refusal("same-l3@2+3", 2), testing::EndsWith("smt"));
  EXPECT_THAT(refusal("same-l3@2+30", 2), HasSubstr("30"));
  EXPECT_NE(refusal("same-l3(0/1)", 2), "");
}

TEST_F(PlacerTest, HomesOfMemory) {
  on("pack:2 [numa] core:2 pu:1");
  EXPECT_EQ(placed("same-package@memory=1", 2).memory, 1);
  EXPECT_EQ(placed("unbound@memory=0", 2).memory, 0);
  EXPECT_EQ(placed("0+2@memory=1", 2).group, "cross-package@memory=cross-package/local");
  const Placement away = placed("same-package@memory=cross-package", 2);
  EXPECT_NE(away.memory, away.cpus[0] / 2);
  EXPECT_THAT(refusal("same-pu@memory=7", 2), HasSubstr("0+1")) << "those that there are";
  EXPECT_NE(refusal("same-pu@memory=far", 2), "");
}

TEST_F(PlacerTest, AllIsEveryOrder) {
  EXPECT_THAT(names(on("pack:1 core:3 pu:1").all(2)), ElementsAre("0+1", "0+2", "1+0", "1+2", "2+0", "2+1"));
  EXPECT_THAT(on("pack:1 core:4 pu:1").all(3), SizeIs(24));
  EXPECT_THAT(on("pack:1 core:4 pu:1").all(1), SizeIs(4));
  EXPECT_THROW(on("pack:1 core:2 pu:1").all(3), std::out_of_range);
  for (const Placement& one : on("pack:2 core:2 pu:1").all(2)) EXPECT_EQ(one.group, placed(one.name, 2).group);
}

TEST_F(PlacerTest, NumbersBeyondTheLimitAreSaid) {
  const auto told = [](const auto& call) {
    try {
      call();
    } catch (const std::length_error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  Placer& placer = on("pack:2 l3:8 core:8 pu:2", 100);
  EXPECT_THAT(told([&] { placer.all(2); }), HasSubstr("65280"));
  EXPECT_THAT(told([&] { placer.all(8); }), HasSubstr("10^15"));
  EXPECT_THAT(told([&] { placer.classes(4, false, 1); }), HasSubstr("271"));
  EXPECT_THAT(told([&] { placer.classes(3, false, 4); }), HasSubstr("132"));
  EXPECT_THAT(placer.classes(3, false, 3), SizeIs(99));
}

TEST_F(PlacerTest, CloseAndSpread) {
  on("pack:2 l3:2 core:4 pu:2");
  EXPECT_EQ(placed("close", 2).cpus, (Cpus{2, 3}));
  EXPECT_EQ(placed("close", 8).cpus, (Cpus{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(placed("spread", 2).group, "cross-package");
  EXPECT_EQ(placed("spread", 4).group, "cross-package(same-package(0/2)/same-package(1/3))");
  const Cpus everywhere = placed("spread", 32).cpus;
  EXPECT_EQ(std::set<int>(everywhere.begin(), everywhere.end()).size(), 32U);
  EXPECT_EQ(placed("close", 40).cpus.size(), 40U);
  EXPECT_FALSE(placer_->place("close", 1).placement);
}

TEST_F(PlacerTest, CloseAndSpreadAreAsNearAndAsFarAsCanBe) {
  for (const char* machine : {"pack:2 l3:2 core:2 pu:1", "pack:2 core:2 pu:2", "pack:1 l2:3 core:2 pu:1"})
    for (const int members : {2, 3, 4}) {
      Placer& placer = on(machine, 100000);
      const MachineTree tree = topology_->tree();
      const TreePaths paths(tree);
      const auto reach = [&](const Cpus& cpus, bool farthest) {
        std::set<std::size_t> pairs;
        for (std::size_t b = 0; b < cpus.size(); ++b)
          for (std::size_t a = 0; a < b; ++a) pairs.insert(paths.relation(cpus[a], cpus[b]));
        return farthest ? *pairs.rbegin() : *pairs.begin();
      };
      std::size_t near = 9;
      std::size_t far = 0;
      for (const Placement& one : placer.all(members)) {
        near = std::min(near, reach(one.cpus, true));
        far = std::max(far, reach(one.cpus, false));
      }
      EXPECT_EQ(reach(close_together(tree, members), true), near) << machine << members;
      EXPECT_EQ(reach(far_apart(tree, members), false), far) << machine << members;
    }
}

TEST(Dispersion, NearnessCountsMoreThanCpu0) {
  using test::cpu;
  using test::object;
  using test::parts;
  const auto core = object("smt", parts({{2, cpu()}}));
  // Only the package of CPU 0 is large enough.
  const auto tree = test::tree_of(object("cross-package", parts({{1, object("same-package", parts({{4, core}}))},
                                                                 {1, object("same-package", parts({{2, core}}))}})));
  EXPECT_THAT(close_together(tree, 6), ElementsAre(2, 3, 4, 5, 6, 7));
  EXPECT_THAT(far_apart(tree, 3), ElementsAre(2, 8, 4));
}

TEST(Dispersion, AnExactFitIsTaken) {
  using test::cpu;
  using test::object;
  using test::parts;
  const auto tree = test::tree_of(
      object("same-package", {object("same-l3", parts({{8, cpu()}})), object("same-l2", parts({{4, cpu()}}))}));
  EXPECT_THAT(close_together(tree, 4), ElementsAre(8, 9, 10, 11));
}

TEST(Dispersion, TheNearestPairCountsMoreThanAllTogether) {
  using test::cpu;
  using test::object;
  using test::parts;
  const auto tree = test::tree_of(
      object("cross-package", {object("smt", parts({{2, cpu()}})), object("same-l3", parts({{8, cpu()}}))}));
  const auto cpus = far_apart(tree, 7);
  EXPECT_EQ(std::ranges::count_if(cpus, [](int one) { return one < 2; }), 1) << "six others have an L3 for themselves";
}

TEST(PlacementForm, SuffixesAndClasses) {
  for (const char* word : {"same-l3@4+5", "same-l3@memory=1", "0+1@memory=0", "same-l3@4+5@memory=1", "close", "spread",
                           "smt:P/E", "cross-package(0/smt(1/2))", "same-l3~2", "same-pu@memory=local"})
    EXPECT_TRUE(is_placement_word(word)) << word;
  for (const char* word : {"same-l3@", "same-l3@x", "same-l3@memory=", "same-l33~2", "@4+5", "closed", "(0/1)"})
    EXPECT_FALSE(is_placement_word(word)) << word;
}

}  // namespace
}  // namespace assay
