// SPDX-License-Identifier: Apache-2.0
// What goes up and down the tree of ranks, and the simulated network that it goes over.
#include "team/wire/rank_tree.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/ranks/simulated_network.hpp"

namespace assay {
namespace {

using test::SimulatedNetwork;
using test::SimulatedWire;

TEST(RankTree, BringsEveryRanksValueToRankZeroInOrder) {
  for (int ranks = 1; ranks <= 17; ++ranks) {
    SimulatedNetwork network(std::vector<test::SimulatedRank>(static_cast<std::size_t>(ranks)), 1);
    network.run([&](SimulatedWire& wire) {
      const std::vector<int> values = gather(wire, 100 + wire.rank());
      if (wire.rank() != 0) return;
      ASSERT_EQ(values.size(), static_cast<std::size_t>(ranks));
      for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(values[static_cast<std::size_t>(rank)], 100 + rank);
    });
  }
}

TEST(RankTree, BringsRankZerosValueToAllInLogarithmicTime) {
  for (int ranks = 1; ranks <= 17; ++ranks) {
    SimulatedNetwork network(std::vector<test::SimulatedRank>(static_cast<std::size_t>(ranks)), 1);
    int steps = 0;
    while ((1 << steps) < ranks) ++steps;
    network.run([&](SimulatedWire& wire) {
      EXPECT_EQ(broadcast(wire, wire.rank() == 0 ? 42.5 : 0), 42.5);
      EXPECT_LE(wire.time(), steps * 1200) << "delays of 1 us, and what sending and receiving cost";
    });
  }
}

// Stamps that depend on every delay, clock and message.
std::vector<std::int64_t> story(std::uint64_t seed) {
  SimulatedNetwork network({{0, 0, 0}, {0, 5'000, 1e-5}, {1, -70'000, 2e-5}}, seed);
  network.delay = [](int from, int to) {
    return [=](Rng& rng, std::int64_t) { return 500 + 100 * from + 300 * to - 200 * std::log(1 - rng.uniform()); };
  };
  std::vector<std::int64_t> stamps;
  network.run([&](SimulatedWire& wire) {
    std::int64_t sum = 0;
    for (int i = 0; i < 50; ++i) sum = broadcast(wire, sum + wire.clock().now().ns) + wire.clock().now().ns;
    const std::vector<std::int64_t> sums = gather(wire, sum);
    if (wire.rank() == 0) stamps = sums;
  });
  return stamps;
}

TEST(SimulatedNetworkTest, OneSeedIsOneStory) {
  EXPECT_EQ(story(3), story(3));
  EXPECT_NE(story(3), story(4));
}

TEST(SimulatedNetworkTest, RanksThatWaitForEachOtherAreToldSo) {
  SimulatedNetwork network(std::vector<test::SimulatedRank>(3), 1);
  EXPECT_THROW(network.run([](SimulatedWire& wire) { receive_value<int>(wire, (wire.rank() + 1) % 3); }), WireError);
  EXPECT_THROW(network.run([](SimulatedWire& wire) {
    if (wire.rank() == 1) throw std::domain_error("rank 1 fails");
    receive_value<int>(wire, 1);
  }),
               std::domain_error);
}

}  // namespace
}  // namespace assay
