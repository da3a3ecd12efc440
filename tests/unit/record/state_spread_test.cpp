// SPDX-License-Identifier: Apache-2.0
// States of batches whose members, or what they started, the scheduler was free to put anywhere.
#include <gtest/gtest.h>

#include "record/state_sorter.hpp"

namespace assay::test {
namespace {

constexpr CoreReading alone{{0.072}, {0.9}};
constexpr CoreReading shared{{0.13}, {0.92}};

CoreLevels known_levels() {
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i) levels.add(0, alone);
  return levels;
}

JudgedBatch batch_of(Spread spread, const CoreReading& reading) {
  JudgedBatch judged;
  judged.judgement.spread = spread;
  MemberReport& report = judged.batch.members.emplace_back();
  report.wall = microseconds(20);
  report.cpu_before = report.cpu_after = 0;
  report.core_before = report.core_after = reading;
  return judged;
}

/// One visit of three batches together, one apart, one of both, and one together on a shared core.
StateSorter sorted(const CoreLevels& levels, const CoreReading& reading = alone) {
  const std::vector<JudgedBatch> batches{batch_of(Spread::one_cpu, reading), batch_of(Spread::one_cpu, reading),
                                         batch_of(Spread::one_cpu, reading), batch_of(Spread::own_cpus, reading),
                                         batch_of(Spread::varied, reading),  batch_of(Spread::one_cpu, shared)};
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, {}, batches});
  sorter.settle(levels);
  return sorter;
}

TEST(StateSpread, KeepsBatchesApart) {
  const CoreLevels levels = known_levels();
  const StateSorter sorter = sorted(levels);
  EXPECT_EQ(sorter.state_of(0), (CoreState{.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(3), (CoreState{.sharing = Sharing::alone, .spread = Spread::own_cpus}));
  EXPECT_EQ(sorter.state_of(4), std::nullopt);
  EXPECT_EQ(sorter.state_of(5), (CoreState{.sharing = Sharing::shared, .spread = Spread::one_cpu}));
}

TEST(StateSpread, AsFoundTakesAllSharingsOfOneSpread) {
  const CoreLevels levels = known_levels();
  const StateSorter sorter = sorted(levels);
  const CoreState together{.spread = Spread::one_cpu};
  for (const std::size_t batch : {0U, 1U, 2U, 5U}) EXPECT_TRUE(sorter.is_in(batch, together)) << batch;
  for (const std::size_t batch : {3U, 4U}) EXPECT_FALSE(sorter.is_in(batch, together)) << batch;
  EXPECT_TRUE(sorter.is_in(4, {}));
  EXPECT_TRUE(sorter.is_in(0, {.sharing = Sharing::alone, .spread = Spread::one_cpu}));
  EXPECT_FALSE(sorter.is_in(5, {.sharing = Sharing::alone, .spread = Spread::one_cpu}));
}

TEST(StateSpread, TheUsualOneIsThatOfMostBatches) {
  const CoreLevels levels = known_levels();
  EXPECT_EQ(sorted(levels).usual_spread(), Spread::one_cpu);
  EXPECT_EQ(StateSorter().usual_spread(), Spread::unknown);
}

TEST(StateSpread, IsKnownWhereNothingElseIs) {
  const CoreLevels levels;
  const StateSorter sorter = sorted(levels, {});
  EXPECT_EQ(sorter.state_of(0), (CoreState{.spread = Spread::one_cpu}));
  EXPECT_EQ(sorter.state_of(3), (CoreState{.spread = Spread::own_cpus}));
}

}  // namespace
}  // namespace assay::test
