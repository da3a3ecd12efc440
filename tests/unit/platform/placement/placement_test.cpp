// SPDX-License-Identifier: Apache-2.0
// Golden word lists and representatives on synthetic machines; explicit lists; reasons.
#include "platform/placement/placement.hpp"

#include <gmock/gmock-more-matchers.h>

#include "platform/thread/guard.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Topology two_packages() { return Topology::synthetic("pack:2 l3:8 core:8 pu:2"); }
Topology one_package() { return Topology::synthetic("pack:1 l3:1 core:4 pu:2"); }
Topology two_cores() { return Topology::synthetic("pack:1 l3:1 core:2 pu:1"); }
Topology one_cpu() { return Topology::synthetic("pack:1 l3:1 core:1 pu:1"); }

std::vector<int> cpus_of(const Topology& machine, const std::string& word, int members) {
  const PlacementChoice choice = place(machine, word, members);
  EXPECT_TRUE(choice.placement) << word << ": " << choice.why_not;
  if (!choice.placement) return {};
  EXPECT_EQ(choice.placement->name, word);
  return choice.placement->cpus;
}

TEST(PlacementWords, TwoPackages) {
  EXPECT_THAT(placement_words(two_packages(), 1), ElementsAre("unbound", "bound"));
  EXPECT_THAT(placement_words(two_packages(), 2),
              ElementsAre("unbound", "same-pu", "smt", "same-l3", "same-package", "cross-package"));
  EXPECT_THAT(placement_words(two_packages(), 3), ElementsAre("unbound", "same-pu", "same-l3", "same-package"));
  EXPECT_THAT(placement_words(two_packages(), 8), ElementsAre("unbound", "same-pu", "same-l3", "same-package"));
  EXPECT_THAT(placement_words(two_packages(), 9), ElementsAre("unbound", "same-pu"));
}

TEST(PlacementWords, OnePackageWithSmt) {
  EXPECT_THAT(placement_words(one_package(), 2), ElementsAre("unbound", "same-pu", "smt", "same-l3"));
  EXPECT_THAT(placement_words(one_package(), 4), ElementsAre("unbound", "same-pu", "same-l3"));
  EXPECT_THAT(placement_words(one_package(), 5), ElementsAre("unbound", "same-pu"));
}

TEST(PlacementWords, TwoCoresUnderOneL3) {
  EXPECT_THAT(placement_words(two_cores(), 1), ElementsAre("unbound", "bound"));
  EXPECT_THAT(placement_words(two_cores(), 2), ElementsAre("unbound", "same-pu", "same-l3"));
  EXPECT_THAT(placement_words(two_cores(), 3), ElementsAre("unbound", "same-pu"));
}

TEST(PlacementWords, OneCpu) {
  EXPECT_THAT(placement_words(one_cpu(), 1), ElementsAre("unbound", "bound"));
  EXPECT_THAT(placement_words(one_cpu(), 2), ElementsAre("unbound", "same-pu"));
}

TEST(PlacementWords, SubNumaAndClusters) {
  EXPECT_THAT(placement_words(Topology::synthetic("pack:2 numa:4 l3:2 core:8 pu:2"), 2),
              ElementsAre("unbound", "same-pu", "smt", "same-l3", "same-numa", "same-package", "cross-package"));
  EXPECT_THAT(placement_words(Topology::synthetic("pack:1 l3:1 l2:4 core:4 pu:1"), 4),
              ElementsAre("unbound", "same-pu", "same-l2", "same-l3"));
}

