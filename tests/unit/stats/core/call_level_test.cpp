// SPDX-License-Identifier: Apache-2.0
// What system calls usually take, from planted states of a core.
#include "stats/core/call_level.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr double usual_call = 204;      // steps of the chain
constexpr double fast_call_time = 191;  // in the fast state
constexpr double beside_waiting = 1.2;  // times as long beside a neighbour that waits
constexpr std::int64_t many_calls = 2000;

/// Shares of the readings; the rest is usual.
struct PlantedCalls {
  double is_fast = 0;
  double is_slow = 0;
};

/// One reading: within 1 % for nine tenths of the time, and up to a tenth longer else.
double call_reading(Rng& rng, double level) {
  const double late = rng.uniform() < 0.15 ? 0.1 * rng.uniform() : 0;
  return level * (1 + late + 0.006 * rng.normal());
}

CallLevel& feed_calls(CallLevel& calls, const PlantedCalls& planted, std::int64_t readings = many_calls,
                      std::uint64_t seed = 5) {
  Rng rng(seed);
  for (std::int64_t i = 0; i < readings; ++i) {
    const double at = rng.uniform();
    const double level = at < planted.is_fast                     ? fast_call_time
                         : at < planted.is_fast + planted.is_slow ? beside_waiting * usual_call
                                                                  : usual_call;
    calls.add(call_reading(rng, level));
  }
  return calls;
}

/// Of readings at a level: the share that counts as usual.
double held_share(const UsualCall& call, double level) {
  Rng rng(11);
  int holds = 0;
  for (int i = 0; i < many_calls; ++i) holds += call.holds(call_reading(rng, level)) ? 1 : 0;
  return holds / static_cast<double>(many_calls);
}

TEST(CallLevel, ANeighbourThatWaitsIsTold) {
  for (const double share : {0.0, 0.02, 0.3, 0.9}) {
    CallLevel calls;
    const UsualCall& call = feed_calls(calls, {.is_slow = share}).usual();
    EXPECT_NEAR(call.cost, usual_call, 0.02 * usual_call) << share;
    EXPECT_GT(held_share(call, usual_call), 0.98) << share;
    EXPECT_LT(held_share(call, beside_waiting * usual_call), 0.01) << share;
  }
}

TEST(CallLevel, TheFastStateIsTold) {
  for (const double share : {0.15, 0.25, 0.4}) {
    CallLevel calls;
    const UsualCall& call = feed_calls(calls, {.is_fast = share, .is_slow = 0.1}).usual();
    EXPECT_NEAR(call.cost, usual_call, 0.02 * usual_call) << share;
    EXPECT_LT(held_share(call, fast_call_time), 0.2) << share << ": but those that other work delayed";
  }
}

TEST(CallLevel, WhatIsRareOrNoLevelIsNoOtherState) {
  CallLevel rarely_fast;
  EXPECT_GT(held_share(feed_calls(rarely_fast, {.is_fast = 0.02}).usual(), fast_call_time), 0.99);
  CallLevel wide;
  Rng rng(3);
  for (int i = 0; i < many_calls; ++i) wide.add(usual_call * (1 + 0.05 * rng.normal()));
  EXPECT_GT(held_share(wide.usual(), 0.9 * usual_call), 0.99) << "where calls vary that much";
}

TEST(CallLevel, WhatWasUsualStaysSoWhileItHoldsMany) {
  CallLevel calls;
  feed_calls(calls, {}, 200);
  feed_calls(calls, {.is_fast = 0.7}, 1000, 6);
  EXPECT_NEAR(calls.usual().cost, usual_call, 0.02 * usual_call);
  feed_calls(calls, {.is_fast = 0.97}, 10 * many_calls, 7);
  EXPECT_NEAR(calls.usual().cost, fast_call_time, 0.02 * usual_call) << "hardly any is as it was";
}

TEST(CallLevel, WhereTheFastStateIsUsualTheOtherIsNot) {
  CallLevel calls;
  const UsualCall& call = feed_calls(calls, {.is_fast = 0.6}).usual();
  EXPECT_NEAR(call.cost, fast_call_time, 0.02 * usual_call);
  EXPECT_LT(call.longest, 0.99 * usual_call);
  EXPECT_GT(held_share(call, fast_call_time), 0.8);
  EXPECT_LT(held_share(call, usual_call), 0.05);
}

TEST(CallLevel, IsNotKnownFromAFewReadings) {
  CallLevel calls;
  EXPECT_EQ(feed_calls(calls, {}, 19).usual().cost, 0);
  EXPECT_TRUE(calls.usual().holds(1)) << "and then everything is usual";
  feed_calls(calls, {}, 1, 6);
  EXPECT_NEAR(calls.usual().cost, usual_call, 0.03 * usual_call);
}

TEST(CallLevel, AnEarlierSessionSaysWhatIsUsualUntilOwnReadingsDo) {
  CallLevel calls;
  calls.confirm({150, 145, 168});
  EXPECT_EQ(calls.usual().cost, 150);
  EXPECT_TRUE(calls.usual().holds(160));
  EXPECT_FALSE(calls.usual().holds(170));
  EXPECT_FALSE(calls.usual().holds(144));
  feed_calls(calls, {});
  EXPECT_NEAR(calls.usual().cost, usual_call, 0.02 * usual_call);
  calls.confirm({150, 145, 168});
  EXPECT_NEAR(calls.usual().cost, usual_call, 0.02 * usual_call);
}

TEST(CallLevel, TellsOnlyOfChangesThatMatter) {
  CallLevel calls;
  Rng rng(3);
  int changes = 0;
  for (int i = 0; i < 20000; ++i) changes += calls.add(call_reading(rng, usual_call)) ? 1 : 0;
  EXPECT_GE(changes, 1);
  EXPECT_LE(changes, 5);
}

}  // namespace
}  // namespace assay
