// SPDX-License-Identifier: Apache-2.0
// Detours of made-up traces: the lost time goes to the cause that was planted.
#include "ledger/attribution.hpp"

#include <gtest/gtest.h>

#include "made_trace.hpp"

namespace assay {
namespace {

using ledgers::MadeTrace;
using ledgers::share_right;

/// Half a second with a timer, a real-time thread and a quota, as one would plant them, among what is usual anyway.
MadeTrace everything(std::uint64_t seed, bool has_neighbour) {
  MadeTrace trace(seed);
  for (int tick = 0; tick < 125; ++tick) {
    trace.run(1e6);
    trace.interrupt("local_timer", 2200, "TIMER", 900);
    if (tick % 2 == 0) trace.thread("real-time (42)", 400'000, false, true);
    if (tick % 5 == 1) trace.thread("kworker/0:1", 60'000, true, false);
    if (tick % 9 == 2) trace.thread("compiler (99)", 3'000'000, false, false);
    if (tick % 7 == 3) trace.interrupt("26 ttyS0", 9000, "NET_RX", 30'000);
    if (tick % 25 == 4) trace.throttle(15e6, has_neighbour);
    if (tick % 4 == 0) trace.steal(120'000);
  }
  return trace;
}

TEST(Attribution, GivesNineteenTwentiethsToThePlantedCauses) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MadeTrace trace = everything(seed, false);
    const Ledger found = trace.attributed();
    EXPECT_NEAR(found.lost(), trace.truth.lost(), 1e-3 * trace.truth.lost()) << "nothing is lost or invented";
    EXPECT_GE(share_right(found, trace.truth), 0.99);
    for (std::size_t i = 0; i < cause_count; ++i) {
      const auto cause = static_cast<Cause>(i);
      EXPECT_NEAR(found.lost(cause) / trace.truth.lost(cause), 1, 0.05) << word_of(cause);
    }
  }
}

// The quota's absences look like those of any other thread; the control group's count distinguishes them.
TEST(Attribution, FindsAQuotaBehindWhichOthersRun) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MadeTrace trace = everything(seed, true);
    const Ledger found = trace.attributed();
    EXPECT_GE(share_right(found, trace.truth), 0.95);
    EXPECT_NEAR(found.lost(Cause::quota) / trace.truth.lost(Cause::quota), 1, 0.05);
  }
}

TEST(Attribution, NeverTakesARealTimeThreadForAQuota) {
  MadeTrace trace(3);
  for (int i = 0; i < 10; ++i) {
    trace.run(1e6);
    trace.thread("real-time (42)", 900'000, false, true);
  }
  // As much as another CPU's threads of the group were kept from running.
  trace.throttled = 20e6;
  EXPECT_EQ(trace.attributed().lost(Cause::quota), 0);
  EXPECT_GE(share_right(trace.attributed(), trace.truth), 0.95);
}

TEST(Attribution, CountsHowOftenEachCauseCame) {
  const MadeTrace trace = everything(5, false);
  const Ledger found = trace.attributed();
  EXPECT_EQ(found.entries().at({Cause::interrupt, "26 ttyS0"}).count, 18);
  EXPECT_EQ(found.entries().at({Cause::softirq, "NET_RX"}).count, 18);
  EXPECT_EQ(found.entries().at({Cause::user_thread, "real-time (42)"}).count, 63);
  EXPECT_EQ(found.entries().at({Cause::quota, "control group"}).count, 5);
}

TEST(Attribution, PutsADetourWithoutEventsElsewhere) {
  MadeTrace trace(1);
  trace.steal(50'000);
  const Ledger found = trace.attributed();
  EXPECT_NEAR(found.lost(Cause::elsewhere), 50'000, 1);
  EXPECT_EQ(found.entries().size(), 1U);
}

// A hypervisor that takes the CPU while an interrupt is about to begin: too long for the way into the kernel.
TEST(Attribution, LeavesALongWayIntoTheKernelElsewhere) {
  const std::vector<ClockGap> gaps{{1'000'000, 1'205'000}};
  const std::vector<CpuEvent> events{{.at = 1'200'000, .kind = CpuEvent::Kind::interrupt_entry, .name = "local_timer"},
                                     {.at = 1'202'000, .kind = CpuEvent::Kind::interrupt_exit, .name = "local_timer"}};
  const Ledger found = attribute(gaps, events, {});
  EXPECT_NEAR(found.lost(Cause::interrupt), 2000, 1e-9);
  EXPECT_NEAR(found.lost(Cause::elsewhere), 203'000, 1e-9);
}

TEST(Attribution, OfAShortWayGivesAllToTheInterrupt) {
  const std::vector<ClockGap> gaps{{1'000'000, 1'004'025}};
  const std::vector<CpuEvent> events{{.at = 1'001'000, .kind = CpuEvent::Kind::interrupt_entry, .name = "local_timer"},
                                     {.at = 1'003'000, .kind = CpuEvent::Kind::interrupt_exit, .name = "local_timer"}};
  const Ledger found = attribute(gaps, events, {25, 0});
  EXPECT_NEAR(found.lost(Cause::interrupt), 4000, 1e-9);
  EXPECT_EQ(found.lost(Cause::elsewhere), 0);
}

TEST(Attribution, DividesNestedInterruptsByWhoWasAtWork) {
  using Kind = CpuEvent::Kind;
  const std::vector<ClockGap> gaps{{0, 100'000}};
  const std::vector<CpuEvent> events{{.at = 0, .kind = Kind::softirq_entry, .name = "NET_RX"},
                                     {.at = 30'000, .kind = Kind::interrupt_entry, .name = "outer"},
                                     {.at = 40'000, .kind = Kind::interrupt_entry, .name = "inner"},
                                     {.at = 45'000, .kind = Kind::interrupt_exit, .name = "inner"},
                                     {.at = 60'000, .kind = Kind::interrupt_exit, .name = "outer"},
                                     {.at = 100'000, .kind = Kind::softirq_exit, .name = "NET_RX"}};
  const Ledger found = attribute(gaps, events, {});
  EXPECT_NEAR(found.entries().at({Cause::softirq, "NET_RX"}).lost, 70'000, 1);
  EXPECT_NEAR(found.entries().at({Cause::interrupt, "outer"}).lost, 25'000, 1);
  EXPECT_NEAR(found.entries().at({Cause::interrupt, "inner"}).lost, 5'000, 1);
}

// The trace begins within an interrupt, whose entry nobody recorded.
TEST(Attribution, SurvivesEndsWithoutABeginning) {
  using Kind = CpuEvent::Kind;
  const std::vector<ClockGap> gaps{{0, 5000}, {50'000, 53'000}};
  const std::vector<CpuEvent> events{{.at = 1000, .kind = Kind::interrupt_exit, .name = "x"},
                                     {.at = 1100, .kind = Kind::softirq_exit, .name = "y"},
                                     {.at = 51'000, .kind = Kind::interrupt_entry, .name = "z"},
                                     {.at = 52'000, .kind = Kind::interrupt_exit, .name = "z"}};
  const Ledger found = attribute(gaps, events, {});
  EXPECT_NEAR(found.lost(Cause::elsewhere), 5000, 1e-9);
  EXPECT_NEAR(found.lost(Cause::interrupt), 3000, 1e-9);
}

// A thread that waits for something is not kept from running by a quota.
TEST(Attribution, TakesAWaitForNoQuota) {
  const std::vector<ClockGap> gaps{{0, 1'000'000}};
  const std::vector<CpuEvent> events{{.at = 1000, .name = "swapper/0", .to_idle = true, .from_runnable = false},
                                     {.at = 999'000, .name = "observed", .to_observed = true}};
  const Ledger found = attribute(gaps, events, {0, 5e6});
  EXPECT_EQ(found.lost(Cause::quota), 0);
  EXPECT_NEAR(found.entries().at({Cause::elsewhere, "waiting"}).lost, 1'000'000, 1e-6);
}

}  // namespace
}  // namespace assay
