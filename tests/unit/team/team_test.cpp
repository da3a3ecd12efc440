// SPDX-License-Identifier: Apache-2.0
// What a team does when nothing goes wrong, under both vehicles.
#include "team/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "platform/process/process.hpp"
#include "unit/team/fixtures.hpp"

namespace assay::team_test {
namespace {

class TeamVehicles : public testing::TestWithParam<const char*> {
 protected:
  TeamRequest request(int members) const { return request_of(GetParam(), members); }
};

INSTANTIATE_TEST_SUITE_P(Both, TeamVehicles, testing::Values("thread", "process"));

std::vector<double> claims_of(const Batch& batch, std::size_t quantity) {
  std::vector<double> claims;
  for (const MemberReport& report : batch.members) claims.push_back(report.claims[quantity]);
  return claims;
}

TEST_P(TeamVehicles, EveryMemberPerformsEveryLease) {
  for (const int members : {1, 2, 3, 8}) {
    const auto team = open_team(entry_of<Ring>(), request(members));
    std::int64_t total = 0;
    for (const std::int64_t reps : {1, 7, 200, 3}) {
      const Batch batch = team->run(Reps{reps});
      total += reps;
      ASSERT_EQ(batch.members.size(), static_cast<std::size_t>(members));
      EXPECT_EQ(batch.reps, Reps{reps});
      for (int rank = 0; rank < members; ++rank) {
        const MemberReport& report = batch.members[static_cast<std::size_t>(rank)];
        EXPECT_EQ(report.claims[0], static_cast<double>(reps));
        EXPECT_EQ(report.claims[1], static_cast<double>((total - 1) * members + rank + 1));
        EXPECT_EQ(report.beats, reps);
        EXPECT_GT(report.wall.count, 0);
        EXPECT_GE(report.cpu_before, 0);
      }
    }
  }
}

TEST(TeamOfBothVehicles, TheSameClassClaimsTheSame) {
  const auto threads = open_team(entry_of<Ring>(), request_of("thread", 3));
  const auto processes = open_team(entry_of<Ring>(), request_of("process", 3));
  for (const std::int64_t reps : {5, 50}) {
    const Batch a = threads->run(Reps{reps});
    const Batch b = processes->run(Reps{reps});
    EXPECT_EQ(claims_of(a, 0), claims_of(b, 0));
    EXPECT_EQ(claims_of(a, 1), claims_of(b, 1));
  }
}

TEST_P(TeamVehicles, TenThousandBatchesOnOneCpu) {
  TeamRequest wanted = request(2);
  wanted.placement = on_one_cpu(2);
  const auto team = open_team(entry_of<Idle>(), wanted);
  for (int i = 1; i <= 10000; ++i) ASSERT_EQ(claims_of(team->run(Reps{i}), 0), (std::vector<double>(2, 100.0 * i)));
}

TEST_P(TeamVehicles, TenThousandBatchesOnTwoCpus) {
  if (!has_two_cpus()) GTEST_SKIP() << "one CPU is usable";
  TeamRequest wanted = request(2);
  wanted.placement = on_different_cpus(2);
  const auto team = open_team(entry_of<Idle>(), wanted);
  for (int i = 1; i <= 10000; ++i) ASSERT_EQ(claims_of(team->run(Reps{i}), 0), (std::vector<double>(2, 100.0 * i)));
}

TEST_P(TeamVehicles, TenThousandBatchesOfMembersThatPartTogether) {
  TeamRequest wanted = request(3);
  wanted.placement = on_one_cpu(3);
  const auto team = open_team(waiting(Waiting::blocks, entry_of<Idle>()), wanted);
  for (int i = 1; i <= 10000; ++i) ASSERT_EQ(claims_of(team->run(Reps{i}), 0), (std::vector<double>(3, 100.0 * i)));
  const auto ring = open_team(waiting(Waiting::blocks, entry_of<Ring>()), request(3));
  for (int i = 1; i <= 3000; ++i) ASSERT_EQ(ring->run(Reps{1}).members[2].claims[1], 3.0 * i);
}

/// Member 0 stays in its part for long, the others are through with theirs at once. Claims when that began and ended.
class Straggler final : public Measurement {
 public:
  explicit Straggler(Setup&) {}
  Claims run(Member& member, Reps) override {
    const auto now = [] { return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count()); };
    const double begin = now();
    while (member.rank() == 0 && now() < begin + 2e6) std::this_thread::yield();
    return Claims{}.set(0, begin).set(1, now());
  }
};

// On one CPU what a member does behind its part would take time in which another is measured.
TEST_P(TeamVehicles, OnASharedCpuTheGuardsOfThoseWhoWaitAreTakenWhenAllAreThrough) {
  for (const Waiting how : {Waiting::blocks, Waiting::either, Waiting::yields, Waiting::polls}) {
    TeamRequest wanted = request(2);
    wanted.placement = on_one_cpu(2);
    const auto team = open_team(waiting(how, entry_of<Straggler>()), wanted);
    const Batch batch = team->run(Reps{1});
    const double from_own_begin = batch.members[0].claims[1] - batch.members[1].claims[0];
    EXPECT_GE(batch.members[1].wall.count, from_own_begin);
  }
}

TEST_P(TeamVehicles, ThousandsOfUnboundBatches) {
  const auto team = open_team(entry_of<Ring>(), request(3));
  for (int i = 1; i <= 3000; ++i) ASSERT_EQ(team->run(Reps{1}).members[2].claims[1], 3.0 * i);
}

TEST_P(TeamVehicles, MembersRunWhereTheyArePlaced) {
  if (!has_two_cpus()) GTEST_SKIP() << "one CPU is usable";
  const std::vector<int> before = binding_of_self();
  TeamRequest wanted = request(3);
  wanted.placement = {"explicit", {before[1], before[0], before[1]}};
  {
    const auto team = open_team(entry_of<Idle>(), wanted);
    EXPECT_EQ(binding_of_self(), std::vector<int>{before[1]});
    const Batch batch = team->run(Reps{1});
    for (std::size_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(batch.members[rank].cpu_before, wanted.placement.cpus[rank]);
      EXPECT_EQ(batch.members[rank].cpu_after, wanted.placement.cpus[rank]);
    }
  }
  EXPECT_EQ(binding_of_self(), before);
}

// The other members: threads that did not exist before, or children.
std::vector<int> others(const std::string& vehicle, const std::set<int>& before) {
  if (vehicle == "process") return children_of(getpid());
  std::vector<int> ids;
  for (const int id : threads())
    if (!before.contains(id)) ids.push_back(id);
  return ids;
}

TEST_P(TeamVehicles, ParkedMembersSleepAndRunAgain) {
  const std::set<int> before = threads();
  const auto team = open_team(entry_of<Ring>(), request(3));
  for (int i = 1; i <= 100; ++i) {
    team->park();
    team->park();
    ASSERT_EQ(team->run(Reps{1}).members[2].claims[1], 3.0 * i);
  }
  team->park();
  const auto ids = others(GetParam(), before);
  ASSERT_EQ(ids.size(), 2U);
  // Between its announcement and its sleep a member may be held up by the scheduler, but not forever.
  for (const int id : ids)
    while (state_of(id) != 'S') std::this_thread::yield();
}

/// Claims how often it has rested.
class Resting final : public Measurement {
 public:
  explicit Resting(Setup&) {}
  void rest(Member& member) override { rests_ += member.rank() == 0 ? 1 : 100; }
  Claims run(Member&, Reps) override { return Claims{}.set(0, rests_); }