TEST(PlacementWords, EveryWordCanBePlacedAndHolds) {
  const Topology machine = Topology::synthetic("pack:2 numa:2 l3:2 l2:2 core:2 pu:2");
  for (int members = 1; members <= 5; ++members)
    for (const std::string& word : placement_words(machine, members)) {
      const auto cpus = cpus_of(machine, word, members);
      EXPECT_TRUE(is_placement_word(word));
      for (std::size_t i = 0; word != "unbound" && i < cpus.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(machine.relation(cpus[i], cpus[j]), word);
    }
}

TEST(PlacementWords, LargeMachine) {
  EXPECT_THAT(placement_words(Topology::synthetic("pack:8 core:512 pu:2"), 8),
              ElementsAre("unbound", "same-pu", "same-package", "cross-package"));
}

TEST(Representative, AvoidsTheCoreOfCpu0) {
  EXPECT_THAT(cpus_of(two_packages(), "bound", 1), ElementsAre(2));
  EXPECT_THAT(cpus_of(two_packages(), "same-pu", 3), ElementsAre(2, 2, 2));
  EXPECT_THAT(cpus_of(two_packages(), "smt", 2), ElementsAre(2, 3));
  EXPECT_THAT(cpus_of(two_packages(), "same-l3", 3), ElementsAre(2, 4, 6));
  EXPECT_THAT(cpus_of(two_packages(), "same-package", 2), ElementsAre(2, 16));
  EXPECT_THAT(cpus_of(two_packages(), "cross-package", 2), ElementsAre(2, 128));
}

TEST(Representative, AvoidsCpu0WhereItsCoreIsNeeded) {
  EXPECT_THAT(cpus_of(one_package(), "same-l3", 4), ElementsAre(1, 2, 4, 6));
  EXPECT_THAT(cpus_of(Topology::synthetic("pack:1 core:1 pu:2"), "bound", 1), ElementsAre(1));
}

TEST(Representative, TakesCpu0WhereItMust) {
  EXPECT_THAT(cpus_of(two_cores(), "same-l3", 2), ElementsAre(0, 1));
  EXPECT_THAT(cpus_of(two_cores(), "bound", 1), ElementsAre(1));
  EXPECT_THAT(cpus_of(one_cpu(), "same-pu", 2), ElementsAre(0, 0));
}

TEST(Representative, FollowsTheTreeNotTheNumbers) {
  const Topology machine = Topology::synthetic("pack:1 core:3 pu:2(indexes=0,3,1,4,2,5)");
  EXPECT_THAT(cpus_of(machine, "smt", 2), ElementsAre(1, 4));
}

TEST(Place, UnboundHasNoCpus) {
  EXPECT_THAT(cpus_of(two_cores(), "unbound", 2), IsEmpty());
  EXPECT_FALSE(place(two_cores(), "unbound", 2).placement->bound());
}

TEST(Place, ListIsByRankAsWritten) {
  EXPECT_THAT(cpus_of(one_package(), "5+0+3", 3), ElementsAre(5, 0, 3));
  EXPECT_THAT(cpus_of(one_package(), "7", 1), ElementsAre(7));
  EXPECT_TRUE(place(one_package(), "7", 1).placement->bound());
}

TEST(Place, ListMayRepeat) {
  const auto choice = place(one_package(), "1+1", 2);
  ASSERT_TRUE(choice.placement);
  EXPECT_TRUE(choice.placement->shares_cpu());
  EXPECT_FALSE(place(one_package(), "1+2", 2).placement->shares_cpu());
  EXPECT_FALSE(place(one_package(), "unbound", 2).placement->shares_cpu());
  EXPECT_TRUE(place(one_package(), "3+1+3", 3).placement->shares_cpu());
}

TEST(Place, ListMustFitTheMembers) {
  EXPECT_THAT(place(one_package(), "0+1", 3).why_not, HasSubstr("2 CPUs for 3 members"));
  EXPECT_FALSE(place(one_package(), "0", 2).placement);
}

TEST(Place, UnusableCpuIsNamedWithTheUsableOnes) {
  EXPECT_EQ(place(one_package(), "0+8", 2).why_not, "CPU 8 is not usable; usable are 0-7");
  EXPECT_THAT(place(one_package(), "99999999999", 1).why_not, HasSubstr("99999999999"));
}

TEST(Place, RestrictionIsGivenAsTheReason) {
  const int last = Topology::this_machine().usable().back();
  EXPECT_EQ(test::exit_of_child([&] {
              bind_self({last});
              const Topology cut = Topology::this_machine();
              const std::string why = place(cut, std::to_string(last + 1), 1).why_not;
              if (why.find("usable are " + std::to_string(last)) == std::string::npos) return 1;
              if (cut.total() > 1 && why.find("inherited affinity mask") == std::string::npos) return 2;
              return placement_words(cut, 2) == std::vector<std::string>{"unbound", "same-pu"} ? 0 : 3;
            }),
            0);
}

TEST(Place, MissingRelationTellsWhatThereIs) {
  EXPECT_EQ(place(one_package(), "smt", 4).why_not,
            "needs 4 CPUs that are pairwise smt, there are at most 2; usable are 0-7");
  EXPECT_EQ(place(one_package(), "cross-package", 2).why_not,
            "needs 2 CPUs that are pairwise cross-package, there are none; usable are 0-7");
}

TEST(Place, WordsThatDoNotFitTheNumberOfMembers) {
  EXPECT_FALSE(place(one_package(), "bound", 2).placement);
  EXPECT_FALSE(place(one_package(), "smt", 1).placement);
  EXPECT_FALSE(place(one_package(), "same-pu", 1).placement);
  EXPECT_FALSE(place(one_package(), "unbound", 0).placement);
  EXPECT_FALSE(place(one_package(), "somewhere", 2).placement);
  EXPECT_FALSE(place(one_package(), "somewhere", 2).why_not.empty());
}

TEST(IsPlacementWord, KnowsTheFormOnly) {
  for (const char* word :
       {"unbound", "bound", "same-pu", "smt", "cross-package", "0", "0+1", "12+12+3", "999999999999"})
    EXPECT_TRUE(is_placement_word(word)) << word;
  for (const char* word : {"", "+", "0+", "+1", "0++1", "0,1", "-1", "0+x", "SMT", "same", " 0"})
    EXPECT_FALSE(is_placement_word(word)) << word;
}

}  // namespace
}  // namespace assay
