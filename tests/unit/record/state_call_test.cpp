// SPDX-License-Identifier: Apache-2.0
// States of visits before which system calls took another time than they usually do.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "record/known_cores.hpp"
#include "record/state_sorter.hpp"

namespace assay::test {
namespace {

constexpr CoreReading lone_core{{0.072}, {0.9}};
constexpr CoreReading busy_core{{0.13}, {0.92}};

CoreReading with_call(double call, const CoreReading& core = lone_core) { return {core.wide, core.chain, {call}}; }

/// Of two CPUs on which calls take 190 ns, or 178 at times, and more beside a neighbour that waits.
CoreLevels levels_with_calls() {
  CoreLevels levels(3);
  for (int i = 0; i < 100; ++i)
    for (const int cpu : {0, 1}) levels.add(cpu, with_call(i % 5 == 4 ? 178 : 190));
  return levels;
}

Batch batch_of_cores(const std::vector<CoreReading>& members) {
  Batch batch{Reps{1}, {}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    MemberReport& report = batch.members.emplace_back();
    report.wall = microseconds(20);
    report.cpu_before = report.cpu_after = static_cast<int>(i);
    report.core_before = report.core_after = members[i];
  }
  return batch;
}

/// Of one batch whose cores read so, after a look that read so.
Sharing sharing_after(const std::vector<CoreReading>& apart, const std::vector<CoreReading>& members) {
  const CoreLevels levels = levels_with_calls();
  const std::vector<JudgedBatch> batches{{batch_of_cores(members), {}}};
  StateSorter sorter;
  sorter.add({0, 0, 0, {}, apart, batches});
  sorter.settle(levels);
  return sorter.sharing_of(0);
}

TEST(StateCalls, BatchesAreAloneWhereCallsBeforeTheVisitWereUsual) {
  EXPECT_EQ(sharing_after({with_call(190)}, {lone_core}), Sharing::alone);
  EXPECT_EQ(sharing_after({with_call(210)}, {lone_core}), Sharing::alone) << "after other work";
  EXPECT_EQ(sharing_after({with_call(228)}, {lone_core}), Sharing::mixed) << "a neighbour waits";
  EXPECT_EQ(sharing_after({with_call(178)}, {lone_core}), Sharing::alone) << "another level of a core alone";
}

TEST(StateCalls, WhoWorkedBesideThemAndLeftSaysNothing) {
  EXPECT_EQ(sharing_after({with_call(280, busy_core)}, {lone_core}), Sharing::alone);
  EXPECT_EQ(sharing_after({with_call(280, busy_core)}, {busy_core}), Sharing::shared);
}

TEST(StateCalls, WhatWasNotReadIsUsual) {
  EXPECT_EQ(sharing_after({lone_core}, {lone_core}), Sharing::alone);
  EXPECT_EQ(sharing_after({}, {lone_core}), Sharing::alone) << "as in journals of before";
}

TEST(StateCalls, EachMemberHasItsOwn) {
  EXPECT_EQ(sharing_after({with_call(190), with_call(195)}, {lone_core, lone_core}), Sharing::alone);
  EXPECT_EQ(sharing_after({with_call(190), with_call(228)}, {lone_core, lone_core}), Sharing::mixed);
  EXPECT_EQ(sharing_after({with_call(178), with_call(190)}, {lone_core, lone_core}), Sharing::alone);
}

TEST(StateCalls, ReadersOfJournalsClassifyAlike) {
  const CoreLevels levels = levels_with_calls();
  const auto told = [&](const CoreReading& apart) {
    return sharing_of(readings_of(batch_of_cores({lone_core}), {apart}, {}).at(0), levels);
  };
  EXPECT_EQ(told(with_call(190)), Sharing::alone);
  EXPECT_EQ(told(with_call(228)), Sharing::mixed);
  EXPECT_EQ(told(with_call(178)), Sharing::alone);
  EXPECT_EQ(sharing_of(readings_of(batch_of_cores({lone_core}), {}, {}).at(0), levels), Sharing::alone);
}

TEST(StateCalls, AreJudgedByWhatIsUsualOnTheCpu) {
  CoreLevels levels = levels_with_calls();
  EXPECT_EQ(levels.judge(0, with_call(228)), Sharing::mixed);
  EXPECT_EQ(levels.judge(0, with_call(178)), Sharing::alone);
  EXPECT_EQ(levels.judge(0, with_call(228, busy_core)), Sharing::shared);
  for (int i = 0; i < 40; ++i) levels.add(2, with_call(228));
  EXPECT_EQ(levels.judge(2, with_call(228)), Sharing::alone) << "kinds of cores differ";
  const double slower = 1.25;
  EXPECT_EQ(levels.judge(0, {lone_core.wide * slower, lone_core.chain * slower, {190 * slower}}), Sharing::alone)
      << "at another clock";
}

TEST(StateCalls, WhatIsUsualIsKnownToLaterSessions) {
  CoreLevels later(3);
  for (const CoreLevel& level : levels_with_calls().levels()) later.confirm(level);
  for (int i = 0; i < 20; ++i) later.add(0, lone_core);
  EXPECT_EQ(later.judge(0, with_call(190)), Sharing::alone);
  EXPECT_EQ(later.judge(0, with_call(228)), Sharing::mixed);
}

}  // namespace
}  // namespace assay::test
