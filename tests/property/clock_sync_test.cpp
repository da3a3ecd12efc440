// SPDX-License-Identifier: Apache-2.0
// Whatever the network, no rank is further from the common clock than its bound says.
#include "team/clock_sync.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/simulated_network.hpp"
#include "team/clock_check.hpp"

namespace assay {
namespace {

using test::Law;
using test::SimulatedNetwork;
using test::SimulatedRank;
using test::SimulatedWire;

double geometric(Rng& rng, double low, double high) { return low * std::pow(high / low, rng.uniform()); }

// Up to nine ranks; those of a node have one clock.
std::vector<SimulatedRank> some_ranks(Rng& rng) {
  std::vector<SimulatedRank> nodes;
  for (int node = 0; node < 4; ++node)
    nodes.push_back({node, static_cast<std::int64_t>(2e18 * (rng.uniform() - 0.5)), 4e-4 * (rng.uniform() - 0.5)});
  std::vector<SimulatedRank> ranks(2 + rng.below(8));
  for (SimulatedRank& rank : ranks) rank = nodes[rng.below(nodes.size())];
  return ranks;
}

Law some_delays(Rng& rng, bool near, double share) {
  const double base = share * (near ? geometric(rng, 100, 3'000) : geometric(rng, 1'000, 200'000));
  const double jitter = base * geometric(rng, 1e-3, 1);
  const double spike = base * geometric(rng, 1, 100);
  const double often = rng.uniform();
  return [=](Rng& drawn, std::int64_t) {
    return base - jitter * std::log(1 - drawn.uniform()) + (drawn.uniform() < often ? spike : 0);
  };
}

TEST(ClockSyncLaw, NoRankIsFurtherFromTheCommonClockThanItsBound) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Rng rng(seed);
    SimulatedNetwork network(some_ranks(rng), seed);
    // In every other network one direction takes nearly all of each round trip, so that errors add up along the tree.
    const double upward = seed % 2 == 0 ? 1e-3 : 1;
    network.delay = [&](int from, int to) {
      return some_delays(rng, network.of(from).node == network.of(to).node, from > to ? upward : 1);
    };
    network.run([&](SimulatedWire& wire) {
      const auto error = [&](const CommonClock& clock, std::int64_t time) {
        const Instant read = clock.model.to_reference(network.reading_of(wire.rank(), time));
        return Nanoseconds{std::abs((read - network.reading_of(0, time)).count)};
      };
      SyncRule rule;
      rule.exchanges = 5;
      rule.fit_points = 5;
      const CommonClock clock = synchronize(wire, rule);
      const std::int64_t begin = wire.time();
      wire.clock().sleep_until(wire.clock().now() + seconds(2));
      const std::int64_t end = wire.time();
      const StretchCheck check = check_again(wire, clock);
      for (std::int64_t time = begin; time < end; time += 100'000'000) {
        EXPECT_LE(error(clock, time), clock.model.bound_at(network.reading_of(wire.rank(), time))) << seed;
        if (check.refused_by >= 0) continue;
        EXPECT_LE(error(clock, time), check.bound) << seed;
      }
    });
  }
}

}  // namespace
}  // namespace assay
