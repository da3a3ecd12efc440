// SPDX-License-Identifier: Apache-2.0
// What goes up and down the tree of ranks, over a simulated network; and barriers, which no rank leaves before all have
// come.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "support/ranks/simulated_network.hpp"
#include "team/wire/rank_tree.hpp"

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

using test::SimulatedNetwork;
using test::SimulatedWire;

constexpr int phases = 20;

struct Passage {
  std::int64_t arrived[phases];
  std::int64_t left[phases];
};

using Barrier = std::function<void(SimulatedWire&)>;

// How often a rank left a phase before the last had come to it, in true time, with ranks that come at random times.
int violations(int ranks, const std::function<Barrier(SimulatedWire&)>& make) {
  SimulatedNetwork network(std::vector<test::SimulatedRank>(static_cast<std::size_t>(ranks)), 7);
  std::vector<Passage> passages(static_cast<std::size_t>(ranks));
  network.run([&](SimulatedWire& wire) {
    Rng rng = Rng(11).substream(std::to_string(wire.rank()));
    const Barrier barrier = make(wire);
    Passage& passage = passages[static_cast<std::size_t>(wire.rank())];
    for (int phase = 0; phase < phases; ++phase) {
      wire.pass(microseconds(100 * rng.uniform()));
      passage.arrived[phase] = wire.time();
      barrier(wire);
      passage.left[phase] = wire.time();
    }
  });
  int found = 0;
  for (int phase = 0; phase < phases; ++phase) {
    std::int64_t last = 0;
    for (const Passage& passage : passages) last = std::max(last, passage.arrived[phase]);
    for (const Passage& passage : passages) found += passage.left[phase] < last;
  }
  return found;
}

TEST(DisseminationBarrier, HoldsEverybodyUntilAllHaveCome) {
  for (int ranks = 1; ranks <= 17; ++ranks)
    EXPECT_EQ(violations(ranks,
                         [](SimulatedWire& wire) {
                           return [barrier = DisseminationBarrier(wire)](SimulatedWire&) mutable { barrier.wait(); };
                         }),
              0)
        << ranks;
}

// The steps of the barrier up to a distance, without its numbers.
Barrier steps_below(int limit) {
  return [limit](SimulatedWire& wire) {
    for (int distance = 1; distance < limit; distance *= 2) {
      send_value(wire, (wire.rank() + distance) % wire.ranks(), 0);
      receive_value<int>(wire, (wire.rank() + wire.ranks() - distance) % wire.ranks());
    }
  };
}

TEST(DisseminationBarrier, TheOracleCatchesBrokenOnes) {
  for (const int ranks : {2, 3, 5, 8, 17}) {
    EXPECT_EQ(violations(ranks, [=](SimulatedWire&) { return steps_below(ranks); }), 0) << ranks;
    EXPECT_GT(violations(ranks, [=](SimulatedWire&) { return steps_below((ranks + 1) / 2); }), 0)
        << ranks << ", without the last step";
  }
}

TEST(DisseminationBarrier, TellsRanksThatHaveNotCalledTheSameBarriers) {
  SimulatedNetwork network(std::vector<test::SimulatedRank>(3), 1);
  try {
    network.run([](SimulatedWire& wire) {
      DisseminationBarrier first(wire);
      first.wait();
      DisseminationBarrier second(wire);
      (wire.rank() == 1 ? second : first).wait();
    });
    FAIL() << "rank 1 began anew";
  } catch (const WireError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("step 0 of barrier"));
    EXPECT_THAT(error.what(), testing::HasSubstr("have not all called the same barriers"));
  }
}

}  // namespace
}  // namespace assay
