// SPDX-License-Identifier: Apache-2.0
// Contention: no operation is lost or counted twice, runs and shares add up; a dead owner's heir goes on.
#include <gtest/gtest.h>

#include "ck/calls.hpp"
#include "lock/queue.hpp"
#include "support/measurements/one_batch.hpp"
#include "sync/contention.hpp"

namespace assay {
namespace {

Takers after(const std::vector<int>& ranks) {
  Takers takers;
  for (const int rank : ranks) takers.taken_by(rank);
  return takers;
}

TEST(Takers, RunsEndWhenAnotherTakesTheLock) {
  const Takers takers = after({0, 0, 0, 1, 0, 0, 2, 2, 2, 2});
  EXPECT_EQ(takers.operations(), 10);
  EXPECT_EQ(takers.longest_run(), 4);
  EXPECT_DOUBLE_EQ(takers.mean_run(), 2.5);
  EXPECT_DOUBLE_EQ(takers.handed_over(), 3.0 / 9);
}

TEST(Takers, OneMemberAloneHandsNothingOver) {
  const Takers takers = after({1, 1, 1});
  EXPECT_EQ(takers.longest_run(), 3);
  EXPECT_DOUBLE_EQ(takers.mean_run(), 3);
  EXPECT_DOUBLE_EQ(takers.handed_over(), 0);
}

TEST(Takers, AlternationIsAllHandOffs) {
  EXPECT_DOUBLE_EQ(after({0, 1, 0, 1}).handed_over(), 1);
  EXPECT_EQ(after({0, 1, 0, 1}).longest_run(), 1);
}

TEST(JainIndex, IsOneForEqualSharesAndOneOverNForOneOwner) {
  EXPECT_DOUBLE_EQ(jain_index({5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(jain_index({9, 0, 0}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(jain_index({3, 1}), 0.8);
}

class ContentionTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, ContentionTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

bool spins(const std::string& word) {
  Registry registry;
  register_all(registry);
  Point point;
  point.set("lock", word);
  return traits_at(registry.find("sync/contention")->description, point).waiting == Waiting::spins;
}

TEST_P(ContentionTeam, SharesAndRunsAddUpForEveryLock) {
  Registry registry;
  register_all(registry);
  for (const std::string& word : registry.find("sync/contention")->description.factors.front().words) {
    const bool is_missing = word.starts_with("ck-") && assay_ck_is_here() == 0;
    if (word == "mutex-pp" || is_missing || (spins(word) && binding_of_self().size() < 2)) continue;
    SCOPED_TRACE(word);
    const test::Levels levels{{"lock", word},
                              {"hold", std::string("walk")},
                              {"think", std::string("compute")},
                              {"think-size", std::int64_t{500}}};
    const auto one = test::run_named("sync/contention", {GetParam(), 2}, levels, Reps{1});
    EXPECT_NEAR(one.value("time") * one.value("rate"), 1e9, 1);
    EXPECT_GE(one.value("handoffs"), 0);
    EXPECT_LE(one.value("handoffs"), 1);
    EXPECT_GE(one.value("run_length"), 1);
    EXPECT_GE(one.value("longest_run"), one.value("run_length"));
    EXPECT_GE(one.value("fairness"), 0.5);
    EXPECT_LE(one.value("fairness"), 1 + 1e-12);
    // With two members the least share x gives the index 1 / (2 (x^2 + (1-x)^2)): every operation was counted once,
    // by its member and under the lock.
    const double x = one.value("least_share");
    EXPECT_NEAR(one.value("fairness"), 1 / (2 * (x * x + (1 - x) * (1 - x))), 1e-9);
  }
}

// One memory node or several: members of this machine's first two CPUs.
TEST_P(ContentionTeam, ACohortLockSaysHowManyCohortsThereAre) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "members that spin need a CPU each";
  const auto cohort = test::run_named("sync/contention", {GetParam(), 2}, {{"lock", std::string("cohort")}}, Reps{1});
  EXPECT_GE(cohort.value("cohorts"), 1);
  EXPECT_LE(cohort.value("cohorts"), 2);
  const auto other = test::run_named("sync/contention", {GetParam(), 2}, {{"lock", std::string("mcs")}}, Reps{1});
  EXPECT_FALSE(other.batch.members[0].claims.has(Contention<McsLock>::cohorts));
}

TEST_P(ContentionTeam, NobodyIsOvertakenInAQueueThatIsNeverEmpty) {
  if (binding_of_self().size() < 2) GTEST_SKIP() << "members that spin need a CPU each";
  for (const std::string lock : {"ticket", "mcs", "clh", "cohort", "ck-ticket", "ck-mcs", "ck-clh"}) {
    if (lock.starts_with("ck-") && assay_ck_is_here() == 0) continue;
    const test::Levels levels{{"lock", lock}, {"hold", std::string("compute")}, {"hold-size", std::int64_t{1000}}};
    // A member that is not running is not in the queue: one undisturbed window is enough.
    double handoffs = 0;
    double least_share = 0;
    for (int window = 0; window < 20 && handoffs < 0.5; ++window) {
      const auto one = test::run_named("sync/contention", {GetParam(), 2}, levels, Reps{1});
      handoffs = one.value("handoffs");
      least_share = one.value("least_share");
    }
    EXPECT_GE(handoffs, 0.5) << lock;
    EXPECT_GT(least_share, 0.2) << lock;
  }
}

TEST_P(ContentionTeam, FourMembersShareWhatIsLeft) {
  const auto one = test::run_named("sync/contention", {GetParam(), 4}, {}, Reps{1});
  EXPECT_LE(one.value("least_share"), 0.25);
  EXPECT_GE(one.value("fairness"), 0.25);
}

TEST(Contention, ReadersDoNotContendAndWindowsHaveALength) {
  Registry registry;
  register_all(registry);
  const auto& words = registry.find("sync/contention")->description.factors.front().words;
  EXPECT_EQ(std::count(words.begin(), words.end(), "rwlock-read"), 0);
  EXPECT_THROW(test::run_named("sync/contention", {}, {{"window", std::int64_t{0}}}, Reps{1}), Unsupported);
}

TEST_P(ContentionTeam, TheHeirOfADeadOwnerIsToldAndGoesOn) {
  const auto one = test::run_named("sync/owner_died", {GetParam()}, {}, Reps{20});
  EXPECT_GT(one.value("handover"), 0);
  EXPECT_GT(one.value("recovery"), 0);
  EXPECT_GT(one.value("proved"), 0);
  EXPECT_LE(one.value("proved"), 1);
}

TEST(NotifyBucket, NobodyIsLostWhateverTheOtherWaitsFor) {
  for (const std::string foreign : {"none", "same-bucket", "other-bucket"})
    EXPECT_GT(test::run_named("sync/notify_bucket", {}, {{"foreign", foreign}}, Reps{10'000}).value("time"), 0)
        << foreign;
}

}  // namespace
}  // namespace assay
