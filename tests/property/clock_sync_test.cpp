// SPDX-License-Identifier: Apache-2.0
// Whatever the network, no rank is further from the common clock than its bound says.
#include "team/clock/clock_sync.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/ranks/simulated_network.hpp"
#include "team/clock/place_clock.hpp"

namespace assay {
namespace {

using test::DelayLaw;
using test::SimulatedNetwork;
using test::SimulatedRank;
using test::SimulatedWire;

double geometric_delay(Rng& rng, double low, double high) { return low * std::pow(high / low, rng.uniform()); }

// Up to nine ranks; those of a node have one clock.
std::vector<SimulatedRank> some_ranks(Rng& rng) {
  std::vector<SimulatedRank> nodes;
  for (int node = 0; node < 4; ++node)
    nodes.push_back({node, static_cast<std::int64_t>(2e18 * (rng.uniform() - 0.5)), 4e-4 * (rng.uniform() - 0.5)});
  std::vector<SimulatedRank> ranks(2 + rng.below(8));
  for (SimulatedRank& rank : ranks) rank = nodes[rng.below(nodes.size())];
  return ranks;
}

DelayLaw some_delays(Rng& rng, bool near, double share) {
  const double base = share * (near ? geometric_delay(rng, 100, 3'000) : geometric_delay(rng, 1'000, 200'000));
  const double jitter = base * geometric_delay(rng, 1e-3, 1);
  const double spike = base * geometric_delay(rng, 1, 100);
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
      ClockHistory seen;
      CommonClock clock = synchronize(wire, rule, seen);
      const CommonClock learned = clock;
      const std::int64_t begin = wire.time();
      wire.clock().sleep_until(wire.clock().now() + seconds(2));
      const std::int64_t end = wire.time();
      const StretchCheck check = check_again(wire, clock, seen);
      for (std::int64_t time = begin; time < end; time += 100'000'000) {
        EXPECT_LE(error(learned, time), learned.model.bound_at(network.reading_of(wire.rank(), time))) << seed;
        if (check.refused_by >= 0) continue;
        EXPECT_LE(error(learned, time), check.bound) << seed;
      }
    });
  }
}

// Two nodes whose clocks are 1000 s apart.
struct Weather {
  const char* name;
  double there;
  double back;
  double jitter;
  double outliers;  // share of messages that take 5 ms longer
  double usual;     // most that the bound may be in the middle of all trials, in nanoseconds
};

struct SyncTrial {
  bool held = true;  // no error beyond its bound, whenever one looked
  bool accepted = true;
  double learned = 0;  // bounds
  double after_all = 0;
};

SyncTrial tried(const Weather& weather, double drift, std::uint64_t seed) {
  SimulatedNetwork network({{0, 0, 0}, {1, 1'000'000'000'000, drift}}, seed);
  network.delay = [&](int from, int) -> DelayLaw {
    const double base = from == 0 ? weather.there : weather.back;
    return [&weather, base](Rng& rng, std::int64_t) {
      return base - weather.jitter * std::log(1 - rng.uniform()) + (rng.uniform() < weather.outliers ? 5e6 : 0);
    };
  };
  SyncTrial trial;
  network.run([&](SimulatedWire& wire) {
    ClockHistory seen;
    CommonClock clock = synchronize(wire, {}, seen);
    const auto error = [&](const ClockModel& model) {
      const Instant read = model.to_reference(network.reading_of(wire.rank(), wire.time()));
      return Nanoseconds{std::abs((read - network.reading_of(0, wire.time())).count)};
    };
    const auto bound = [&] { return clock.model.bound_at(network.reading_of(wire.rank(), wire.time())); };
    // A stretch of five seconds without a look, and two more.
    for (int stretch = 0; stretch < 3; ++stretch) {
      const ClockModel model = clock.model;
      Nanoseconds worst = error(model);
      if (wire.rank() == 1) trial.held = trial.held && worst <= bound();
      if (wire.rank() == 1 && stretch == 0) trial.learned = bound().count;
      wire.clock().sleep_until(wire.clock().now() + seconds(5));
      worst = std::max(worst, error(model));
      if (wire.rank() == 1) trial.held = trial.held && worst <= bound();
      const StretchCheck check = check_again(wire, clock, seen);
      if (wire.rank() == 0) continue;
      trial.held = trial.held && worst <= check.bound;
      trial.accepted = trial.accepted && check.refused_by < 0;
      trial.after_all = clock.model.bound.count;
    }
  });
  return trial;
}

TEST(ClockSyncLaw, OfTwoThousandNetworksOneInAHundredMayBeBeyondItsBound) {
  const Weather weathers[] = {{"fast and quiet", 700, 900, 50, 0, 2e3},
                              {"60 us and quiet", 28e3, 32e3, 500, 0, 40e3},
                              {"uneven", 20e3, 40e3, 10e3, 0, 60e3},
                              {"uneven, at times 5 ms late", 20e3, 40e3, 10e3, 0.05, 80e3}};
  int trials = 0;
  int wrong = 0;
  std::vector<double> usual;
  for (const Weather& weather : weathers) {
    std::vector<double> bounds;
    for (const double drift : {0.0, 50e-6, -200e-6})
      for (std::uint64_t seed = 1; seed <= 167; ++seed) {
        const SyncTrial trial = tried(weather, drift, seed);
        ++trials;
        wrong += trial.held && trial.accepted ? 0 : 1;
        EXPECT_LE(trial.after_all, 1.5 * trial.learned) << weather.name << " " << seed;
        bounds.push_back(trial.learned);
      }
    std::ranges::nth_element(bounds, bounds.begin() + static_cast<std::ptrdiff_t>(bounds.size() / 2));
    usual.push_back(bounds[bounds.size() / 2]);
    EXPECT_LT(usual.back(), weather.usual) << weather.name;
  }
  EXPECT_GE(trials, 2000);
  EXPECT_LE(wrong, trials / 100);
  EXPECT_LT(usual[0], usual[1]);
  EXPECT_LT(usual[1], usual[2]) << "what the network hides is part of the bound";
}

}  // namespace
}  // namespace assay
