// SPDX-License-Identifier: Apache-2.0
// Members that are processes and die.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <atomic>

#include "platform/process/process.hpp"
#include "unit/team/fixtures.hpp"

namespace assay::team_test {
namespace {

struct Death {
  const char* name;
  void (*what)();
  const char* how;
};

class TeamDeath : public testing::TestWithParam<Death> {};
INSTANTIATE_TEST_SUITE_P(Ways, TeamDeath,
                         testing::Values(Death{"exit", [] { end_at_once(3); }, "exited 3"},
                                         Death{"zero", [] { end_at_once(0); }, "exited 0"},
                                         Death{"kill", [] { raise(SIGKILL); }, "killed by SIGKILL"}),
                         [](const auto& death) { return death.param.name; });

Entry dying(const std::string& where, int rank, void (*what)(), int waits_from = 1000) {
  return entry_of<Faulty>(Fault{where, rank, what, waits_from});
}

std::string member_one(const char* how) { return std::string("member 1: ") + how; }

TEST_P(TeamDeath, InARunIsAFailureAndNoHang) {
  for (const Waiting how : {Waiting::none, Waiting::blocks}) {
    const auto team = open_team(waiting(how, dying("run", 1, GetParam().what)), request_of("process", 3));
    EXPECT_EQ(thrown<MemberFailed>([&] { team->run(Reps{1}); }), member_one(GetParam().how));
    EXPECT_EQ(thrown<MemberFailed>([&] { team->run(Reps{1}); }), member_one(GetParam().how));
    team->park();
  }
  EXPECT_TRUE(children_of(getpid()).empty());
}

TEST_P(TeamDeath, InEnterIsAFailureAndNoHang) {
  EXPECT_EQ(thrown<MemberFailed>([] { open_team(dying("enter", 1, GetParam().what), request_of("process", 3)); }),
            member_one(GetParam().how));
  EXPECT_TRUE(children_of(getpid()).empty());
}

TEST_P(TeamDeath, OnFailureSavesAFirstMemberThatWaitsForEver) {
  const int status = status_of([] {
    TeamRequest request = request_of("process", 2);
    request.on_failure = [](int rank, const std::string& why) {
      end_at_once(rank == 1 && why == GetParam().how ? 7 : 8);
    };
    open_team(dying("run", 1, GetParam().what, 0), request)->run(Reps{1});
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

class DiesOnceTheFirstSleeps final : public Measurement {
 public:
  explicit DiesOnceTheFirstSleeps(Setup& setup) : has_returned_(setup.share<std::atomic<bool>>(false)) {}
  Claims run(Member& member, Reps) override {
    if (member.rank() == 1) wait_and_die();
    has_returned_ = true;
    return Nanoseconds{1};
  }

 private:
  [[noreturn]] void wait_and_die() const {
    while (!has_returned_ || state_of(getppid()) != 'S') std::this_thread::yield();
    end_at_once(3);
  }
  std::atomic<bool>& has_returned_;
};

TEST(TeamDeaths, WakeAFirstMemberThatSleepsForTheReport) {
  for (const Waiting how : {Waiting::none, Waiting::blocks}) {
    const auto team = open_team(waiting(how, entry_of<DiesOnceTheFirstSleeps>()), request_of("process", 2));
    EXPECT_EQ(thrown<MemberFailed>([&] { team->run(Reps{1}); }), "member 1: exited 3");
  }
}

TEST(TeamDeaths, InLeaveDisturbNobody) {
  EXPECT_NO_THROW(open_team(dying("leave", 1, [] { end_at_once(3); }), request_of("process", 3))->run(Reps{1}));
}

TEST(TeamDeaths, WhileParkedAreNoticedByTheNextBatch) {
  auto team = open_team(entry_of<Idle>(), request_of("process", 3));
  team->run(Reps{1});
  team->park();
  const auto children = children_of(getpid());
  ASSERT_EQ(children.size(), 2U);
  kill(children[1], SIGKILL);
  // The numbers of processes may have started anew between the two.
  EXPECT_THAT(thrown<MemberFailed>([&] {
                for (;;) team->run(Reps{1});
              }),
              testing::AnyOf("member 2: killed by SIGKILL", "member 1: killed by SIGKILL"));
}

TEST(TeamDeaths, TheReferenceGivesUpToo) {
  auto team = open_team(entry_of<Idle>(), request_of("process", 2));
  kill(children_of(getpid()).at(0), SIGKILL);
  EXPECT_EQ(thrown<MemberFailed>([&] {
              for (;;) team->reference(1000);
            }),
            "member 1: killed by SIGKILL");
}

TEST(TeamDeaths, MembersDieWithTheFirst) {
  struct Pids {
    std::atomic<int> member{0};
  };
  const Common<Pids> pids;
  status_of([&] {
    const auto team = open_team(entry_of<Idle>(), request_of("process", 2));
    pids->member = children_of(getpid()).at(0);
    end_at_once(0);
  });
  ASSERT_NE(pids->member, 0);
  // An orphan is reaped by the system's first process, or waits for that as a zombie without threads of its own.
  while (kill(pids->member, 0) == 0 && thread_count(pids->member) > 0 && state_of(pids->member) != 'Z')
    std::this_thread::yield();
}

void own_handler(int) {}

TEST(TeamDeaths, TheHandlerOfBeforeComesBack) {
  struct sigaction own {};
  own.sa_handler = &own_handler;
  struct sigaction before {};
  sigaction(SIGCHLD, &own, &before);
  {
    const auto alone = open_team(entry_of<Idle>(), request_of("process", 1));
    struct sigaction now {};
    sigaction(SIGCHLD, nullptr, &now);
    EXPECT_EQ(now.sa_handler, &own_handler);  // no member to watch
  }
  for (int i = 0; i < 2; ++i) {
    const auto team = open_team(entry_of<Idle>(), request_of("process", 2));
    struct sigaction now {};
    sigaction(SIGCHLD, nullptr, &now);
    EXPECT_NE(now.sa_handler, &own_handler);
  }
  struct sigaction after {};
  sigaction(SIGCHLD, &before, &after);
  EXPECT_EQ(after.sa_handler, &own_handler);
}

TEST(TeamDeaths, OfOneTeamDoNotConcernAnother) {
  auto older = open_team(entry_of<Idle>(), request_of("process", 2));
  auto newer = open_team(dying("run", 1, [] { end_at_once(3); }), request_of("process", 2));
  EXPECT_THROW(newer->run(Reps{1}), MemberFailed);
  EXPECT_NO_THROW(older->run(Reps{1}));
  older.reset();
  auto third = open_team(dying("run", 1, [] { end_at_once(4); }), request_of("process", 2));
  newer.reset();
  EXPECT_EQ(thrown<MemberFailed>([&] { third->run(Reps{1}); }), "member 1: exited 4");
}

}  // namespace
}  // namespace assay::team_test
