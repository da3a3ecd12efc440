// SPDX-License-Identifier: Apache-2.0
// Barriers with real teams: the oracle accepts the real ones and catches a broken one; late members see all others.
#include <gtest/gtest.h>

#include "ck/calls.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "sync/barriers.hpp"

namespace assay {
namespace {

// Polling members that share a CPU cross once per time slice.
bool can_run(const std::string& barrier, const std::string& vehicle, int members) {
  if (barrier == "std") return vehicle == "thread";
  return barrier == "pthread" || std::ssize(binding_of_self()) >= members;
}

std::vector<std::string> all_barriers() {
  std::vector<std::string> all{"pthread", "std", "central", "dissemination", "tournament", "tree"};
  if (assay_ck_is_here() != 0)
    for (const char* name : {"ck-central", "ck-dissemination", "ck-tournament", "ck-tree"}) all.emplace_back(name);
  return all;
}

class BarrierTeam : public testing::TestWithParam<std::string> {
 protected:
  // Calls `use(barrier, members)` for all that can be had here.
  template <class Use>
  void for_each_barrier(Use use) {
    for (const std::string& barrier : all_barriers())
      for (const int members : {2, 3, 5}) {
        if (!can_run(barrier, GetParam(), members)) continue;
        SCOPED_TRACE(barrier + " of " + std::to_string(members));
        use(barrier, members);
      }
  }
};
INSTANTIATE_TEST_SUITE_P(Team, BarrierTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(BarrierTeam, TheOracleAcceptsEveryBarrier) {
  for_each_barrier([&](const std::string& barrier, int members) {
    const test::Levels levels{{"barrier", barrier}, {"checked", std::string("yes")}};
    EXPECT_GT(test::run_named("sync/barrier", {GetParam(), members}, levels, Reps{200}).value("time"), 0);
  });
}

TEST_P(BarrierTeam, WorkIsTakenOffOnlyWhereThereIsAny) {
  const auto none = test::run_named("sync/barrier", {GetParam()}, {}, Reps{20});
  EXPECT_FALSE(none.batch.members[0].claims.has(BarrierRounds<PthreadBarrier>::residual));
  const auto walk = test::run_named("sync/barrier", {GetParam()}, {{"work", std::string("walk")}}, Reps{20});
  EXPECT_GT(walk.value("work"), 0);
  for (const MemberReport& member : walk.batch.members)
    EXPECT_DOUBLE_EQ(member.claims[0], member.claims[1] + member.claims[2]);
}

TEST_P(BarrierTeam, ALateMemberSeesAllOthersOut) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "a release would contain the others' run";
  for (const std::string barrier : {"pthread", "std", "central", "dissemination", "tournament", "tree"}) {
    if (!can_run(barrier, GetParam(), 2)) continue;
    SCOPED_TRACE(barrier);
    const auto one = test::run_named("sync/barrier_late", {GetParam()}, {{"barrier", barrier}}, Reps{9});
    EXPECT_GT(one.value("proved"), 0);
    EXPECT_LE(one.value("proved"), 1);
    EXPECT_GT(one.value("release"), 0);
    EXPECT_GT(one.value("first"), 0);
    EXPECT_EQ(one.value("first"), one.value("last")) << "there is one other";
    EXPECT_EQ(one.value("spread"), 0);
    for (const MemberReport& member : one.batch.members) EXPECT_GT(member.claims[0], 0) << "each was late in turn";
  }
}

// Holds no member up.
struct Broken {
  explicit Broken(Setup&) {}
  static Traits traits() { return {.vehicles = local_vehicles(), .waiting = Waiting::either}; }
  template <class EachPoll>
  void wait(int, EachPoll) {}
};

Description checked_rounds() {
  Description description{.members = at_least(2), .traits = Broken::traits()};
  description.factors = work_factors();
  description.factors.push_back({.name = "checked", .standard = std::string("yes")});
  return description;
}

TEST_P(BarrierTeam, TheOracleCatchesABarrierThatHoldsNobodyUp) {
  EXPECT_THROW(test::run_class<BarrierRounds<Broken>>(checked_rounds(), {GetParam(), 3}, {}, Reps{1'000'000}),
               MemberFailed);
}

TEST(PhaseOracle, AcceptsThisPhaseAndTheNextOnly) {
  test::PointSetup setup(Point(), 2);
  PhaseOracle oracle(setup);
  std::atomic<std::int64_t> beats{0};
  const Member self(0, 2, Stopwatch(), beats);
  const Member other(1, 2, Stopwatch(), beats);
  oracle.before(self);
  EXPECT_THROW(oracle.after(self), std::logic_error) << "the other has not arrived";
  oracle.before(other);
  EXPECT_NO_THROW(oracle.after(self));
  oracle.before(other);
  EXPECT_NO_THROW(oracle.after(self)) << "it may have gone on to the next";
  oracle.before(other);
  EXPECT_THROW(oracle.after(self), std::logic_error) << "it cannot be past the next without this one";
}

TEST(BarrierLate, MembersThatShareACpuArePreemptedByThoseTheyRelease) {
  Registry registry;
  register_all(registry);
  TeamRequest request;
  request.members = 2;
  request.placement = {"same-pu", {binding_of_self().front(), binding_of_self().front()}};
  try {
    open_team(*registry.find("sync/barrier_late"), request);
    ADD_FAILURE();
  } catch (const Unsupported& refusal) {
    EXPECT_EQ(refusal.code(), "N3");
  }
}

}  // namespace
}  // namespace assay
