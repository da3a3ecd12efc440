// SPDX-License-Identifier: Apache-2.0
// Futex calls by real teams: every sleeper is woken or moved as the kernel counts them, and owners inherit.
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "futex/futex_many.hpp"
#include "futex/futex_pi.hpp"
#include "support/measurements/channel_pair.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

class FutexTeam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, FutexTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(FutexTeam, AllAreWokenWhateverTheirNumber) {
  for (const int members : {2, 3, 6}) {
    const auto one = test::run_named("sync/futex_wake", {GetParam(), members}, {}, Reps{50});
    EXPECT_GT(one.value("first"), 0);
    EXPECT_GE(one.value("last"), one.value("first"));
    EXPECT_TRUE(members > 2 || one.value("last") == one.value("first")) << "there is one other";
    const bool is_alone = std::ssize(binding_of_self()) >= members;
    EXPECT_EQ(one.batch.members[0].claims.has(FutexWake::call), is_alone) << "else it contains the others' run";
  }
}

TEST_P(FutexTeam, AllAreMovedWhateverTheirNumber) {
  for (const int members : {2, 3, 6})
    EXPECT_GT(test::run_named("sync/futex_requeue", {GetParam(), members}, {}, Reps{50}).value("call"), 0) << members;
}

TEST_P(FutexTeam, AWordOfPriorityInheritanceIsLockedAloneAndHandedOver) {
  try {
    EXPECT_GT(test::run_named("sync/futex_pi", {GetParam()}, {}, Reps{200}).value("time"), 0);
    for (const std::string waiter : {"sleeps", "polls"}) {
      const auto one = test::run_named("sync/futex_pi_handover", {GetParam()}, {{"waiter", waiter}}, Reps{50});
      EXPECT_GT(one.value("handover"), 0) << waiter;
      EXPECT_GT(one.value("proved"), 0) << waiter;
      EXPECT_LE(one.value("proved"), 1) << waiter;
      EXPECT_EQ(one.batch.members[0].claims.has(FutexPiHandover::call), binding_of_self().size() > 1) << waiter;
      // Proved off its CPU, so that it was switched out.
      if (waiter == "sleeps") {
        EXPECT_GE(static_cast<double>(one.batch.members[1].voluntary), 50 * one.value("proved"));
      }
    }
  } catch (const Unsupported& refusal) {
    GTEST_SKIP() << refusal.what();
  }
}

class FutexAlone : public test::Watched {};

TEST_F(FutexAlone, SleepersAreCountedAndStayWhereTheyAre) {
  test::PointSetup setup(Point(), 3);
  FutexCalls futex(setup);
  FutexCalls::Word word{0};
  FutexCalls::Word other{0};
  EXPECT_EQ(futex.sleepers(word), 0);
  const auto sleep = [&] {
    while (word == 0) futex.wait(word, 0);
  };
  std::array<std::thread, 2> threads{std::thread(sleep), std::thread(sleep)};
  while (futex.sleepers(word) != 2) ::sched_yield();
  EXPECT_EQ(futex.sleepers(word), 2) << "counting moves none";
  EXPECT_EQ(futex.requeue_all(word, other, 1), -1) << "the word has another value";
  word = 1;
  EXPECT_EQ(futex.requeue_all(word, other, 1), 2);
  EXPECT_EQ(futex.sleepers(word), 0);
  EXPECT_EQ(futex.wake_all(word), 0);
  EXPECT_EQ(futex.wake_all(other), 2);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(FutexAlone, ACallThatConcernsAnotherNumberIsNoNumber) {
  test::PointSetup setup(Point(), 3);
  FutexSleepers sleepers(setup);
  EXPECT_NO_THROW(sleepers.check(2));
  EXPECT_THROW(sleepers.check(1), std::logic_error);
  EXPECT_THROW(sleepers.check(-1), std::logic_error);
}

TEST(Membarrier, EveryCommandWorksOrSaysThatTheKernelLacksIt) {
  for (const std::string command : {"private-expedited", "private-sync-core", "global-expedited", "global"})
    for (const int members : {1, 2}) {
      if (std::ssize(binding_of_self()) < members) continue;
      try {
        EXPECT_GT(
            test::run_named("sync/membarrier", {"thread", members}, {{"command", command}}, Reps{3}).value("time"), 0);
      } catch (const Unsupported& refusal) {
        EXPECT_NE(std::string(refusal.what()).find(command), std::string::npos);
      }
    }
}

}  // namespace
}  // namespace assay
