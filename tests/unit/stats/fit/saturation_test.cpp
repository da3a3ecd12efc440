// SPDX-License-Identifier: Apache-2.0
// The gap by saturation, on bursts of a known law.
#include "stats/fit/saturation.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;

/// A burst takes a round trip of 5000 ns and 800 ns for each further message.
std::vector<Abscissa> bursts(std::initializer_list<double> lengths) {
  std::vector<Abscissa> all;
  for (const double n : lengths) {
    const double y = 5000 + 800 * (n - 1);
    all.push_back({n, {"median", y, {y - 8, y + 8, 0.95}, "visits"}});
  }
  return all;
}

TEST(Saturation, IsTheMeanOfTheFirstBurstThatIsLongEnough) {
  const auto all = bursts({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048});
  // The mean changes by less than 1 % from 1024 messages on, when the round trip is 0.6 % of the burst.
  const Derived gap = saturation(all, 0.05);
  ASSERT_TRUE(gap.valid) << gap.reason;
  EXPECT_DOUBLE_EQ(gap.value, (5000 + 800 * 1023.0) / 1024);
  EXPECT_DOUBLE_EQ(gap.interval.high - gap.interval.low, 16 / 1024.0);
  // With a smaller eps the share of the round trip decides.
  EXPECT_DOUBLE_EQ(saturation(all, 0.01).value, (5000 + 800 * 2047.0) / 2048);
}

TEST(Saturation, SaysByHowMuchItIsMissed) {
  const Derived gap = saturation(bursts({1, 2, 4, 8, 16}), 0.05);
  EXPECT_FALSE(gap.valid);
  EXPECT_THAT(gap.reason, HasSubstr("not settled at bursts of 16: the mean per message still changes by 19.8 %"));
}

// Neighbours closer than a doubling would always seem settled.
TEST(Saturation, ComparesWithABurstOfHalfTheLength) {
  EXPECT_FALSE(saturation(bursts({1, 64, 65, 66, 67}), 0.5).valid);
}

TEST(Saturation, NeedsTheRoundTrip) {
  EXPECT_THAT(saturation(bursts({64, 128, 256}), 0.05).reason, HasSubstr("no burst of one message"));
  EXPECT_FALSE(saturation({}, 0.05).valid);
}

}  // namespace
}  // namespace assay
