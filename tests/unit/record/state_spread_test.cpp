// SPDX-License-Identifier: Apache-2.0
// States of batches whose members, or what they started, the scheduler was free to put anywhere.
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <vector>

#include "record/state_sorter.hpp"

namespace assay::test {
namespace {

constexpr CoreReading lone{{0.072}, {0.9}};
constexpr CoreReading busy{{0.13}, {0.92}};

CoreLevels levels_of_one() {
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i) levels.add(0, lone);
  return levels;
}

JudgedBatch spread_batch(Spread spread, const CoreReading& reading) {
  JudgedBatch judged;
  judged.judgement.spread = spread;
  MemberReport& report = judged.batch.members.emplace_back();
  report.wall = microseconds(20);
  report.cpu_before = report.cpu_after = 0;
  report.core_before = report.core_after = reading;
  return judged;
}

/// One visit of three batches together, two apart, one of both, and two together on a shared core.
StateSorter sorter_of(const CoreLevels& levels, const CoreReading& reading = lone) {
  const std::vector<JudgedBatch> batches{
      spread_batch(Spread::one_cpu, reading),  spread_batch(Spread::one_cpu, reading),
      spread_batch(Spread::one_cpu, reading),  spread_batch(Spread::own_cpus, reading),
      spread_batch(Spread::own_cpus, reading), spread_batch(Spread::varied, reading),
      spread_batch(Spread::one_cpu, busy),     spread_batch(Spread::one_cpu, busy)};
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, {}, batches});
  sorter.settle(levels);
  return sorter;
}

TEST(StateSpread, KeepsBatchesApart) {
  const CoreLevels levels = levels_of_one();
  const StateSorter sorter = sorter_of(levels);
  EXPECT_EQ(sorter.state_of(0), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(4), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus}));
  EXPECT_EQ(sorter.state_of(5), std::nullopt);
  EXPECT_EQ(sorter.state_of(7), (CoreState{.sharing = Sharing::shared, .spread = Spread::one_cpu}));
}

TEST(StateSpread, AsFoundTakesAllSharingsOfOneSpread) {
  const CoreLevels levels = levels_of_one();
  const StateSorter sorter = sorter_of(levels);
  const CoreState together{.spread = Spread::one_cpu};
  for (const std::size_t batch : {0U, 1U, 2U, 7U}) EXPECT_TRUE(sorter.is_in(batch, together)) << batch;
  for (const std::size_t batch : {3U, 4U, 5U, 6U}) EXPECT_FALSE(sorter.is_in(batch, together)) << batch;
  EXPECT_TRUE(sorter.is_in(5, {}));
  EXPECT_TRUE(sorter.is_in(0, {.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_FALSE(sorter.is_in(7, {.sharing = Sharing::alone, .spread = Spread::one_cpu}));
}

// A thread that is created on the CPU of the one before takes 23 us here, and 35 where that one ran elsewhere.
TEST(StateSpread, WhatFollowsAnotherIsOfNoState) {
  const CoreLevels levels = levels_of_one();
  const StateSorter sorter = sorter_of(levels);
  for (const std::size_t batch : {3U, 5U, 6U}) EXPECT_EQ(sorter.state_of(batch), std::nullopt) << batch;
}

TEST(StateSpread, TheFirstBatchFollowsADiscardedOne) {
  const CoreLevels levels = levels_of_one();
  const std::vector<JudgedBatch> batches{spread_batch(Spread::own_cpus, lone), spread_batch(Spread::one_cpu, lone),
                                         spread_batch(Spread::one_cpu, lone)};
  EXPECT_EQ(spread_before(batches, 1), Spread::own_cpus);
  EXPECT_EQ(spread_before(batches, 0), Spread::unknown);
  const auto kept = std::span(batches).subspan(1);
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, {}, kept, {}, 1, {}, spread_before(batches, 1)});
  sorter.add({0, 0, 1, {}, {}, kept});
  sorter.settle(levels);
  EXPECT_EQ(sorter.state_of(0), std::nullopt);
  for (const std::size_t batch : {1U, 2U, 3U})
    EXPECT_EQ(sorter.state_of(batch), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu})) << batch;
}

TEST(StateSpread, WhereNearlyEachFollowsAnotherTheyAreWhatThereIs) {
  const CoreLevels levels = levels_of_one();
  std::vector<JudgedBatch> turns;
  for (int i = 0; i < 20; ++i) turns.push_back(spread_batch(i % 2 == 0 ? Spread::one_cpu : Spread::own_cpus, lone));
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, {}, turns});
  sorter.settle(levels);
  EXPECT_EQ(sorter.usual_spread(), Spread::one_cpu);
  EXPECT_EQ(sorter.state_of(2), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(3), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus}));
  const std::vector<JudgedBatch> steady(3, spread_batch(Spread::own_cpus, lone));
  sorter.add({0, 0, 1, {}, {}, steady});
  sorter.settle(levels);
  EXPECT_EQ(sorter.usual_spread(), Spread::own_cpus) << "a tenth that follow their own are what most are";
  EXPECT_EQ(sorter.state_of(2), std::nullopt);
}

TEST(StateSpread, TheUsualOneIsThatOfMostBatches) {
  const CoreLevels levels = levels_of_one();
  EXPECT_EQ(sorter_of(levels).usual_spread(), Spread::one_cpu);
  EXPECT_EQ(StateSorter().usual_spread(), Spread::unknown);
}

