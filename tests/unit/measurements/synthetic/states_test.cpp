// SPDX-License-Identifier: Apache-2.0
// The simulated machine that states are planted on, and the measurement on it, run by real teams.
#include "synthetic/states.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/measurements/one_batch.hpp"

namespace assay::test {
namespace {

/// Alone all the time, unless changed.
MachineLaw quiet_machine() {
  MachineLaw law;
  law.lasts = microseconds(10);
  law.slower = 1.4;
  law.near = Nanoseconds{100};
  law.far = Nanoseconds{490};
  return law;
}

TEST(SimulatedMachine, WorkTakesWhatItTakesAlone) {
  SimulatedMachine machine(quiet_machine(), 1, 1);
  EXPECT_DOUBLE_EQ(machine.work(microseconds(100)).count, 100'000);
  EXPECT_EQ(machine.now().ns, 100'000);
  const CoreReading reading = machine.read_core(0, false);
  EXPECT_NEAR(reading.chain / reading.wide, 12, 0.3) << "four additions a cycle";
}

TEST(SimulatedMachine, NeighboursMakeItSlowerForTheirShareOfTheTime) {
  for (const double shared : {0.25, 0.5, 1.0}) {
    MachineLaw busy = quiet_machine();
    busy.shared = shared;
    SimulatedMachine machine(busy, 1, 1);
    const double took = machine.work(seconds(1)).count / 1e9;
    EXPECT_NEAR(took, 1 / (1 - shared + shared / 1.4), 0.01) << shared;
  }
}

TEST(SimulatedMachine, MembersWaitForTheSlowestOfThem) {
  MachineLaw busy = quiet_machine();
  busy.shared = 0.5;
  SimulatedMachine machine(busy, 2, 1);
  EXPECT_NEAR(machine.work(seconds(1)).count / 1e9, 1 / (0.25 + 0.75 / 1.4), 0.01);
}

TEST(SimulatedMachine, ThePartnerOnTheSameCoreShowsWhileItWorks) {
  MachineLaw together = quiet_machine();
  together.is_one_core = true;
  SimulatedMachine machine(together, 2, 1);
  EXPECT_GT(machine.read_core(0, false).wide, 1.5 * machine.read_core(0, true).wide);
  EXPECT_DOUBLE_EQ(machine.work(microseconds(1)).count, 1000) << "which is how that action is";
}

TEST(SimulatedMachine, ANeighbourThatWaitsShowsInSystemCallsAlone) {
  MachineLaw waiting = quiet_machine();
  waiting.waits = 0.3;
  SimulatedMachine machine(waiting, 1, 1);
  int waits = 0;
  for (int i = 0; i < 1000; ++i) {
    machine.pause(milliseconds(1));
    const CoreReading rested = machine.read_core(0, true);
    EXPECT_NEAR(rested.chain / rested.wide, 12, 0.3);
    const bool is_slow = rested.call / rested.chain > 220;
    waits += is_slow ? 1 : 0;
    EXPECT_NEAR(machine.work(microseconds(1)).count, is_slow ? 1400 : 1000, 1);
  }
  EXPECT_NEAR(waits, 300, 50);
  EXPECT_EQ(machine.read_core(0, false).call, Nanoseconds{}) << "before visits only";
  EXPECT_EQ(SimulatedMachine(quiet_machine(), 1, 1).read_core(0, true).call, Nanoseconds{});
}

TEST(SimulatedMachine, ClockAndDistanceAreDrawnAnewInEachPause) {
  MachineLaw changing = quiet_machine();
  changing.clock = 0.8;
  changing.clock_share = 0.3;
  changing.far_share = 0.6;
  SimulatedMachine machine(changing, 2, 1);
  double slow = 0;
  double far = 0;
  constexpr int pauses = 5000;
  for (int i = 0; i < pauses; ++i) {
    const bool is_slow = machine.work(Nanoseconds{1000}).count > 1100;
    EXPECT_EQ(is_slow, machine.read_core(0, true).chain > Nanoseconds{0.9});
    slow += is_slow ? 1 : 0;
    far += machine.distance() > Nanoseconds{300} ? 1 : 0;
    machine.pause(microseconds(1));
  }
  EXPECT_NEAR(slow / pauses, 0.3, 0.03);
  EXPECT_NEAR(far / pauses, 0.6, 0.03);
}

TEST(States, TheSameUnderEveryVehicle) {
  const Levels levels{{"shared", 0.5}, {"lasts", std::int64_t{2000}}};
  const Batch threads = run_named("synthetic/states", {"thread", 2}, levels, Reps{3}).batch;
  const Batch processes = run_named("synthetic/states", {"process", 2}, levels, Reps{3}).batch;
  for (const Batch* batch : {&threads, &processes}) {
    ASSERT_EQ(batch->members.size(), 2U);
    EXPECT_EQ(batch->members[0].claims[0], batch->members[1].claims[0]);
  }
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const MemberReport& thread = threads.members[rank];
    const MemberReport& process = processes.members[rank];
    EXPECT_EQ(thread.claims[0], process.claims[0]);
    EXPECT_EQ(thread.core_before, process.core_before);
    EXPECT_EQ(thread.core_after, process.core_after);
    EXPECT_TRUE(thread.core_before.taken());
    EXPECT_EQ(thread.cpu_before, static_cast<int>(rank));
    EXPECT_NEAR(thread.wall.count, thread.claims[0], 1) << "simulated, as its claim is";
  }
}

TEST(States, LevelsThatAreNoMachineAreRefused) {
  for (const Levels& levels : {Levels{{"shared", 1.5}}, Levels{{"lasts", std::int64_t{0}}}, Levels{{"slower", -1.0}},
                               Levels{{"median", std::int64_t{0}}}, Levels{{"near", std::int64_t{5000}}}})
    EXPECT_THROW(run_named("synthetic/states", {}, levels, Reps{1}), Unsupported);
}

TEST(States, MeasurementsOfSimulatedTimeWithoutCoresHaveNone) {
  const Batch batch = run_named("synthetic/normal", {}, {}, Reps{1}).batch;
  EXPECT_FALSE(batch.members[0].core_before.taken());
  EXPECT_FALSE(batch.members[0].core_after.taken());
}

}  // namespace
}  // namespace assay::test
