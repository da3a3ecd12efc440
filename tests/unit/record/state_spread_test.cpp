// SPDX-License-Identifier: Apache-2.0
// States of batches whose members, or what they started, the scheduler was free to put anywhere.
#include <gtest/gtest.h>

#include <optional>
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

/// One visit of three batches together, one apart, one of both, and one together on a shared core.
StateSorter sorter_of(const CoreLevels& levels, const CoreReading& reading = lone) {
  const std::vector<JudgedBatch> batches{
      spread_batch(Spread::one_cpu, reading), spread_batch(Spread::one_cpu, reading),
      spread_batch(Spread::one_cpu, reading), spread_batch(Spread::own_cpus, reading),
      spread_batch(Spread::varied, reading),  spread_batch(Spread::one_cpu, busy)};
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, {}, batches});
  sorter.settle(levels);
  return sorter;
}

TEST(StateSpread, KeepsBatchesApart) {
  const CoreLevels levels = levels_of_one();
  const StateSorter sorter = sorter_of(levels);
  EXPECT_EQ(sorter.state_of(0), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(3), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus}));
  EXPECT_EQ(sorter.state_of(4), std::nullopt);
  EXPECT_EQ(sorter.state_of(5), (CoreState{.sharing = Sharing::shared, .spread = Spread::one_cpu}));
}

TEST(StateSpread, AsFoundTakesAllSharingsOfOneSpread) {
  const CoreLevels levels = levels_of_one();
  const StateSorter sorter = sorter_of(levels);
  const CoreState together{.spread = Spread::one_cpu};
  for (const std::size_t batch : {0U, 1U, 2U, 5U}) EXPECT_TRUE(sorter.is_in(batch, together)) << batch;
  for (const std::size_t batch : {3U, 4U}) EXPECT_FALSE(sorter.is_in(batch, together)) << batch;
  EXPECT_TRUE(sorter.is_in(4, {}));
  EXPECT_TRUE(sorter.is_in(0, {.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_FALSE(sorter.is_in(5, {.sharing = Sharing::alone, .spread = Spread::one_cpu}));
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
  EXPECT_EQ(sorter.state_of(3), (CoreState{.spread = Spread::own_cpus}));
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
  add_visits(sorter, 4, Nanoseconds{130}, {pair_on(0, 1), pair_on(1, 0), pair_on(1, 1)});
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(0, 1)});
  add_visits(sorter, 5, {}, {pair_on(0, 1)});
  sorter.settle(levels);
  const CoreState far{.sharing = Sharing::alone, .distance_ns = 130, .spread = Spread::own_cpus};
  EXPECT_EQ(sorter.state_of(0), far);
  EXPECT_EQ(sorter.state_of(1), far) << "the same CPUs, exchanged";
  EXPECT_EQ(sorter.state_of(2), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(12), (CoreState{.sharing = Sharing::alone, .distance_ns = 49, .spread = Spread::own_cpus}));
  EXPECT_EQ(sorter.state_of(15), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus})) << "not known";
  EXPECT_EQ(sorter.usual_spread(), Spread::own_cpus);
  EXPECT_EQ(sorter.usual_distance(), 130) << "of those that are known";
}

TEST(StateSpread, TheUsualDistanceOfMembersThatAreMostlyTogetherIsNone) {
  const CoreLevels levels = levels_of_four();
  StateSorter sorter;
  add_visits(sorter, 4, Nanoseconds{130}, {pair_on(0, 1), pair_on(1, 1), pair_on(1, 1)});
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(0, 1)});
  sorter.settle(levels);
  EXPECT_EQ(sorter.usual_spread(), Spread::one_cpu);
  EXPECT_EQ(sorter.usual_distance(), 0);
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
  add_visits(sorter, 1, Nanoseconds{80}, {pair_on(0, 1), pair_on(1, 1)});
  sorter.settle(levels);
  EXPECT_EQ(sorter.state_of(3), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus})) << "only one level";
  add_visits(sorter, 3, Nanoseconds{49}, {pair_on(0, 1)});
  sorter.settle(levels);
  EXPECT_EQ(sorter.state_of(3), std::nullopt);
  EXPECT_EQ(sorter.state_of(4), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(5).value().distance_ns, 49);
}

}  // namespace
}  // namespace assay::test
