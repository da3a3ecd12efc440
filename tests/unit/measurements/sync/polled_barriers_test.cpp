// SPDX-License-Identifier: Apache-2.0
// Barriers that poll: none leaves a crossing before all have arrived, and what was written before it is seen after it.
#include "sync/polled_barriers.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>
#include <vector>

#include "support/measurements/channel_pair.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

template <class B>
class PolledBarrier : public test::Watched {};
using PolledBarriers = testing::Types<CentralBarrier, DisseminationRounds, Tournament, StaticTree>;
TYPED_TEST_SUITE(PolledBarrier, PolledBarriers);

// Crosses twice per round: ordinary variables are written before the first and read before the second.
template <class B>
int wrong_views(int members, int rounds) {
  test::PointSetup setup(Point(), members);
  B barrier(setup);
  std::vector<int> written(static_cast<std::size_t>(members), 0);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < members; ++rank)
    threads.emplace_back([&, rank] {
      const auto give_way = [] { ::sched_yield(); };
      for (int round = 1; round <= rounds; ++round) {
        written[static_cast<std::size_t>(rank)] = round;
        barrier.wait(rank, give_way);
        for (const int of_one : written) wrong += of_one != round;
        barrier.wait(rank, give_way);
      }
    });
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TYPED_TEST(PolledBarrier, HoldsEachMemberUntilAllHaveArrived) {
  for (const int members : {2, 3, 4, 5, 6, 7, 8, 11, 17}) EXPECT_EQ(wrong_views<TypeParam>(members, 100), 0) << members;
}

TYPED_TEST(PolledBarrier, HoldsTwoMembersOverManyRounds) { EXPECT_EQ(wrong_views<TypeParam>(2, 1'000), 0); }

TEST(BarrierSignals, RoundsAreTheLogarithmRoundedUp) {
  const std::vector<std::pair<int, int>> expected{{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}};
  for (const auto& [members, rounds] : expected) EXPECT_EQ(BarrierSignals::rounds(members), rounds) << members;
}

TEST(CrossingSignal, OneThatIsACrossingAheadHoldsNobodyUp) {
  CrossingSignal signal;
  int polls = 0;
  const auto count = [&] { ++polls; };
  signal.give(6);
  signal.await(5, count);
  signal.give(0);  // after the largest number
  signal.await(0xffffffffU, count);
  EXPECT_EQ(polls, 0);
}

}  // namespace
}  // namespace assay
