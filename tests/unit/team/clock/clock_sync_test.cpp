// SPDX-License-Identifier: Apache-2.0
// Ranks of several nodes learn rank 0's clock over a simulated network, and notice when it does not hold any more.
#include "team/clock/clock_sync.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/ranks/simulated_network.hpp"
#include "team/clock/place_clock.hpp"
#include "team/wire/rank_tree.hpp"

namespace assay {
namespace {

using test::DelayLaw;
using test::SimulatedNetwork;
using test::SimulatedRank;
using test::SimulatedWire;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t second = 1'000'000'000;

// Three nodes of two or three ranks; on one of them a rank has a clock of its own.
std::vector<SimulatedRank> three_nodes() {
  const SimulatedRank first{7, 5 * second, 0};
  const SimulatedRank next{3, 1'005 * second, 50e-6};
  const SimulatedRank last{9, -200 * second, -30e-6};
  return {first, first, next, next, {3, 77 * second, 50e-6}, last, last};
}

// A microsecond within a node, twenty between nodes and forty back; some jitter, some congestion.
void add_delays(SimulatedNetwork& network) {
  network.delay = [&network](int from, int to) -> DelayLaw {
    const bool near = network.of(from).node == network.of(to).node;
    const double base = near ? 1'000 : from < to ? 20'000 : 40'000;
    return [base](Rng& rng, std::int64_t) {
      return base - base / 20 * std::log(1 - rng.uniform()) + (rng.uniform() < 0.2 ? 30 * base : 0);
    };
  };
}

struct Stamp {
  CommonClock clock;
  Nanoseconds error;  // of this rank's reading of the common clock, at the end
  Nanoseconds open;   // its bound there
};

Stamp stamp_of(SimulatedWire& wire, const SimulatedNetwork& network, const CommonClock& clock) {
  const Instant own = network.reading_of(wire.rank(), wire.time());
  const Nanoseconds ahead = clock.model.to_reference(own) - network.reading_of(0, wire.time());
  return {clock, {std::abs(ahead.count)}, clock.model.bound_at(own)};
}

std::vector<Stamp> synchronized(SimulatedNetwork& network, const SyncRule& rule = {}) {
  std::vector<Stamp> stamps;
  network.run([&](SimulatedWire& wire) {
    ClockHistory seen;
    const CommonClock clock = synchronize(wire, rule, seen);
    wire.clock().sleep_until(wire.clock().now() + seconds(1));
    const std::vector<Stamp> all = gather(wire, stamp_of(wire, network, clock));
    if (wire.rank() == 0) stamps = all;
  });
  return stamps;
}

TEST(SyncTree, IsShallowAndReachesEachRankOnce) {
  const std::vector<int> nodes{5, 5, 2, 2, 2, 8};
  EXPECT_THAT(sync_place(nodes, 0).children, ElementsAre(5, 2, 1));
  EXPECT_THAT(sync_place(nodes, 2).children, ElementsAre(4, 3));
  EXPECT_EQ(sync_place(nodes, 0).parent, -1);
  EXPECT_EQ(sync_place(nodes, 2).parent, 0);
  EXPECT_FALSE(sync_place(nodes, 2).parent_is_near);
  EXPECT_TRUE(sync_place(nodes, 3).parent_is_near);
  // 64 nodes of 16: six lessons and four, in a row.
  std::vector<int> many(1024);
  for (std::size_t rank = 0; rank < many.size(); ++rank) many[rank] = static_cast<int>(rank % 64);
  std::vector<std::size_t> taught(many.size());
  for (int rank = 0; rank < 1024; ++rank) {
    const SyncPlace place = sync_place(many, rank);
    EXPECT_LE(place.children.size(), 10U);
    for (const int child : place.children) {
      ++taught[static_cast<std::size_t>(child)];
      EXPECT_EQ(sync_place(many, child).parent, rank);
    }
  }
  EXPECT_EQ(taught[0], 0U);
  EXPECT_EQ(std::count(taught.begin(), taught.end(), 1U), 1023);
}

TEST(ClockSync, BringsAllRanksToRankZerosClockWithinTheirBounds) {
  SimulatedNetwork network(three_nodes(), 5);
  add_delays(network);
  const std::vector<Stamp> stamps = synchronized(network);
  ASSERT_EQ(stamps.size(), 7U);
  for (const Stamp& stamp : stamps) {
    EXPECT_LE(stamp.error, stamp.open) << to_text(stamp.clock, static_cast<int>(&stamp - stamps.data()));
    EXPECT_LT(stamp.clock.link.bound, microseconds(40)) << "half a round trip between nodes, and jitter";
  }
  EXPECT_EQ(stamps[0].open.count, 0);
  EXPECT_EQ(stamps[1].clock.end, SyncEnd::one_clock);
  EXPECT_LT(stamps[1].open, microseconds(1.5));
  EXPECT_EQ(stamps[3].clock.end, SyncEnd::one_clock);
  EXPECT_EQ(stamps[3].clock.model.drift, stamps[2].clock.model.drift);
  EXPECT_EQ(stamps[4].clock.end, SyncEnd::learned) << "its clock is another one than its leader's";
  EXPECT_EQ(to_text(stamps[0].clock, 0), "rank 0: the common clock");
  EXPECT_THAT(to_text(stamps[3].clock, 3), HasSubstr("rank 3: one clock with rank 2, within"));
  EXPECT_THAT(to_text(stamps[4].clock, 4),
              testing::MatchesRegex("rank 4: within .* of the common clock, by [0-9]+ fit points over [0-9]+ ms from "
                                    "rank 2, whose clock is .* s ahead"));
}

TEST(ClockSync, GoesOnUntilTheDriftIsKnownForTheStretchOrTheTimeIsUsedUp) {
  SimulatedNetwork network({{0, 0, 0}, {1, 3 * second, 1e-5}}, 2);
  network.delay = [](int, int) -> DelayLaw { return [](Rng&, std::int64_t) { return 2'000; }; };
  SyncRule rule;
  rule.exchanges = 5;
  rule.fit_points = 4;
  const CommonClock reached = synchronized(network, rule)[1].clock;
  EXPECT_EQ(reached.end, SyncEnd::learned);
  EXPECT_EQ(reached.exchanges, 5 * reached.fit_points);
  EXPECT_LE(reached.link.drift_bound * rule.stretch, reached.link.round_trip / 2 + Nanoseconds{50});
  EXPECT_GT(reached.link.to - reached.link.from, 1.9 * rule.stretch) << "half a round trip at each end";
  rule.stretch = seconds(2);
  const CommonClock late = synchronized(network, rule)[1].clock;
  EXPECT_EQ(late.end, SyncEnd::time_used_up);
  EXPECT_GE(late.link.to - late.link.from, rule.most_time - milliseconds(200));
  EXPECT_LT(late.link.to - late.link.from, rule.most_time + milliseconds(250));
  EXPECT_THAT(to_text(late, 1), HasSubstr("as many as the time permitted"));
  rule.fit_points = 1;
  EXPECT_THROW(synchronized(network, rule), std::invalid_argument);
}

TEST(ClockSync, ALessonOfClocksThatWereSeenBeforeIsShort) {
  SimulatedNetwork network({{0, 0, 0}, {1, 1'000 * second, 5e-5}}, 3);
  add_delays(network);
  network.run([&](SimulatedWire& wire) {
    ClockHistory seen;
    const CommonClock first = synchronize(wire, {}, seen);
    wire.clock().sleep_until(wire.clock().now() + seconds(5));
    const CommonClock second_time = synchronize(wire, {}, seen);
    if (wire.rank() == 0) return;
    EXPECT_GE(first.exchanges, 100);
    EXPECT_EQ(second_time.exchanges, 10);
    EXPECT_LT(second_time.model.drift_bound, first.model.drift_bound / 5);
    EXPECT_THAT(to_text(second_time, 1), HasSubstr(" s behind"));
    const Stamp stamp = stamp_of(wire, network, second_time);
    EXPECT_LE(stamp.error, stamp.open);
  });
}

TEST(ClockSync, AClockThatWasSetIsLearnedAnew) {
  SimulatedNetwork network({{0, 0, 0}, {1, 1'000 * second, 0}}, 3);
  add_delays(network);
  network.run([&](SimulatedWire& wire) {
    ClockHistory seen;
    // As if the clock had read something else up to now.
    for (int i = 0; wire.rank() == 1 && i < 5; ++i)
      seen.add({{{i * 1'000'000}, {20'000 + i * 1'000'000}}, {{20'000 + i * 1'000'000}, {i * 1'000'000}}, {}});
    const CommonClock clock = synchronize(wire, {}, seen);
    if (wire.rank() == 0) return;
    EXPECT_GE(clock.exchanges, 100);
    const Stamp stamp = stamp_of(wire, network, clock);
    EXPECT_LE(stamp.error, stamp.open);
    EXPECT_LT(stamp.open, microseconds(100));
  });
}

// A stretch of five seconds after which rank `of` finds that its clock was set by `step`.
std::vector<StretchCheck> checked_after(SimulatedNetwork& network, int of, std::int64_t step) {
  std::vector<StretchCheck> checks;
  network.run([&](SimulatedWire& wire) {
    ClockHistory seen;
    CommonClock clock = synchronize(wire, {}, seen);
    wire.clock().sleep_until(wire.clock().now() + seconds(5));
    // All that it knows is by so much off, as if the clock had been set by as much.
    for (ClockModel* model : {&clock.link, &clock.model})
      if (wire.rank() == of) model->reference_base.ns += step;
    const std::vector<StretchCheck> all = gather(wire, check_again(wire, clock, seen));
    if (wire.rank() == 0) checks = all;
  });
  return checks;
}

TEST(ClockCheck, AcceptsTheStampsOfClocksThatKeptTheirRates) {
  SimulatedNetwork network(three_nodes(), 5);
  add_delays(network);
  const std::vector<StretchCheck> checks = checked_after(network, -1, 0);
  EXPECT_EQ(refusal(checks), "");
  for (const StretchCheck& check : checks) EXPECT_LT(check.bound, microseconds(300));
}

TEST(ClockCheck, RefusesTheStampsOfAClockThatWasSetAndOfAllWhoLearnedFromIt) {
  SimulatedNetwork network(three_nodes(), 5);
  add_delays(network);
  const std::vector<StretchCheck> checks = checked_after(network, 2, 5'000'000);
  for (const int rank : {2, 3, 4}) EXPECT_GE(checks[static_cast<std::size_t>(rank)].refused_by, 2) << rank;
  for (const int rank : {0, 1, 5, 6}) EXPECT_EQ(checks[static_cast<std::size_t>(rank)].refused_by, -1) << rank;
  EXPECT_THAT(refusal(checks), HasSubstr("stamps of rank 2 (and the time stamps of 2 other ranks) cannot be compared"));
  EXPECT_THAT(refusal(checks),
              HasSubstr("rank 2: at the end of the period the model of this rank's clock was 5 ms off"));
}

}  // namespace
}  // namespace assay
