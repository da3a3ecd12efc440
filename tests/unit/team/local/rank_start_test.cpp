// SPDX-License-Identifier: Apache-2.0
// Teams of ranks that start at agreed times: who is late is told, who cannot come is given up, clocks are looked at.
#include <gmock/gmock-more-matchers.h>

#include <cmath>

#include "support/ranks/simulated_ranks.hpp"
#include "team/local/local_team.hpp"
#include "team/ranks/rank_team.hpp"

namespace assay {
namespace {

using test::DelayLaw;
using test::SimulatedLink;
using test::SimulatedNetwork;
using test::SimulatedRank;
using test::SimulatedWire;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Claims the true time at which it started, by the rank's wire.
class WhenItStarts final : public Measurement {
 public:
  explicit WhenItStarts(SimulatedWire& wire) : wire_(wire) {}
  Claims run(Member&, Reps) override {
    const auto time = static_cast<double>(wire_.time());
    wire_.pass(microseconds(300));
    return Claims{}.set(0, time);
  }

 private:
  SimulatedWire& wire_;
};

Description starting() {
  Description description;
  description.name = "test/start";
  description.members = at_least(1);
  description.traits.vehicles = {"mpi"};
  return description;
}

PartMaker maker(SimulatedWire& wire) {
  return [&wire](const std::string&, const TeamPart& part) {
    TeamRequest request;
    request.vehicle = "mpi";
    request.members = static_cast<int>(part.members.size());
    request.part = part;
    return prepare_local_team({starting(), [&wire](Setup&) { return std::make_unique<WhenItStarts>(wire); }}, request,
                              &thread_crew);
  };
}

// Four ranks on two nodes whose clocks are 77 s apart and drift.
class RankStarts : public testing::Test {
 protected:
  // `cpus` of each node.
  void on_rank_0(int cpus, const std::function<void(RankTeams&)>& lead) {
    RankMap map;
    std::vector<int> usable;
    for (int cpu = 0; cpu < cpus; ++cpu) usable.push_back(cpu);
    for (int rank = 0; rank < 4; ++rank) map.push_back({rank < 2 ? "a" : "b", rank / 2, rank, usable});
    network_.run([&](SimulatedWire& wire) {
      SimulatedLink link(wire, map);
      RankTeams teams(link, maker(wire));
      if (wire.rank() > 0) return teams.serve();
      lead(teams);
      teams.dismiss();
    });
  }

  static RankOrder order(Start start, bool compares_stamps = false) {
    return {{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, "", start, compares_stamps};
  }

  SimulatedNetwork network_{{{0, 0, 0}, {0, 0, 0}, {1, 77'000'000'000, 3e-5}, {1, 77'000'000'000, 3e-5}}, 9};
};

double apart(const Batch& batch) {
  double first = batch.members[0].claims[0];
  double last = first;
  for (const MemberReport& member : batch.members) {
    first = std::min(first, member.claims[0]);
    last = std::max(last, member.claims[0]);
  }
  return last - first;
}

TEST_F(RankStarts, BatchesInWindowsBeginTogetherWithinTheBoundThatIsTold) {
  // Who starts when he hears of it starts 10 us after rank 0.
  network_.delay = [](int, int) -> DelayLaw { return [](Rng&, std::int64_t) { return 5'000.0; }; };
  on_rank_0(2, [](RankTeams& teams) {
    const auto team = teams.open(order(Start::window));
    EXPECT_FALSE(team->clock_look()) << "nothing was measured yet";
    double worst = 0;
    for (int i = 0; i < 20; ++i) {
      const Batch batch = team->run(Reps{1});
      for (const MemberReport& member : batch.members) EXPECT_LT(member.late, microseconds(1));
      worst = std::max(worst, apart(batch));
    }
    team->park();
    ASSERT_TRUE(team->clock_look());
    EXPECT_EQ(team->clock_look()->refusal, "");
    EXPECT_LE(worst, 1000 + 2 * team->clock_look()->bound.count);
    EXPECT_LT(worst, 1500) << "as long both ways as here, delays hide nothing from the clocks";
    EXPECT_LT(team->clock_look()->bound, microseconds(30));
    EXPECT_THAT(team->notes(), ElementsAre(HasSubstr("4 ranks are synchronized with the first; rank ")));
    EXPECT_THAT(team->notes(), testing::IsEmpty()) << "told once";
    team->run(Reps{1});
    team->park();
    EXPECT_EQ(team->clock_look()->refusal, "") << "what drifts is learned anew for each stretch";
  });
}

TEST_F(RankStarts, ALateRankIsToldAndWindowsWiden) {
  // A message may take longer than the first windows are wide.
  network_.delay = [](int, int) -> DelayLaw { return [](Rng&, std::int64_t) { return 150'000.0; }; };
  on_rank_0(2, [](RankTeams& teams) {
    const auto team = teams.open(order(Start::window));
    const auto latest = [&] {
      Nanoseconds late{};
      for (const MemberReport& member : team->run(Reps{1}).members) late = std::max(late, member.late);
      return late;
    };
    EXPECT_GT(latest(), microseconds(1));
    for (int i = 0; i < 40; ++i) latest();
    EXPECT_LT(latest(), microseconds(1));
  });
}

TEST_F(RankStarts, MembersThatOutnumberCpusAreGivenUpWithTheReason) {
  // Who sleeps waits for the time slices of others.
  network_.oversleep = [](Rng& rng, std::int64_t) { return 1e6 + 8e6 * rng.uniform(); };
  on_rank_0(1, [](RankTeams& teams) {
    const auto team = teams.open(order(Start::window));
    try {
      for (int i = 0; i < 1000; ++i) EXPECT_TRUE(team->run(Reps{1}).shares_cpus);
      FAIL() << "went on";
    } catch (const Unsupported& error) {
      EXPECT_THAT(error.what(), HasSubstr("members outnumber CPUs: 2 on 1"));
    }
    const auto other = teams.open(order(Start::dissemination));
    EXPECT_THAT(other->run(Reps{1}).members, SizeIs(4)) << "the launch goes on";
  });
}

TEST_F(RankStarts, TheDisseminationBarrierNeedsNoClock) {
  network_.delay = [](int, int) -> DelayLaw { return [](Rng&, std::int64_t) { return 2'000.0; }; };
  on_rank_0(2, [](RankTeams& teams) {
    const auto team = teams.open(order(Start::dissemination));
    for (int i = 0; i < 5; ++i) {
      const Batch batch = team->run(Reps{1});
      EXPECT_EQ(batch.members[3].late, Nanoseconds{});
      EXPECT_LT(apart(batch), 2 * 2'000 + 1'000) << "two steps of messages, at most";
    }
    team->park();
    EXPECT_FALSE(team->clock_look());
  });
}

TEST_F(RankStarts, ComparedStampsHaveAClockWhateverTheStart) {
  on_rank_0(2, [](RankTeams& teams) {
    const auto team = teams.open(order(Start::barrier, true));
    team->run(Reps{1});
    team->park();
    ASSERT_TRUE(team->clock_look());
    EXPECT_GT(team->clock_look()->bound, Nanoseconds{});
  });
}

}  // namespace
}  // namespace assay
