// SPDX-License-Identifier: Apache-2.0
// Readings of the core: plausible, whatever the machine does.
#include "platform/clock/yardstick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "platform/machine/machine.hpp"

namespace assay {
namespace {

TEST(Yardstick, ReadingsAreTimesOfAFewCycles) {
  for (int i = 0; i < 20; ++i) {
    const CoreReading reading = read_core();
    ASSERT_TRUE(reading.taken());
    EXPECT_GT(reading.wide.count, 0.005);
    EXPECT_GT(reading.chain.count, 0.1);
    EXPECT_LT(reading.wide.count, 1e5);
    EXPECT_LT(reading.chain.count, 1e6);
  }
}

TEST(Yardstick, JournalsNeedNotKeepMoreDigitsThanTheClockHas) {
  const CoreReading reading = read_core();
  EXPECT_NEAR(reading.wide.count * 1e5, std::round(reading.wide.count * 1e5), 1e-6 * reading.wide.count * 1e5);
}

TEST(Yardstick, ALookTimesSystemCallsAsWell) {
  for (int i = 0; i < 20; ++i) {
    const CoreLook look = look_at_core();
    EXPECT_TRUE(look.core.taken());
    // None where they are slow, as below a tracer.
    EXPECT_TRUE(look.core.call == Nanoseconds{} || look.core.call > Nanoseconds{5}) << look.core.call.count;
  }
  EXPECT_EQ(read_core().call, Nanoseconds{}) << "beside batches that would cost too much";
}

TEST(Yardstick, AStepOfTheChainIsAWholeNumberOfCyclesOrNotKnown) {
  const int cycles = cycles_per_chain_step();
  EXPECT_GE(cycles, 0);
  EXPECT_LE(cycles, 20);
}

TEST(Yardstick, WhetherCoresHaveOneThreadIsToldTwiceAlike) { EXPECT_EQ(one_thread_per_core(), one_thread_per_core()); }

}  // namespace
}  // namespace assay
