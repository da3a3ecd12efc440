// SPDX-License-Identifier: Apache-2.0
// Each protocol over messages with sizes, on simulated time: the answers follow from the parameters alone.
#include <gtest/gtest.h>

#include <cmath>

#include "support/measurements/one_batch.hpp"

namespace assay::test {
namespace {

// The standard parameters, at a size that each protocol of the channel carries.
constexpr std::int64_t small = 1000;
constexpr double small_o_s = 500 + 0.05 * small;
constexpr double small_o_r = 300 + 0.05 * small;
constexpr double small_way = 2000 + 0.1 * small;
constexpr double small_gap = 800 + 0.1 * small;
constexpr std::int64_t large = 50'000;
constexpr double large_o_s = 3000;
constexpr double large_o_r = 400;
constexpr double large_way = 2000 + 0.08 * large;

class MessageChannelTeam : public testing::TestWithParam<std::string> {
 protected:
  static OneBatch run(const std::string& protocol, Levels levels, std::int64_t bytes, Reps reps) {
    levels.emplace_back("bytes", bytes);
    return run_named("synthetic-messages/" + protocol, {.vehicle = GetParam()}, levels, reps);
  }
  /// Growth of a burst's time per message.
  static double growth(std::int64_t bytes, double delay) {
    const auto time = [&](std::int64_t n) {
      return run("burst", {{"burst", n}, {"delay", delay}}, bytes, Reps{2}).value("burst_time");
    };
    return (time(128) - time(64)) / 64;
  }
};
INSTANTIATE_TEST_SUITE_P(Team, MessageChannelTeam, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

TEST_P(MessageChannelTeam, RoundTripsAreTwiceTheWholeWayInBothProtocols) {
  EXPECT_EQ(run("round_trip", {}, small, Reps{20}).value("rtt"), 2 * (small_o_s + small_way + small_o_r));
  EXPECT_EQ(run("round_trip", {}, large, Reps{20}).value("rtt"), 2 * (large_o_s + large_way + large_o_r));
}

TEST_P(MessageChannelTeam, OverheadsOfSmallMessagesComeBackFromMoreThanTheCreditHolds) {
  const OneBatch batch = run("overheads", {}, small, Reps{3000});
  EXPECT_EQ(batch.value("o_s[idle]"), small_o_s);
  EXPECT_EQ(batch.value("o_r[ready]"), small_o_r);
}

TEST_P(MessageChannelTeam, LargeMessagesWaitForTheirReceiver) {
  EXPECT_THROW(run("overheads", {}, large, Reps{1}), Unsupported);
  EXPECT_EQ(run("capacity", {}, large, Reps{1}).value("capacity"), 0);
  EXPECT_EQ(run("capacity", {}, small, Reps{1}).value("capacity"), 1024);
  EXPECT_EQ(run("capacity", {{"eager", small - 1}}, small, Reps{1}).value("capacity"), 0);
}

TEST_P(MessageChannelTeam, AFloodGrowsByTheGapOrWhereEachSendWaitsByTheWholeWay) {
  EXPECT_NEAR(growth(small, 0), small_gap, 1);
  EXPECT_NEAR(growth(large, 0), large_o_s + large_way + large_o_r, 1);
}

TEST_P(MessageChannelTeam, ABurstWithDelaysGrowsByTheSendOverheadInBothProtocols) {
  EXPECT_NEAR(growth(small, 1.5), small_o_s, 1e-6);
  EXPECT_NEAR(growth(large, 1.5), large_o_s, 1e-6);
}

TEST_P(MessageChannelTeam, NoiseLeavesTheMiddleWhereItIs) {
  const double rtt = run("round_trip", {{"noise", 0.05}}, small, Reps{4000}).value("rtt");
  const double truth = 2 * (small_o_s + small_way + small_o_r);
  EXPECT_NE(rtt, truth);
  EXPECT_NEAR(rtt, truth, 0.03 * truth);
}

TEST_P(MessageChannelTeam, ImpossibleParametersAreRefused) {
  EXPECT_THROW(run("round_trip", {{"G", -1.0}}, small, Reps{1}), Unsupported);
  EXPECT_THROW(run("round_trip", {{"credit", std::int64_t{5000}}}, small, Reps{1}), Unsupported);
}

}  // namespace
}  // namespace assay::test
