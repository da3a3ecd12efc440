// SPDX-License-Identifier: Apache-2.0
// No rank leaves the barrier before all have come; barriers that are broken are caught by the same oracle.
#include "team/wire/dissemination.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "support/ranks/simulated_network.hpp"

namespace assay {
namespace {

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
