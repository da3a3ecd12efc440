// SPDX-License-Identifier: Apache-2.0
// No wake-up comes before the time requested, and times past cost no sleep.
#include "platform/clock/system_clock.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(MonotonicAlarm, WakesNobodyTooEarly) {
  MonotonicAlarm clock;
  const Instant soon = clock.now() + milliseconds(2);
  clock.sleep_until(soon);
  EXPECT_GE(clock.now(), soon);
}

TEST(MonotonicAlarm, ReturnsForTimesThatArePast) {
  MonotonicAlarm clock;
  for (const std::int64_t past : {std::int64_t{1}, std::int64_t{0}, std::int64_t{-5'000'000'000}})
    clock.sleep_until({past});
  EXPECT_GT(clock.now(), Instant{1}) << "all of them were past";
}

}  // namespace
}  // namespace assay