 private:
  double rests_ = 0;
};

TEST_P(TeamVehicles, AMeasurementRestsOnTheFirstMemberWheneverItsTeamIsParked) {
  const auto team = open_team(entry_of<Resting>(), request(2));
  for (const double rests : {0.0, 1.0, 2.0}) {
    EXPECT_EQ(team->run(Reps{1}).members[0].claims[0], rests);
    EXPECT_EQ(team->run(Reps{1}).members[0].claims[0], rests) << "batches of a visit follow each other";
    team->park();
  }
}

TEST_P(TeamVehicles, SpinningMembersParkToo) {
  if (!has_two_cpus()) GTEST_SKIP() << "one CPU is usable";
  TeamRequest wanted = request(2);
  wanted.placement = on_different_cpus(2);
  const auto team = open_team(entry_of<Ring>(), wanted);
  for (int i = 1; i <= 50; ++i) {
    ASSERT_EQ(team->run(Reps{1}).members[1].claims[1], 2.0 * i);
    team->park();
  }
}

TEST_P(TeamVehicles, TheFirstMemberComesBackToItsCpuAfterParking) {
  if (!has_two_cpus()) GTEST_SKIP() << "one CPU is usable";
  TeamRequest wanted = request(1);
  wanted.placement = on_different_cpus(1);
  const std::vector<int> all = binding_of_self();
  const auto team = open_team(entry_of<Idle>(), wanted);
  team->park();
  bind_self({all[1]});
  EXPECT_EQ(team->run(Reps{1}).members[0].cpu_before, all[0]);
}

TEST_P(TeamVehicles, NoThreadExistsThatIsNotAMember) {
  for (const bool bystander : {false, true})
    for (const int members : {1, 4}) {
      const std::size_t before = threads().size();
      TeamRequest wanted = request(members);
      wanted.bystander = bystander;
      const auto team = open_team(entry_of<Ring>(), wanted);
      team->run(Reps{1});
      const auto own = static_cast<std::size_t>(wanted.vehicle == "thread" ? members - 1 : 0);
      EXPECT_EQ(threads().size(), before + own + (bystander ? 1 : 0));
    }
}

TEST(TeamOfProcesses, HasOneProcessPerMemberAndNoneIsLeft) {
  {
    const auto team = open_team(entry_of<Ring>(), request_of("process", 4));
    team->run(Reps{1});
    EXPECT_EQ(children_of(getpid()).size(), 3U);
    for (const int child : children_of(getpid())) EXPECT_EQ(thread_count(child), thread_count(getpid()));
  }
  EXPECT_TRUE(children_of(getpid()).empty());
}

TEST(TeamBystander, IsDeafToSignals) {
  const std::set<int> before = threads();
  TeamRequest wanted = request_of("thread", 1);
  wanted.bystander = true;
  const auto team = open_team(entry_of<Idle>(), wanted);
  const auto ids = others("thread", before);
  ASSERT_EQ(ids.size(), 1U);
  std::ifstream file("/proc/self/task/" + std::to_string(ids.front()) + "/status");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("SigBlk:")) {
  }
  const auto blocked = std::stoull(line.substr(8), nullptr, 16);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGALRM}) EXPECT_NE(blocked >> (signal - 1) & 1, 0U) << signal;
}

