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
constexpr double fastest_call = 178;    // on some machines
constexpr double beside_waiting = 1.2;  // times as long beside a neighbour that waits
constexpr std::int64_t many_calls = 2000;

/// Shares of the readings; the rest is usual.
struct PlantedCalls {
  double is_fast = 0;
  double is_slow = 0;
  double is_fastest = 0;
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
    const double level = at < planted.is_fast                                          ? fast_call_time
                         : at < planted.is_fast + planted.is_slow                      ? beside_waiting * usual_call
                         : at < planted.is_fast + planted.is_slow + planted.is_fastest ? fastest_call
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

TEST(CallLevel, LevelsNearerThanNeighboursDelayAreAllUsual) {
  const PlantedCalls planted[] = {{.is_fast = 0.02},
                                  {.is_fast = 0.15, .is_slow = 0.1},
                                  {.is_fast = 0.4, .is_slow = 0.1},
                                  {.is_fast = 0.6},
                                  {.is_fast = 0.3, .is_fastest = 0.25},
                                  {.is_fast = 0.25, .is_slow = 0.15, .is_fastest = 0.35},
                                  {.is_fast = 0.2, .is_fastest = 0.55}};
  for (const PlantedCalls& one : planted) {
    CallLevel calls;
    const UsualCall& call = feed_calls(calls, one).usual();
    const auto what = testing::Message() << one.is_fast << " fast, " << one.is_fastest << " fastest, " << one.is_slow;
    EXPECT_GT(held_share(call, fastest_call), 0.98) << what;
    EXPECT_GT(held_share(call, fast_call_time), 0.98) << what;
    EXPECT_GT(held_share(call, usual_call), 0.98) << what;
    EXPECT_LT(held_share(call, beside_waiting * usual_call), 0.01) << what;
  }
}

TEST(CallLevel, TheyAreUsualFromTheFirstReadingsOn) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CallLevel calls;
    const UsualCall& call = feed_calls(calls, {.is_fast = 0.3, .is_fastest = 0.3}, 60, seed).usual();
    EXPECT_GT(held_share(call, usual_call), 0.9) << seed;
  }
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
  calls.confirm({150, 168});
  EXPECT_EQ(calls.usual().cost, 150);
  EXPECT_TRUE(calls.usual().holds(160));
  EXPECT_FALSE(calls.usual().holds(170));
  feed_calls(calls, {});
  EXPECT_NEAR(calls.usual().cost, usual_call, 0.02 * usual_call);
  calls.confirm({150, 168});
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
