// SPDX-License-Identifier: Apache-2.0
// Teams over ranks that are threads: reports, refusals, and what ends the launch.
#include "team/ranks/rank_team.hpp"

#include <gmock/gmock-matchers.h>

#include <atomic>

#include "support/ranks/thread_ranks.hpp"
#include "team/local/local_team.hpp"

namespace assay {
namespace {

using test::ThreadRanks;

// Claims who it is; refuses or throws where it is told to.
class WhoAmI final : public Measurement {
 public:
  explicit WhoAmI(Setup& setup) : members_(setup.members()) {}
  Claims run(Member& member, Reps reps) override {
    if (reps.count == 13) throw std::runtime_error("thirteen");
    return Claims(Nanoseconds{static_cast<double>(100 * member.rank() + members_)});
  }

 private:
  int members_;
};

Entry who_am_i() {
  Description description;
  description.name = "test/who";
  description.members = at_least(1);
  description.traits.vehicles = {"mpi"};
  return {description, [](Setup& setup) { return std::make_unique<WhoAmI>(setup); }};
}

// Turns out to be impossible when the ranks come together.
class Nowhere final : public Measurement {
 public:
  explicit Nowhere(Setup&) {}
  void enter(Member&) override { throw Unsupported("no common clock", "N11"); }
  Claims run(Member&, Reps) override { return {}; }
};

Entry nowhere() {
  Entry entry = who_am_i();
  entry.make = [](Setup& setup) { return std::make_unique<Nowhere>(setup); };
  return entry;
}

Entry computed() {
  Entry entry = who_am_i();
  entry.description.traits.simulated = true;
  return entry;
}

// "refuse N": the part of a rank with the team's member N cannot be built.
PartMaker maker(std::atomic<int>& built) {
  return [&built](const std::string& what, const TeamPart& part) {
    static const Entry who = who_am_i();
    static const Entry none = nowhere();
    static const Entry unreal = computed();
    TeamRequest request;
    request.vehicle = "mpi";
    request.members = static_cast<int>(part.members.size());
    request.part = part;
    if (what.starts_with("refuse") && part.members.front() == std::stoi(what.substr(7)))
      throw Unsupported("no memory here", "N11");
    if (what == "loud") {
      std::string text;
      for (int i = 0; i < 500'000; ++i) text += "\u00e9";
      throw std::runtime_error(text);
    }
    ++built;
    const Entry& entry = what == "nowhere" ? none : what == "computed" ? unreal : who;
    return prepare_local_team(entry, request, &thread_crew);
  };
}

RankMap ranks(int count) {
  RankMap map;
  for (int rank = 0; rank < count; ++rank) map.push_back({"node", 0, rank, {0, 1, 2, 3}});
  return map;
}

// Runs `lead` on rank 0, with the other ranks at its service.
template <class Lead>
void among(int count, std::atomic<int>& built, Lead lead) {
  ThreadRanks(ranks(count)).run([&](ThreadRanks::Link& link) {
    RankTeams teams(link, maker(built));
    if (link.rank() > 0) return teams.serve();
    lead(teams, link);
    teams.dismiss();
  });
}

TEST(RankTeam, EveryMemberReportsWhereverItSits) {
  std::atomic<int> built = 0;
  among(3, built, [&](RankTeams& teams, ThreadRanks::Link& link) {
    const auto team = teams.open({{{0, 0}, {2, 0}, {2, 1}, {1, 0}}, "who"});
    const Batch batch = team->run(Reps{5});
    ASSERT_EQ(batch.members.size(), 4U);
    for (int member = 0; member < 4; ++member)
      EXPECT_EQ(batch.members[static_cast<std::size_t>(member)].claims[0], 100.0 * member + 4);
    EXPECT_EQ(link.starts, 1) << "once for each batch";
    EXPECT_FALSE(team->reference(10)) << "their launcher left them free to move";
    team->park();
    EXPECT_EQ(team->run(Reps{1}).reps.count, 1);
  });
  EXPECT_EQ(built, 3);
}

TEST(RankTeam, EveryMemberLooksAtItsCore) {
  std::atomic<int> built = 0;
  among(3, built, [&](RankTeams& teams, ThreadRanks::Link& link) {
    const auto team = teams.open({{{0, 0}, {2, 0}, {2, 1}, {1, 0}}, "who"});
    for (int look = 0; look < 2; ++look) {
      const auto looks = team->look();
      ASSERT_EQ(looks.size(), 4U);
      for (const CoreLook& one : looks) EXPECT_TRUE(one.core.taken());
      team->park();
    }
    EXPECT_EQ(link.starts, 0) << "nothing was measured";
    EXPECT_EQ(team->run(Reps{1}).members.size(), 4U);
  });
}

// Ranks that are bound to CPUs of their own.
RankMap bound_ranks(int count) {
  RankMap map = ranks(count);
  for (int rank = 0; rank < count; ++rank) map[static_cast<std::size_t>(rank)].cpus = {rank};
  return map;
}

TEST(RankTeam, RanksThatAreBoundKnowTheirDistance) {
  std::atomic<int> built = 0;
  ThreadRanks(bound_ranks(3)).run([&](ThreadRanks::Link& link) {
    RankTeams teams(link, maker(built));
    if (link.rank() > 0) return teams.serve();
    {
      const auto team = teams.open({{{0, 0}, {2, 0}, {1, 0}}, "who"});
      for (int visit = 0; visit < 3; ++visit) {
        const auto distance = team->reference(200);
        ASSERT_TRUE(distance);
        EXPECT_GT(distance->count, 0);
        EXPECT_EQ(team->run(Reps{5}).members.size(), 3U) << "what comes next is a batch as any";
      }
      EXPECT_FALSE(team->reference(0));
    }
    EXPECT_TRUE(teams.open({{{0, 0}, {1, 0}}, "who"})->reference(10)) << "another neighbour maps it, too";
    EXPECT_FALSE(teams.open({{{0, 0}, {1, 0}}, "computed"})->reference(10)) << "of time that is computed there is none";
    EXPECT_FALSE(teams.open({{{0, 0}, {0, 1}}, "who"})->reference(10)) << "threads of one rank";
    teams.dismiss();
  });
}

TEST(RankTeam, TimeThatIsComputedHasNoCores) {
  std::atomic<int> built = 0;
  among(2, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    EXPECT_TRUE(teams.open({{{0, 0}, {1, 0}}, "computed"})->look().empty());
  });
}

TEST(RankTeam, CpusAreSharedWhereTheLibraryGivesThemUp) {
  for (const bool gives : {false, true}) {
    std::atomic<int> built = 0;
    ThreadRanks all(ranks(2));
    all.library_gives_way = gives;
    all.run([&](ThreadRanks::Link& link) {
      RankTeams teams(link, maker(built));
      if (link.rank() > 0) return teams.serve();
      auto team = teams.open({{{0, 0}, {1, 0}}, "who"});
      EXPECT_EQ(team->run(Reps{1}).shares_cpus, gives);
      team.reset();
      teams.dismiss();
    });
  }
}

TEST(RankTeam, TheOthersAreToldHowLongRankZeroMayBeSilent) {
  std::vector<double> told;
  std::atomic<int> built = 0;
  ThreadRanks(ranks(2)).run([&](ThreadRanks::Link& link) {
    RankTeams teams(link, maker(built), [&](Nanoseconds patience) { told.push_back(patience.count / 1e9); });
    if (link.rank() > 0) return teams.serve();
    auto team = teams.open({{{0, 0}}, "who"});
    teams.expect_within(seconds(100));
    team->park();
    team.reset();
    teams.dismiss();
  });
  // Before the first command; open, enter; park, close, dismiss.
  EXPECT_THAT(told, testing::ElementsAre(600, 600, 600, 1000, 1000, 1000));
}

TEST(RankTeam, ARankWithoutAMemberOnlyServes) {
  std::atomic<int> built = 0;
  among(3, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    const auto first = teams.open({{{0, 0}, {2, 0}}, "who"});
    const auto second = teams.open({{{0, 0}}, "who"});
    EXPECT_EQ(first->run(Reps{1}).members[1].claims[0], 102);
    EXPECT_EQ(second->run(Reps{1}).members.size(), 1U);
  });
  EXPECT_EQ(built, 3);
}

TEST(RankTeam, NobodyEntersWhereOnePartCannotBeBuilt) {
  std::atomic<int> built = 0;
  among(2, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    try {
      teams.open({{{0, 0}, {1, 0}}, "refuse 1"});
      FAIL() << "opened";
    } catch (const Unsupported& error) {
      EXPECT_EQ(error.code(), "N11");
      EXPECT_STREQ(error.what(), "rank 1: no memory here");
    }
    EXPECT_EQ(teams.open({{{0, 0}, {1, 0}}, "who"})->run(Reps{1}).members.size(), 2U) << "the launch goes on";
  });
}

