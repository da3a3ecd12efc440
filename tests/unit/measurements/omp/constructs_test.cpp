// SPDX-License-Identifier: Apache-2.0
// OpenMP constructs in the form in which they are timed: they do what they are for, exactly as often as is claimed.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "omp/timed.hpp"

namespace assay::omp {
namespace {

constexpr std::int64_t n = 200;
const Team team{3, Stopwatch()};

// How often each piece was done.
struct Tally {
  explicit Tally(std::int64_t pieces) : done(static_cast<std::size_t>(pieces)) {}
  void operator()(std::int64_t piece) { done.at(static_cast<std::size_t>(piece)).fetch_add(1); }
  void expect_each(int times) const {
    for (std::size_t i = 0; i < done.size(); ++i) ASSERT_EQ(done[i].load(), times) << "piece " << i;
  }
  std::vector<std::atomic<int>> done;
};

TEST(OmpConstructs, EveryThreadDoesAPieceOfEachRegion) {
  Tally tally(n);
  EXPECT_GT(time_parallel(team, n, [&](std::int64_t i) { tally(i); }).count, 0);
  tally.expect_each(team.threads);
}

TEST(OmpConstructs, AReductionAddsUpAllThreads) {
  std::int64_t sum = 0;
  Tally tally(n);
  time_reduction(
      team, n, [&](std::int64_t i) { tally(i); }, sum);
  EXPECT_EQ(sum, n * team.threads);
  tally.expect_each(team.threads);
}

TEST(OmpConstructs, EveryScheduleDealsOutEveryIterationOnce) {
  for (const Schedule schedule : {Schedule::fixed, Schedule::dynamic, Schedule::guided})
    for (const int chunk : {0, 1, 7, 1000}) {
      const std::int64_t each = 11;
      Tally tally(each * team.threads);
      time_loop(team, 5, schedule, chunk, each, [&](std::int64_t i) { tally(i); });
      tally.expect_each(5);
    }
}

TEST(OmpConstructs, NobodyPassesABarrierBeforeTheLastOneHasCome) {
  std::atomic<std::int64_t> done{0};
  std::atomic<int> early{0};
  time_barrier(team, n, [&](std::int64_t i) {
    if (done.fetch_add(1) / team.threads != i) ++early;
  });
  EXPECT_EQ(done.load(), n * team.threads);
  EXPECT_EQ(early.load(), 0);
}

TEST(OmpConstructs, ASinglePieceIsDoneOnce) {
  Tally tally(n);
  time_single(team, n, [&](std::int64_t i) { tally(i); });
  tally.expect_each(1);
}

// True while one thread is inside, who lets others come; two at once are counted.
struct Door {
  void operator()(std::int64_t) {
    if (inside.exchange(true)) ++collisions;
    std::this_thread::yield();
    ++passed;
    inside.store(false);
  }
  std::atomic<bool> inside{false};
  std::atomic<int> collisions{0};
  std::int64_t passed = 0;
};

TEST(OmpConstructs, OneAtATimeIsInACriticalSectionAndUnderALock) {
  Door critical;
  time_critical(team, n + 1, [&](std::int64_t i) { critical(i); });
  EXPECT_EQ(critical.passed, n + 1);
  EXPECT_EQ(critical.collisions.load(), 0);
  Door lock;
  time_lock(team, n + 1, [&](std::int64_t i) { lock(i); });
  EXPECT_EQ(lock.passed, n + 1);
  EXPECT_EQ(lock.collisions.load(), 0);
}

TEST(OmpConstructs, OrderedPiecesAreDoneInOrder) {
  std::vector<std::int64_t> order;
  time_ordered(team, n, [&](std::int64_t i) { order.push_back(i); });
  ASSERT_EQ(order.size(), static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], static_cast<std::int64_t>(i));
}

TEST(OmpConstructs, AtomicAdditionsAreAllThere) {
  std::int64_t sum = 0;
  time_atomic(team, 10 * n + 2, sum);
  EXPECT_EQ(sum, 10 * n + 2);
}

TEST(OmpConstructs, EveryThreadsTasksAreDoneWhenTheClockStops) {
  Tally tally(n);
  time_task(team, n, [&](std::int64_t i) { tally(i); });
  tally.expect_each(team.threads);
}

}  // namespace
}  // namespace assay::omp