// Counts in memory that forked members share, so that what a child destroys is seen.
struct Life {
  std::atomic<int> objects{0}, objects_ended{0}, measurements{0}, measurements_ended{0};
  std::atomic<int> entered{0}, left{0}, left_before_end{-1}, ended_before_objects{-1};
};

struct Object {
  explicit Object(Life* life) : life_(life) { ++life_->objects; }
  ~Object() {
    life_->ended_before_objects = life_->measurements_ended.load();
    ++life_->objects_ended;
  }
  Life* life_;
};

class Tracked final : public Measurement {
 public:
  Tracked(Setup& setup, Life* life) : object_(setup.share<Object>(life)) { ++life->measurements; }
  ~Tracked() override {
    object_.life_->left_before_end = object_.life_->left.load();
    ++object_.life_->measurements_ended;
  }
  void enter(Member&) override { ++object_.life_->entered; }
  Claims run(Member&, Reps) override { return Nanoseconds{1}; }
  void leave(Member&) override { ++object_.life_->left; }

 private:
  Object& object_;
};

TEST_P(TeamVehicles, EverythingIsBuiltAndEndedOnceAndInOrder) {
  const Common<Life> life;
  {
    const auto team = open_team(entry_of<Tracked>(life.get()), request(3));
    EXPECT_EQ(life->entered, 3);
    team->run(Reps{1});
    EXPECT_EQ(life->left, 0);
  }
  EXPECT_EQ(life->measurements, 1);
  EXPECT_EQ(life->objects, 1);
  EXPECT_EQ(life->left, 3);
  EXPECT_EQ(life->left_before_end, 3);
  EXPECT_EQ(life->measurements_ended, 1);
  EXPECT_EQ(life->ended_before_objects, 1);
  EXPECT_EQ(life->objects_ended, 1);
}

// Replaces the time source by one that counts its own readings.
class CountingClock final : public Clock {
 public:
  Instant now() const override { return {1000 * ++readings_}; }

 private:
  mutable std::int64_t readings_ = 0;
};

class OnOwnClock final : public Measurement {
 public:
  explicit OnOwnClock(Setup& setup) : clocks_(static_cast<std::size_t>(setup.members())) {}
  void enter(Member& member) override {
    member.use(Stopwatch::simulated(clocks_[static_cast<std::size_t>(member.rank())]));
  }
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [] {});
  }

 private:
  std::vector<CountingClock> clocks_;
};

TEST_P(TeamVehicles, AMemberKeepsTheTimeSourceItTookInEnter) {
  const auto team = open_team(entry_of<OnOwnClock>(), request(2));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(claims_of(team->run(Reps{4}), 0), (std::vector<double>{1000, 1000}));
}

TEST_P(TeamVehicles, TheReferenceIsAMeanOfRoundTripsByTheRequestsStopwatch) {
  const CountingClock clock;
  TeamRequest wanted = request(3);
  wanted.stopwatch = Stopwatch::simulated(clock);
  const auto team = open_team(entry_of<Ring>(), wanted);
  EXPECT_EQ(team->reference(10), Nanoseconds{100});
  EXPECT_EQ(team->run(Reps{2}).members[2].claims[1], 6);
  EXPECT_EQ(team->reference(1), Nanoseconds{1000});
  team->park();
  EXPECT_EQ(team->reference(5), Nanoseconds{200});
}

TEST_P(TeamVehicles, TheReferenceTakesTimeBetweenDifferentCpus) {
  if (!has_two_cpus()) GTEST_SKIP() << "one CPU is usable";
  TeamRequest wanted = request(2);
  wanted.placement = on_different_cpus(2);
  const auto trip = open_team(entry_of<Idle>(), wanted)->reference(5);
  ASSERT_TRUE(trip.has_value());
  EXPECT_GT(trip->count, 0);
}

TEST_P(TeamVehicles, ThereIsNoReferenceWithoutProgress) {
  EXPECT_EQ(open_team(entry_of<Idle>(), request(1))->reference(10), std::nullopt);
  TeamRequest wanted = request(2);
  wanted.placement = on_one_cpu(2);
  EXPECT_EQ(open_team(entry_of<Idle>(), wanted)->reference(10), std::nullopt);
  EXPECT_EQ(open_team(entry_of<Idle>(), request(2))->reference(0), std::nullopt);
}

}  // namespace
}  // namespace assay::team_test
