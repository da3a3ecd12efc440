// SPDX-License-Identifier: Apache-2.0
// The lock rings: every interleaving of the sound ones keeps the order, and the check would catch the unsound one.
#include "lock/ring.hpp"

#include <gtest/gtest.h>

#include "support/measurements/ring_explorer.hpp"

namespace assay {
namespace {

TEST(LockRing, FourLocksKeepTheOrderInEveryInterleaving) {
  const auto found = test::explore(four_lock_ring());
  EXPECT_GT(found.states, 8);
  EXPECT_EQ(found.deadlocks, 0);
  EXPECT_EQ(found.order_violations, 0);
  EXPECT_EQ(found.foreign_unlocks, 0);
  EXPECT_TRUE(found.returns);
}

TEST(LockRing, ThreeLocksSufficeAsWell) {
  const auto found = test::explore(three_lock_ring());
  EXPECT_EQ(found.deadlocks, 0);
  EXPECT_EQ(found.order_violations, 0);
  EXPECT_EQ(found.foreign_unlocks, 0);
  EXPECT_TRUE(found.returns);
}

TEST(LockRing, TwoLocksAreCaughtByTheOrderCheck) {
  const auto found = test::explore(two_lock_ring());
  EXPECT_GT(found.order_violations, 0);
  EXPECT_EQ(found.foreign_unlocks, 0);
}

TEST(LockRing, EachLockOfACycleExpectsThePartnersNextPhase) {
  constexpr auto ring = four_lock_ring();
  // Locks of main stand at steps 1, 3, 5, 7 and follow the client's first, second, third and fourth unlock.
  EXPECT_EQ(partner_phase(ring.main, ring.client, 1), 1);
  EXPECT_EQ(partner_phase(ring.main, ring.client, 3), 2);
  EXPECT_EQ(partner_phase(ring.main, ring.client, 5), 3);
  EXPECT_EQ(partner_phase(ring.main, ring.client, 7), 4);
  EXPECT_EQ(partner_phase(ring.client, ring.main, 0), 1);
  EXPECT_EQ(partner_phase(ring.client, ring.main, 6), 4);
}

TEST(LockRing, ACycleHoldsFourRoundTrips) { EXPECT_EQ(four_lock_ring().round_trips, 4); }

std::vector<int> cycle_of(bool main) {
  std::vector<int> done;
  const auto note = [&](RingStep step) {
    done.push_back(step.act == RingStep::Act::lock ? step.lock + 1 : -(step.lock + 1));
  };
  main ? perform_cycle<four_lock_ring, true>(note) : perform_cycle<four_lock_ring, false>(note);
  return done;
}

TEST(LockRing, TheUnrolledCycleIsTheProgram) {
  EXPECT_EQ(cycle_of(true), (std::vector<int>{-1, 2, -3, 4, -2, 1, -4, 3}));
  EXPECT_EQ(cycle_of(false), (std::vector<int>{1, -2, 3, -4, 2, -1, 4, -3}));
}

}  // namespace
}  // namespace assay
