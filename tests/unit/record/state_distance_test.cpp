// SPDX-License-Identifier: Apache-2.0
// States of members that a hypervisor moves between cores of one cache.
#include <gmock/gmock.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "record/known_cores.hpp"
#include "record/state_sorter.hpp"

namespace assay::test {
namespace {

using testing::Optional;

constexpr CoreReading at_ease{{0.072}, {0.9}};
constexpr CoreReading not_alone{{0.13}, {0.92}};
constexpr Nanoseconds polled{80};

/// Both CPUs alone, and at 118 and 128 ns from each other.
CoreLevels levels_of_moved_pair() {
  CoreLevels levels(3);
  for (int i = 0; i < 60; ++i) {
    for (const int cpu : {0, 1}) levels.add(cpu, at_ease);
    levels.add_distance({0, 1}, {i % 2 == 0 ? 118.0 : 128.0});
  }
  return levels;
}

JudgedBatch pair_that(const CoreReading& reads) {
  JudgedBatch judged;
  for (const int cpu : {0, 1}) {
    MemberReport& report = judged.batch.members.emplace_back();
    report.wall = microseconds(20);
    report.cpu_before = report.cpu_after = cpu;
    report.core_before = report.core_after = reads;
  }
  return judged;
}

/// Visits of a batch alone and one that is shared; `looked`: what the cores read before the round trip.
void add_visits(StateSorter& to, int visits, Nanoseconds trip, const std::vector<CoreReading>& looked) {
  const std::vector<JudgedBatch> batches{pair_that(at_ease), pair_that(not_alone)};
  for (int i = 0; i < visits; ++i) to.add({0, i % 2, i, trip, looked, batches});
}

StateSorter moved_sorter() {
  StateSorter sorter;
  add_visits(sorter, 4, {118.4}, {at_ease, at_ease});
  add_visits(sorter, 6, {127.6}, {at_ease, at_ease});
  add_visits(sorter, 2, {128}, {at_ease, not_alone});
  return sorter;
}

TEST(StateDistance, ThatHardlyDiffersNamesTheStatesOfCoresAlone) {
  const CoreLevels levels = levels_of_moved_pair();
  StateSorter sorter = moved_sorter();
  sorter.settle(levels, polled);
  EXPECT_THAT(sorter.state_of(0), Optional(CoreState{Sharing::alone, 0, 118}));
  EXPECT_THAT(sorter.state_of(8), Optional(CoreState{Sharing::alone, 0, 128}));
  EXPECT_THAT(sorter.state_of(1), Optional(CoreState{Sharing::shared})) << "others delay the round trip";
  EXPECT_EQ(sorter.state_of(20), std::nullopt) << "alone meanwhile, but not when it was read";
  EXPECT_EQ(sorter.usual_distance(Sharing::alone), 128);
  EXPECT_EQ(sorter.usual_distance(Sharing::shared), 0);
}

TEST(StateDistance, ThatHardlyDiffersIsNoneToWhatTakesLong) {
  const CoreLevels levels = levels_of_moved_pair();
  StateSorter sorter = moved_sorter();
  sorter.settle(levels, microseconds(5));
  for (const std::size_t batch : {0U, 8U, 20U})
    EXPECT_THAT(sorter.state_of(batch), Optional(CoreState{Sharing::alone})) << batch;
}

TEST(StateDistance, OfThreeMembersIsOfNoPair) {
  const CoreLevels levels = levels_of_moved_pair();
  StateSorter sorter;
  JudgedBatch three = pair_that(at_ease);
  three.batch.members.push_back(three.batch.members.front());
  for (int i = 0; i < 8; ++i)
    sorter.add({0, 0, i, Nanoseconds{i % 2 == 0 ? 118.0 : 128.0}, {at_ease, at_ease, at_ease}, std::vector{three}});
  sorter.settle(levels, polled);
  EXPECT_EQ(sorter.state_of(0), sorter.state_of(1));
}

TEST(StateDistance, OfMembersThatNothingBindsIsAsEver) {
  const CoreLevels levels = levels_of_moved_pair();
  StateSorter sorter;
  JudgedBatch free = pair_that(at_ease);
  free.judgement.spread = Spread::own_cpus;
  for (int i = 0; i < 8; ++i)
    sorter.add({0, 0, i, Nanoseconds{i % 2 == 0 ? 118.0 : 128.0}, {at_ease, at_ease}, std::vector{free}});
  sorter.settle(levels, polled);
  EXPECT_EQ(sorter.state_of(0), sorter.state_of(1));
}

// Readers classify by what the point's record holds.
TEST(StateDistance, ReadersKnowThemFromThePoint) {
  PointRecord point;
  const CoreLevels known = levels_of_moved_pair();
  point.cores = known.levels();
  point.pairs = known.distances();
  const CoreLevels read = KnownNodes().levels_of(point);
  StateSorter sorter = moved_sorter();
  sorter.settle(read);
  EXPECT_THAT(sorter.state_of(0), Optional(CoreState{Sharing::alone, 0, 118}));
  point.pairs.clear();
  const CoreLevels without = KnownNodes().levels_of(point);
  sorter.settle(without);
  EXPECT_THAT(sorter.state_of(0), Optional(CoreState{Sharing::alone})) << "a journal of before";
}

/// The same with cores at two thirds of their clock.
constexpr CoreReading at_ease_slowly{{0.108}, {1.35}};

TEST(StateDistance, WhatIsConvertedToOneWasAtAnotherOfItsLevelOrAtAnotherClock) {
  CoreLevels levels = levels_of_moved_pair();
  for (int i = 0; i < 60; ++i) levels.add_clock({}, {{i < 40 ? 0.901 : 1.352}, 8, false});
  StateSorter sorter = moved_sorter();
  const std::vector<JudgedBatch> slow{pair_that(at_ease_slowly)};
  for (int i = 0; i < 2; ++i) sorter.add({0, i, 20 + i, Nanoseconds{118.4}, {at_ease_slowly, at_ease_slowly}, slow});
  sorter.settle(levels, polled);
  const CoreState at_128{Sharing::alone, 0, 128};
  const Conversion by_distance{at_128, {0.9}, {0.5, std::nullopt}};
  EXPECT_THAT(sorter.scale_to(0, by_distance), Optional(testing::DoubleNear(std::sqrt(128 / 118.4), 1e-12)));
  EXPECT_THAT(sorter.scale_to(8, by_distance), Optional(testing::DoubleNear(std::sqrt(128 / 127.6), 1e-12)));
  EXPECT_EQ(sorter.scale_to(1, by_distance), std::nullopt) << "shared";
  EXPECT_EQ(sorter.scale_to(20, by_distance), std::nullopt) << "alone meanwhile, but not when it was read";
  EXPECT_EQ(sorter.scale_to(24, by_distance), std::nullopt) << "at another clock, of which nothing is known";
  const Conversion by_both{at_128, {0.9}, {0.5, 1.0}};
  EXPECT_THAT(sorter.scale_to(24, by_both), Optional(testing::DoubleNear(std::sqrt(128 / 118.4) * 2 / 3, 1e-3)));
  EXPECT_THAT(sorter.scale_to(8, by_both), sorter.scale_to(8, by_distance)) << "at its own";
  EXPECT_EQ(sorter.scale_to(0, {{Sharing::shared, 0, 128}, {0.9}, {0.5, 1.0}}), std::nullopt);
  EXPECT_EQ(sorter.scale_to(0, {{Sharing::alone}, {0.9}, {0.5, 1.0}}), std::nullopt) << "no distance is named";
  EXPECT_EQ(sorter.scale_to(0, {at_128}), std::nullopt) << "by no law";
}

}  // namespace
}  // namespace assay::test
