// SPDX-License-Identifier: Apache-2.0
// Each protocol over the channel of known parameters, run by real teams on simulated time: the answers are exact.
#include <gtest/gtest.h>

#include "support/measurements/one_batch.hpp"

namespace assay::test {
namespace {

constexpr std::int64_t o_s = 500;
constexpr std::int64_t o_r = 300;
constexpr std::int64_t latency = 2000;
constexpr std::int64_t gap = 800;
constexpr double round_trip = 2 * (o_s + latency + o_r);

class SyntheticChannelTeam : public testing::TestWithParam<std::string> {
 protected:
  static OneBatch run(const std::string& protocol, const Levels& levels, Reps reps) {
    return run_named("synthetic/" + protocol, {.vehicle = GetParam()}, levels, reps);
  }
  static OneBatch burst(std::int64_t messages, double delay) {
    return run("burst", {{"burst", messages}, {"delay", delay}}, Reps{3});
  }
};
INSTANTIATE_TEST_SUITE_P(Team, SyntheticChannelTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(SyntheticChannelTeam, OneWayTimesOfBothDirectionsAreTheSum) {
  const OneBatch batch = run("one_way", {}, Reps{20});
  EXPECT_EQ(batch.value("T1"), o_s + latency + o_r);
  EXPECT_EQ(batch.value("D"), latency + o_r);
  EXPECT_EQ(batch.value("T1[back]"), o_s + latency + o_r);
  EXPECT_EQ(batch.value("offset"), 0);
}

TEST_P(SyntheticChannelTeam, RoundTripsAreTheSameHoweverTheResponderStops) {
  for (const std::string stop : {"lease", "poison"})
    EXPECT_EQ(run("round_trip", {{"stop", stop}}, Reps{20}).value("rtt"), round_trip) << stop;
}

TEST_P(SyntheticChannelTeam, AFloodGrowsByTheGap) {
  const double growth = burst(512, 0).value("burst_time") - burst(256, 0).value("burst_time");
  EXPECT_NEAR(growth / 256, gap, 1);
}

TEST_P(SyntheticChannelTeam, ABurstWithDelaysGrowsByTheSendOverhead) {
  const double growth = burst(64, 1.5).value("burst_time") - burst(32, 1.5).value("burst_time");
  EXPECT_EQ(growth / 32, o_s);
  EXPECT_EQ(burst(64, 1.5).value("delays"), 63 * 1.5 * round_trip);
}

TEST_P(SyntheticChannelTeam, OverheadsComeBackFromMoreMessagesThanTheChannelHolds) {
  const OneBatch batch = run("overheads", {}, Reps{10'000});
  EXPECT_EQ(batch.value("o_s[idle]"), o_s);
  EXPECT_EQ(batch.value("o_r[ready]"), o_r);
}

TEST_P(SyntheticChannelTeam, TheCapacityIsFoundByFilling) {
  EXPECT_EQ(run("capacity", {}, Reps{1}).value("capacity"), 4096);
}

TEST_P(SyntheticChannelTeam, ASleepingReceiverIsMeasuredFromItsProof) {
  // The receiver is done with one message before the next one leaves: its time stands still while it sleeps.
  const OneBatch batch = run("blocked", {{"settle", std::int64_t{30'000}}}, Reps{10});
  EXPECT_GT(batch.value("proved"), 0);
  EXPECT_EQ(batch.value("o_s[blk]"), o_s);
  EXPECT_EQ(batch.value("T1"), o_s + latency + o_r);
  EXPECT_EQ(batch.value("D"), latency + o_r);
}

TEST_P(SyntheticChannelTeam, ImpossibleBurstsAreRefused) {
  EXPECT_THROW(burst(0, 0), Unsupported);
  EXPECT_THROW(burst(64, -1), Unsupported);
}

}  // namespace
}  // namespace assay::test