TEST(RankTeam, WhatAllRanksFindImpossibleTogetherDoesNotEndTheLaunch) {
  std::atomic<int> built = 0;
  among(2, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    try {
      teams.open({{{0, 0}, {1, 0}, {1, 1}}, "nowhere"});
      FAIL() << "opened";
    } catch (const Unsupported& error) {
      EXPECT_EQ(error.code(), "N11");
    }
    EXPECT_EQ(teams.open({{{0, 0}, {1, 0}}, "who"})->run(Reps{1}).members.size(), 2U) << "the launch goes on";
  });
}

TEST(RankTeam, F46_texts_between_ranks_have_no_limit_and_reasons_fit_into_a_record) {
  std::atomic<int> built = 0;
  among(2, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    const auto team = teams.open({{{0, 0}, {1, 0}}, std::string(9'000'000, 'w')});
    EXPECT_EQ(team->run(Reps{1}).members.size(), 2U);
    try {
      teams.open({{{0, 0}, {1, 0}}, "loud"});
      FAIL() << "opened";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("rank 0: \u00e9\u00e9"));
      EXPECT_THAT(error.what(), testing::EndsWith("\u00e9..."));
      EXPECT_LT(std::string(error.what()).size(), 5000U);
    }
  });
}

TEST(RankTeam, ARankThatTheLaunchLacksIsNamed) {
  std::atomic<int> built = 0;
  among(2, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    EXPECT_THROW(teams.open({{{0, 0}, {2, 0}}, "who"}), Unsupported);
  });
}

TEST(RankTeam, WhatFailsInABatchEndsTheLaunch) {
  std::atomic<int> built = 0;
  among(1, built, [&](RankTeams& teams, ThreadRanks::Link&) {
    const auto team = teams.open({{{0, 0}}, "who"});
    try {
      team->run(Reps{13});
      FAIL() << "went on";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "aborted: rank 0: member 0: thirteen");
    }
  });
}

}  // namespace
}  // namespace assay
