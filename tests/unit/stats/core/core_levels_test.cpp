// SPDX-License-Identifier: Apache-2.0
// What cores yield alone, from planted readings.
#include "stats/core/core_levels.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr double lone = 0.08;  // wide over chain
constexpr double cycle = 0.3;  // ns

struct Planted {
  double alone = 1;    ///< share of readings
  double ratio = 1.8;  ///< of a shared core
  double clock = 1;
};

CoreReading reading(Rng& rng, bool alone, const Planted& planted) {
  const double chain = 3 * cycle / planted.clock * (1 + 0.005 * rng.normal());
  return {{lone * 3 * cycle / planted.clock * (alone ? 1 : planted.ratio) * (1 + 0.004 * rng.normal())}, {chain}};
}

CoreLevels fed(const Planted& planted, int readings, CoreLevels levels = CoreLevels(3)) {
  Rng rng(7);
  for (int i = 0; i < readings; ++i) levels.add(0, reading(rng, rng.uniform() < planted.alone, planted));
  return levels;
}

double right_share(const CoreLevels& levels, const Planted& planted) {
  Rng rng(8);
  int right = 0;
  constexpr int tries = 2000;
  for (int i = 0; i < tries; ++i) {
    const bool alone = i % 2 == 0;
    right += levels.judge(0, reading(rng, alone, planted)) == (alone ? Sharing::alone : Sharing::shared) ? 1 : 0;
  }
  return right / static_cast<double>(tries);
}

TEST(CoreLevels, WhatIsAloneIsToldFromWhatIsShared) {
  for (const double alone : {0.97, 0.5, 0.1, 0.03}) {
    const Planted planted{alone};
    const CoreLevels levels = fed(planted, 2000);
    ASSERT_TRUE(levels.level(0)) << alone;
    EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone) << alone;
    EXPECT_GT(right_share(levels, planted), 0.99) << alone;
  }
}

TEST(CoreLevels, AFewReadingsDo) {
  EXPECT_FALSE(fed({}, 19).level(0));
  ASSERT_TRUE(fed({}, 20).level(0));
  EXPECT_NEAR(fed({}, 20).level(0)->alone, lone, 0.02 * lone);
}

TEST(CoreLevels, TheClockIsNoNeighbour) {
  CoreLevels levels = fed({0.7}, 1000);
  Rng rng(9);
  for (const double clock : {0.7, 1.2}) {
    const Planted other{1, 1.8, clock};
    const CoreReading alone = reading(rng, true, other);
    EXPECT_EQ(levels.judge(0, alone), Sharing::alone);
    EXPECT_EQ(levels.judge(0, reading(rng, false, other)), Sharing::shared);
    EXPECT_NEAR(levels.clock_ratio(0, alone.chain), clock, 0.03);
  }
}

TEST(CoreLevels, ACoreThatWasNeverAloneIsNotCalledSo) {
  // All readings at one level that half a core could earn: nothing says that it is not shared.
  const Planted always_shared{0, 1.8};
  const CoreLevels levels = fed(always_shared, 2000, CoreLevels(3));
  ASSERT_TRUE(levels.level(0));
  EXPECT_EQ(levels.level(0)->because, AloneBecause::nothing);
  Rng rng(1);
  EXPECT_EQ(levels.judge(0, reading(rng, false, always_shared)), Sharing::unknown);
  EXPECT_EQ(levels.judge(0, reading(rng, true, always_shared)), Sharing::unknown);
}

TEST(CoreLevels, WhyALevelIsThatOfACoreAlone) {
  // 1 / (0.08 x 3) = 4.2 additions a cycle: more than half a core has.
  EXPECT_EQ(fed({}, 100, CoreLevels(3)).level(0)->because, AloneBecause::throughput);
  EXPECT_EQ(fed({}, 100, CoreLevels(0)).level(0)->because, AloneBecause::nothing);
  EXPECT_EQ(fed({0.5}, 1000, CoreLevels(0)).level(0)->because, AloneBecause::two_levels);
  EXPECT_EQ(fed({}, 100, CoreLevels(0, true)).level(0)->because, AloneBecause::one_thread);
}

