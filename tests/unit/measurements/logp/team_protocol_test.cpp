// SPDX-License-Identifier: Apache-2.0
// Protocols over channels, run by real teams: on simulated time the answers are exact, on real channels the order
// holds.
#include <gtest/gtest.h>

#include "catalog.hpp"
#include "team/batch_classifier.hpp"
#include "team/team.hpp"

namespace assay {
namespace {

struct RunOf {
  Description description;
  Traits traits;
  Batch batch;
  double value(std::size_t quantity) const { return observe(batch, description, quantity, traits).value(); }
};

RunOf run(const std::string& name, const std::string& vehicle, const std::vector<std::pair<std::string, Value>>& levels,
          Reps reps) {
  Registry registry;
  register_all(registry);
  const Entry* entry = registry.find(name);
  TeamRequest request;
  request.vehicle = vehicle;
  request.members = entry->description.members.least;
  for (const auto& [factor, level] : levels) request.point.set(factor, level);
  const auto team = open_team(*entry, request);
  team->run(reps);
  return {entry->description, traits_at(entry->description, request.point), team->run(reps)};
}

class TeamVehicle : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, TeamVehicle, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

// Oracle 1 of the LogP protocols on simulated time: parameters are recovered exactly, whatever the machine does
// meanwhile.
TEST_P(TeamVehicle, SyntheticRoundTripIsTwiceTheSum) {
  const std::vector<std::array<std::int64_t, 5>> sets{
      {500, 300, 2000, 800, 5600}, {200, 900, 5000, 1500, 12200}, {1000, 100, 500, 1000, 3200}};
  for (const auto& [o_s, o_r, latency, gap, expected] : sets) {
    const RunOf r =
        run("synthetic/round_trip", GetParam(), {{"o_s", o_s}, {"o_r", o_r}, {"L", latency}, {"g", gap}}, Reps{20});
    EXPECT_EQ(r.value(0), static_cast<double>(expected));
  }
}

TEST_P(TeamVehicle, SyntheticOverheadsComeBack) {
  const RunOf r =
      run("synthetic/overheads", GetParam(), {{"o_s", std::int64_t{500}}, {"o_r", std::int64_t{300}}}, Reps{50});
  EXPECT_EQ(r.value(0), 500);
  EXPECT_EQ(r.value(1), 300);
}

TEST_P(TeamVehicle, SyntheticBurstsGrowByTheGap) {
  const auto burst = [&](std::int64_t n) {
    return run("synthetic/burst", GetParam(), {{"burst", n}}, Reps{4}).value(0);
  };
  EXPECT_NEAR((burst(512) - burst(256)) / 256, 800, 1);
}

TEST_P(TeamVehicle, ThreeClaimantsAreKeptApart) {
  const RunOf r = run("synthetic/claims", GetParam(), {}, Reps{7});
  EXPECT_EQ(r.value(0), 100);
  EXPECT_EQ(r.value(1), -40);
  EXPECT_EQ(r.value(2), 2);
}

TEST_P(TeamVehicle, CheckedMutexRingKeepsItsOrder) {
  const RunOf r = run("logp/round_trip", GetParam(), {{"channel", std::string("mutex-ring-checked")}}, Reps{2000});
  EXPECT_TRUE(observe(r.batch, r.description, 0, r.traits).has_value());
}

TEST_P(TeamVehicle, EveryBlockingChannelExchangesAndBlocksOrNot) {
  for (const std::string channel : {"futex", "mutex-ring", "condvar", "pipe"}) {
    const RunOf r = run("logp/round_trip", GetParam(), {{"channel", channel}}, Reps{200});
    EXPECT_GT(r.value(0), 0) << channel;
  }
}

TEST(TeamProtocol, ChannelsRefuseWhatTheyDoNotHave) {
  EXPECT_THROW(
      run("logp/round_trip", "thread", {{"channel", std::string("futex")}, {"bytes", std::int64_t{64}}}, Reps{1}),
      Unsupported);
  EXPECT_THROW(
      run("logp/round_trip", "thread", {{"channel", std::string("pipe")}, {"heartbeat", std::string("on")}}, Reps{1}),
      Unsupported);
  EXPECT_THROW(
      run("logp/round_trip", "thread", {{"channel", std::string("pipe")}, {"bytes", std::int64_t{0}}}, Reps{1}),
      Unsupported);
}

}  // namespace
}  // namespace assay
