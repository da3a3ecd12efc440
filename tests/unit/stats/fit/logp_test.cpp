// SPDX-License-Identifier: Apache-2.0
// Latencies against values worked out by hand, the cases in which there is none, and the gap on bursts of a known law.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stats/fit/logp.hpp"

namespace assay {
namespace {

Estimate estimate(double value, double half) { return {"median", value, {value - half, value + half, 0.95}, "visits"}; }

TEST(PolledLatency, IsWhatTheOverheadsLeaveOfHalfARoundTrip) {
  // The channel of known parameters: o_s 500, o_r 300, L 2000, so that a round trip takes 5600.
  const Derived latency = polled_latency(estimate(5600, 24), estimate(500, 3), estimate(300, 4));
  EXPECT_TRUE(latency.valid) << latency.reason;
  EXPECT_DOUBLE_EQ(latency.value, 2000);
  // Half of 24 is 12; 12, 3 and 4 combine to 13.
  EXPECT_NEAR(latency.interval.low, 1987, 1e-9);
  EXPECT_NEAR(latency.interval.high, 2013, 1e-9);
  EXPECT_EQ(latency.interval.level, 0.95);
}

TEST(PolledLatency, OfUnequalSidesPropagatesEachByItself) {
  const Estimate rtt{"median", 100, {92, 106, 0.95}, "visits"};
  const Estimate o_s{"median", 10, {7, 14, 0.95}, "visits"};
  const Derived latency = polled_latency(rtt, o_s, estimate(5, 0));
  // Down: 4 below half the round trip with 4 above o_s; up: 3 with 3.
  EXPECT_NEAR(latency.interval.low, 35 - std::sqrt(32), 1e-9);
  EXPECT_NEAR(latency.interval.high, 35 + std::sqrt(18), 1e-9);
}

TEST(PolledLatency, ThatCannotBeToldFromZeroIsNotValid) {
  const Derived latency = polled_latency(estimate(20, 4), estimate(5, 1), estimate(4, 1));
  EXPECT_FALSE(latency.valid);
  EXPECT_EQ(latency.reason, "the interval contains 0");
  EXPECT_DOUBLE_EQ(latency.value, 1);
  EXPECT_GT(latency.interval.high, 1);
}

TEST(PolledLatency, BelowZeroMeansThatTheOverheadsOverlap) {
  const Derived latency = polled_latency(estimate(20, 1), estimate(10, 1), estimate(9, 1));
  EXPECT_FALSE(latency.valid);
  EXPECT_EQ(latency.reason, "N5: send and receive overlap");
}

TEST(PolledLatency, IsNotValidWhereTheReceiverIsThroughFirst) {
  const Derived latency{250, {240, 260, 0.95}, true, ""};
  EXPECT_FALSE(unless_overlapped(latency, estimate(-40, 10)).valid);
  EXPECT_EQ(unless_overlapped(latency, estimate(-40, 10)).reason.substr(0, 3), "N5:");
  EXPECT_TRUE(unless_overlapped(latency, estimate(-40, 50)).valid);
  EXPECT_TRUE(unless_overlapped(latency, std::nullopt).valid);
}

TEST(PolledLatency, LacksWhatItsInputsLack) {
  const Estimate bare{"median", 5, {}, ""};
  EXPECT_FALSE(polled_latency(estimate(20, 1), bare, estimate(1, 1)).valid);
  EXPECT_FALSE(polled_latency(estimate(20, 1), estimate(1, 1), bare).valid);
  EXPECT_FALSE(polled_latency(bare, estimate(1, 1), estimate(1, 1)).valid);
}

TEST(PolledDelivery, KeepsTheReceiversOverhead) {
  const Derived delivery = polled_delivery(estimate(98, 6), estimate(3, 4));
  EXPECT_TRUE(delivery.valid);
  EXPECT_DOUBLE_EQ(delivery.value, 46);
  EXPECT_DOUBLE_EQ(delivery.interval.high, 51);
}

TEST(BlockedLatency, IsTheTimeBetweenTheReturns) {
  const Derived latency = blocked_latency(estimate(1532, 20));
  EXPECT_TRUE(latency.valid);
  EXPECT_DOUBLE_EQ(latency.value, 1532);
  EXPECT_DOUBLE_EQ(latency.interval.low, 1512);
  EXPECT_EQ(latency.interval.level, 0.95);
}

TEST(BlockedLatency, OfAReceiverThatWasThroughFirstIsNotValid) {
  const Derived latency = blocked_latency(estimate(-1950, 100));
  EXPECT_FALSE(latency.valid);
  EXPECT_EQ(latency.reason.substr(0, 3), "N5:");
  EXPECT_EQ(latency.value, 0);
}

TEST(BlockedLatency, WhoseSignIsUnknownIsNotValid) {
  for (const double d : {30.0, -30.0}) {
    const Derived latency = blocked_latency(estimate(d, 100));
    EXPECT_FALSE(latency.valid);
    EXPECT_EQ(latency.reason, "the interval contains 0");
    EXPECT_EQ(latency.interval.low, 0);
    EXPECT_EQ(latency.interval.high, d + 100);
  }
}

TEST(BlockedLatency, WithoutIntervalIsNoNumber) {
  const Derived latency = blocked_latency({"median", 5, {}, ""});
  EXPECT_FALSE(latency.valid);
  EXPECT_TRUE(std::isnan(latency.value));
}

TEST(Agreement, IsJudgedByTheRatio) {
  const auto of = [](double value) { return Derived{value, {value, value, 0.95}, true, ""}; };
  EXPECT_EQ(agrees(of(1.09), 0.1), true);
  EXPECT_EQ(agrees(of(0.91), 0.1), true);
  EXPECT_EQ(agrees(of(1.11), 0.1), false);
  EXPECT_EQ(agrees(of(0.22), 0.1), false);
  EXPECT_EQ(agrees(Derived{}, 0.1), std::nullopt);
}

TEST(Gap, ContradictsAnOverheadOnlyBeyondBothIntervals) {
  EXPECT_TRUE(contradicts(estimate(0.7, 0.1), estimate(3, 0.2)));
  EXPECT_FALSE(contradicts(estimate(3.1, 0.1), estimate(3, 0.2)));
  EXPECT_FALSE(contradicts(estimate(2.7, 0.3), estimate(3, 0.2)));
  EXPECT_FALSE(contradicts({"median", 0.7, {}, ""}, estimate(3, 0.2)));
}

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