// More members than CPUs are hardly ever all together: such batches are no headline.
TEST(StateSpread, DistinguishesNothingWhereItMostlyVaries) {
  const CoreLevels levels = levels_of_one();
  const std::vector<JudgedBatch> batches{spread_batch(Spread::one_cpu, lone), spread_batch(Spread::varied, lone),
                                         spread_batch(Spread::varied, lone)};
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, {}, batches});
  sorter.settle(levels);
  EXPECT_EQ(sorter.usual_spread(), Spread::unknown);
  for (std::size_t batch = 0; batch < 3; ++batch)
    EXPECT_EQ(sorter.state_of(batch), CoreState{.sharing = Sharing::alone}) << batch;
}

TEST(StateSpread, IsKnownWhereNothingElseIs) {
  const CoreLevels levels;
  const StateSorter sorter = sorter_of(levels, {});
  EXPECT_EQ(sorter.state_of(0), (CoreState{.spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(4), (CoreState{.spread = Spread::own_cpus}));
  EXPECT_EQ(sorter.state_of(3), std::nullopt) << "it follows another";
}

/// A batch of two members that nothing binds, on those CPUs.
JudgedBatch pair_on(int first, int second) {
  JudgedBatch judged = spread_batch(first == second ? Spread::one_cpu : Spread::own_cpus, lone);
  judged.batch.members.push_back(judged.batch.members.front());
  judged.batch.members[0].cpu_before = judged.batch.members[0].cpu_after = first;
  judged.batch.members[1].cpu_before = judged.batch.members[1].cpu_after = second;
  return judged;
}

CoreLevels levels_of_four() {
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i)
    for (int cpu = 0; cpu < 4; ++cpu) levels.add(cpu, lone);
  return levels;
}

/// So many visits of such batches, at that distance.
void add_visits(StateSorter& to, int visits, std::optional<Nanoseconds> distance,
                const std::vector<JudgedBatch>& batches) {
  for (int i = 0; i < visits; ++i) to.add({0, 0, i, distance, {}, batches});
}

TEST(StateSpread, MembersApartHaveADistanceAndThoseTogetherNone) {
  const CoreLevels levels = levels_of_four();
  StateSorter sorter;
  add_visits(sorter, 4, Nanoseconds{130}, {pair_on(0, 1), pair_on(1, 0), pair_on(1, 1), pair_on(1, 1)});
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(0, 1)});
  add_visits(sorter, 5, {}, {pair_on(0, 1)});
  sorter.settle(levels);
  const CoreState far{.sharing = Sharing::alone, .distance_ns = 130, .spread = Spread::own_cpus};
  EXPECT_EQ(sorter.state_of(0), far);
  EXPECT_EQ(sorter.state_of(1), far) << "the same CPUs, exchanged";
  EXPECT_EQ(sorter.state_of(3), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(16), (CoreState{.sharing = Sharing::alone, .distance_ns = 49, .spread = Spread::own_cpus}));
  EXPECT_EQ(sorter.state_of(19), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus})) << "not known";
  EXPECT_EQ(sorter.usual_spread(), Spread::own_cpus);
  EXPECT_EQ(sorter.usual_distance(Sharing::alone), 130) << "of those that are known";
}

TEST(StateSpread, TheUsualDistanceOfMembersThatAreMostlyTogetherIsNone) {
  const CoreLevels levels = levels_of_four();
  StateSorter sorter;
  add_visits(sorter, 4, Nanoseconds{130}, {pair_on(0, 1), pair_on(1, 1), pair_on(1, 1), pair_on(1, 1)});
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(0, 1)});
  sorter.settle(levels);
  EXPECT_EQ(sorter.usual_spread(), Spread::one_cpu);
  EXPECT_EQ(sorter.usual_distance(Sharing::alone), 0);
}

// The round trip was measured before the first batch: where they went later they may be nearer.
TEST(StateSpread, MembersThatMovedToOtherCpusHaveNoDistance) {
  const CoreLevels levels = levels_of_four();
  StateSorter sorter;
  add_visits(sorter, 3, Nanoseconds{130}, {pair_on(0, 1)});
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(2, 3)});
  add_visits(sorter, 1, Nanoseconds{130}, {pair_on(0, 1), pair_on(2, 3)});
  sorter.settle(levels);
  for (const std::size_t batch : {6U, 7U}) {
    ASSERT_TRUE(sorter.state_of(batch)) << batch;
    EXPECT_EQ(sorter.state_of(batch)->distance_ns, 0) << batch;
  }
}

TEST(StateSpread, ADistanceBetweenTwoLevelsIsOfNoState) {
  const CoreLevels levels = levels_of_four();
  StateSorter sorter;
  add_visits(sorter, 3, Nanoseconds{130}, {pair_on(0, 1)});
  add_visits(sorter, 1, Nanoseconds{80}, {pair_on(0, 1), pair_on(1, 1), pair_on(1, 1)});
  sorter.settle(levels);
  EXPECT_EQ(sorter.state_of(3), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus})) << "only one level";
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(0, 1)});
  sorter.settle(levels);
  EXPECT_EQ(sorter.state_of(3), std::nullopt);
  EXPECT_EQ(sorter.state_of(5), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(6).value().distance_ns, 49);
}

}  // namespace
}  // namespace assay::test