TEST(CoreLevels, AnEarlierSessionConfirms) {
  CoreLevels levels(0);
  levels.confirm({0, lone, {3 * cycle}, AloneBecause::throughput, 1000, 500});
  EXPECT_EQ(fed({}, 200, levels).level(0)->because, AloneBecause::earlier);
  // All that this one sees is shared: the level stays that of the earlier one, and says so.
  const CoreLevels shared = fed({0, 1.8}, 200, levels);
  EXPECT_NEAR(shared.level(0)->alone, lone, 1e-9);
  Rng rng(1);
  EXPECT_EQ(shared.judge(0, reading(rng, false, {})), Sharing::shared);
  CoreLevels unsure(0);
  unsure.confirm({0, lone, {3 * cycle}, AloneBecause::nothing, 1000, 500});
  EXPECT_FALSE(unsure.level(0));
}

TEST(CoreLevels, WhatWasProvedStaysSo) {
  // Alone at first, then for so long not that less than one reading in a hundred was alone.
  const CoreLevels levels = fed({0, 1.8}, 20000, fed({}, 100));
  EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone);
  EXPECT_EQ(levels.level(0)->because, AloneBecause::throughput);
  Rng rng(1);
  EXPECT_EQ(levels.judge(0, reading(rng, false, {})), Sharing::shared);
  // Where nothing proves it, what is seen now counts.
  EXPECT_GT(fed({0, 1.8}, 20000, fed({}, 100, CoreLevels(0))).level(0)->alone, 1.5 * lone);
}

TEST(CoreLevels, EachCpuHasItsOwn) {
  CoreLevels levels(0, true);
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    levels.add(0, reading(rng, true, {}));
    CoreReading slow = reading(rng, true, {});
    slow.wide = 2 * slow.wide;  // a kind with half the units
    levels.add(1, slow);
  }
  EXPECT_NEAR(levels.level(1)->alone, 2 * levels.level(0)->alone, 0.03 * lone);
  EXPECT_EQ(levels.levels().size(), 2U);
}

// Two nodes number their CPUs alike, and the cores of one yield half of what those of the other do.
TEST(CoreLevels, EachNodeHasItsOwn) {
  CoreLevels levels;
  levels.know({"fast", 3, false});
  levels.know({"single", 0, true});
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    CoreReading slow = reading(rng, true, {});
    slow.wide = 2 * slow.wide;
    levels.add({"fast", 0}, reading(rng, true, {}));
    levels.add({"single", 0}, slow);
    levels.add({"other", 0}, slow);
  }
  EXPECT_NEAR(levels.level({"single", 0})->alone, 2 * levels.level({"fast", 0})->alone, 0.03 * lone);
  EXPECT_EQ(levels.level({"fast", 0})->because, AloneBecause::throughput);
  EXPECT_EQ(levels.level({"single", 0})->because, AloneBecause::one_thread);
  EXPECT_EQ(levels.level({"other", 0})->because, AloneBecause::nothing) << "nobody told what holds there";
  EXPECT_FALSE(levels.level(0)) << "nothing was measured on the session's own node";
  const CoreReading slow{{2 * lone * 3 * cycle}, {3 * cycle}};
  EXPECT_EQ(levels.judge({"fast", 0}, slow), Sharing::shared);
  EXPECT_EQ(levels.judge({"single", 0}, slow), Sharing::alone);
  EXPECT_NEAR(levels.clock_ghz("fast", {3 * cycle}), 1 / cycle, 1e-9);
  EXPECT_EQ(levels.clock_ghz("single", {3 * cycle}), 0);
  levels.know({"fast", 0, false});
  EXPECT_NEAR(levels.clock_ghz("fast", {3 * cycle}), 1 / cycle, 1e-9)
      << "a session that could not tell takes nothing away";
  const auto named = levels.named_nodes();
  ASSERT_EQ(named.size(), 3U);
  EXPECT_EQ(named[0].node, "fast");
  EXPECT_EQ(named[0].cycles_per_step, 3);
  EXPECT_TRUE(named[2].one_thread);
}

TEST(CoreLevels, WhoIsTheOnlyOneOnItsNode) {
  EXPECT_EQ(single_on_node({}, 1), std::vector<bool>({true}));
  EXPECT_EQ(single_on_node({}, 2), std::vector<bool>({false, false}));
  const std::vector<std::string> nodes{"a", "b", "a"};
  EXPECT_EQ(single_on_node(nodes, 3), std::vector<bool>({false, true, false}));
  EXPECT_EQ(cpu_of(nodes, 1, 7), NodeCpu("b", 7));
  EXPECT_EQ(cpu_of(nodes, 3, 7), NodeCpu(7));
}

