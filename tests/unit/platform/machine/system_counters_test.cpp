// SPDX-License-Identifier: Apache-2.0
// Counters of the kernel, read from files made for the test, and what two readings tell.
#include "platform/machine/system_counters.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "unit/platform/support.hpp"

namespace assay {
namespace {

class Counters : public test::FakeRoot {
 protected:
  CgroupView groups(const std::string& membership) const { return {root() + "/cgroup", membership}; }
};

constexpr const char* stat =
    "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu1 1 1 1 1 1 1 1 20 0 0\ncpu10 0 0 0 0 0 0 0 500 0 0\n";

TEST_F(Counters, ColumnsOfTheCpusAskedFor) {
  EXPECT_EQ(stolen_ticks(stat, {0}), 8);
  EXPECT_EQ(stolen_ticks(stat, {0, 1}), 28);
  EXPECT_EQ(busy_ticks(stat, {0}), 1 + 2 + 3 + 6 + 7 + 8);
  EXPECT_FALSE(stolen_ticks(stat, {2}));
  EXPECT_FALSE(stolen_ticks("cpu0 1 2 3 4\n", {0}));
  EXPECT_FALSE(stolen_ticks("", {0}));
  EXPECT_EQ(run_queue_wait("version 15\ncpu0 1 2 3 4 5 6 7 88 9\n", {0}), 88);
}

TEST_F(Counters, ThreadsThatCouldRunAreCountedForAllCpusOfTheSystemOnly) {
  const std::string with_threads = std::string(stat) + "processes 999\nprocs_running 6\nprocs_blocked 1\n";
  EXPECT_EQ(runnable_per_cpu(with_threads, {0, 1, 10}), 2.0);
  EXPECT_FALSE(runnable_per_cpu(with_threads, {0, 1})) << "they may be at work where this process may not";
  EXPECT_FALSE(runnable_per_cpu(stat, {0, 1, 10}));
  put("/proc/stat", with_threads);
  const auto others = SystemCounters({0, 1, 10}, groups(""), root()).read({0}).at_work;
  ASSERT_TRUE(others);
  EXPECT_NEAR(*others, 5.0 / 3, 1e-12) << "the reader is not one of the others";
  EXPECT_FALSE(SystemCounters({0, 1}, groups(""), root()).read().at_work);
}

TEST_F(Counters, WhatIsNotThereIsNotRead) {
  const SystemReading reading = SystemCounters({0}, groups(""), root()).read();
  EXPECT_FALSE(reading.stolen || reading.throttled || reading.heated || reading.waited || reading.at_work);
  EXPECT_EQ(reading.clock_source, "");
  EXPECT_GT(reading.at.count, 0);
}

TEST_F(Counters, F24_throttled_periods_of_the_tightest_group) {
  put("/cgroup/a/cpu.max", "50000 100000\n");
  put("/cgroup/a/cpu.stat", "usage_usec 5\nnr_periods 49\nnr_throttled 38\n");
  put("/cgroup/a/b/cpu.max", "400000 100000\n");
  put("/cgroup/a/b/cpu.stat", "nr_throttled 1\n");
  EXPECT_EQ(SystemCounters({0}, groups("0::/a/b\n"), root()).read().throttled, 38);
  put("/cgroup/cpu/old/cpu.cfs_quota_us", "30000\n");
  put("/cgroup/cpu/old/cpu.cfs_period_us", "100000\n");
  put("/cgroup/cpu/old/cpu.stat", "nr_periods 3\nnr_throttled 2\nthrottled_time 9\n");
  EXPECT_EQ(SystemCounters({0}, groups("2:cpu:/old\n"), root()).read().throttled, 2);
}

TEST_F(Counters, ReadAgainFromFilesKeptOpen) {
  put("/proc/stat", stat);
  put("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "3\n");
  put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  const SystemCounters counters({0, 1}, groups(""), root());
  const SystemReading all = counters.read();
  EXPECT_EQ(all.stolen, 28);
  EXPECT_EQ(all.heated, 3);
  EXPECT_EQ(all.clock_source, "tsc");
  const SystemReading one = counters.read({0});
  EXPECT_EQ(one.stolen, 8);
  EXPECT_FALSE(one.heated);
}

Interference over(Nanoseconds time, std::int64_t stolen) {
  SystemReading before;
  SystemReading after;
  before.stolen = 100;
  after.stolen = 100 + stolen;
  after.at = time;
  return between(before, after, 1);
}

bool has(const Disturbances& marks, Disturbance cause) { return marks.test(static_cast<std::size_t>(cause)); }

TEST(Interference, ATickThatMayLieOutsideIsNoProof) {
  EXPECT_TRUE(over(milliseconds(2), 1).marks().none());
  EXPECT_TRUE(has(over(milliseconds(30), 3).marks(), Disturbance::stolen));
  EXPECT_TRUE(over(seconds(1), 5).marks().none());
  EXPECT_NEAR(over(seconds(1), 5).told_stolen, 0.05, 1e-12);
}

TEST(Interference, F24_throttling_marks_a_visit) {
  SystemReading before;
  SystemReading after;
  before.throttled = 5;
  after.throttled = 5;
  EXPECT_TRUE(between(before, after, 1).marks().none());
  after.throttled = 6;
  EXPECT_TRUE(has(between(before, after, 1).marks(), Disturbance::throttled));
  after.throttled = 5;
  before.heated = 1;
  after.heated = 2;
  EXPECT_TRUE(has(between(before, after, 1).marks(), Disturbance::throttled));
}

TEST(Interference, SleepOfTheMachineMarksAVisit) {
  SystemReading before;
  SystemReading after;
  after.asleep = microseconds(3);  // the two clocks are not read at one moment
  EXPECT_TRUE(between(before, after, 1).marks().none());
  after.asleep = seconds(35);
  EXPECT_TRUE(has(between(before, after, 1).marks(), Disturbance::asleep));
}

TEST(Interference, CountersThatAreMissingOrWereResetSayNothing) {
  SystemReading before;
  SystemReading after;
  before.throttled = 9;
  EXPECT_TRUE(between(before, after, 1).marks().none());
  after.throttled = 1;
  EXPECT_TRUE(between(before, after, 1).marks().none());
}

}  // namespace
}  // namespace assay