TEST(CoreLevels, InterruptedReadingsAreNoLevel) {
  // A chain that an interrupt hit looks as if the core yielded more than it can.
  CoreLevels levels(3);
  Rng rng(4);
  for (int i = 0; i < 3000; ++i) {
    CoreReading one = reading(rng, rng.uniform() < 0.3, {});
    if (i % 70 == 0) one.chain = one.chain * (1.2 + 10 * rng.uniform());
    levels.add(0, one);
  }
  EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone);
}

TEST(CoreLevels, InterruptionsFromTheBeginningAreNoLevelEither) {
  CoreLevels levels(3);
  const Nanoseconds chain{3 * cycle};
  for (int i = 0; i < 12; ++i) levels.add(0, {lone * chain, 4 * chain});
  levels = fed({.alone = 0.3}, 400, levels);
  EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone);
}

// As seen on a busy machine: the readings of a core that is nearly always alone have a tail to below.
TEST(CoreLevels, ATailBelowALevelIsNoLevel) {
  CoreLevels levels(3);
  Rng rng(3);
  for (int i = 0; i < 5000; ++i) {
    CoreReading one = reading(rng, true, {});
    if (rng.uniform() < 0.06) one.wide = (1 - 0.15 * rng.uniform()) * one.wide;
    levels.add(0, one);
  }
  EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone);
}

// As seen where the clock wanders: chains that were read at a lower clock than the additions behind them, many of them
// while the first processes start. Until they were outvoted, a campaign found its cores shared from begin to end.
TEST(CoreLevels, WhatIsLearnedFromTheFirstReadingsIsLearnedAnew) {
  for (const bool is_known : {false, true}) {
    CoreLevels levels(3);
    if (is_known) levels.confirm({0, 0.92 * lone, {3 * cycle}, AloneBecause::throughput, 100, 90});
    Rng rng(5);
    for (int i = 0; i < 5000; ++i) {
      CoreReading one = reading(rng, true, {});
      if (rng.uniform() < (i < 30 ? 0.6 : 0.03)) one.wide = 0.92 * one.wide;
      levels.add(0, one);
    }
    EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone) << is_known;
  }
}

// As seen where a process begins with hundreds of threads: chains that took twice as long.
TEST(CoreLevels, ChainsThatTookTwiceAsLongAreNoLevelForLong) {
  for (const double longer : {1.15, 1.9}) {
    CoreLevels levels(3);
    Rng rng(6);
    for (int i = 0; i < 20'000; ++i) {
      CoreReading one = reading(rng, true, {});
      if (rng.uniform() < (i < 30 ? 0.6 : 0.01)) one.chain = longer * one.chain;
      levels.add(0, one);
    }
    EXPECT_NEAR(levels.level(0)->alone, lone, 0.02 * lone) << longer;
  }
}

TEST(CoreLevels, AReadingWhoseChainWasInterruptedIsNotAlone) {
  const CoreLevels levels = fed({.alone = 0.5}, 400);
  const Nanoseconds chain{3 * cycle};
  EXPECT_EQ(levels.judge(0, {lone * chain, chain}), Sharing::alone);
  EXPECT_EQ(levels.judge(0, {lone * chain, 2 * chain}), Sharing::shared);
}

TEST(CoreLevels, TheVersionChangesWithWhatIsUsed) {
  CoreLevels levels(0);
  Rng rng(5);
  EXPECT_EQ(levels.version(), 0);
  for (int i = 0; i < 40; ++i) levels.add(0, reading(rng, false, {}));
  const auto shared_only = levels.version();
  EXPECT_GT(shared_only, 0);
  for (int i = 0; i < 400; ++i) levels.add(0, reading(rng, true, {}));
  EXPECT_GT(levels.version(), shared_only);
  const auto settled = levels.version();
  for (int i = 0; i < 4000; ++i) levels.add(0, reading(rng, i % 2 == 0, {}));
  EXPECT_LE(levels.version(), settled + 2);
}

TEST(CoreLevels, WordsAreReadBack) {
  for (const auto sharing : {Sharing::unknown, Sharing::alone, Sharing::shared, Sharing::mixed})
    EXPECT_EQ(parse_sharing(to_text(sharing)), sharing);
  for (const auto why : {AloneBecause::nothing, AloneBecause::two_levels, AloneBecause::throughput,
                         AloneBecause::earlier, AloneBecause::one_thread})
    EXPECT_EQ(parse_alone_because(to_text(why)), why);
  EXPECT_FALSE(parse_sharing("lonely"));
}

}  // namespace
}  // namespace assay
