// SPDX-License-Identifier: Apache-2.0
// No delay, however uneven, makes a clock's model wrong by more than its bound.
#include "stats/clock/clock_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/clock/clock_fit.hpp"
#include "support/machines/clock_pair.hpp"

namespace assay {
namespace {

using test::ClockPair;

constexpr std::int64_t second = 1'000'000'000;

double between(Rng& rng, double low, double high) { return low + (high - low) * rng.uniform(); }

double geometric(Rng& rng, double low, double high) { return low * std::pow(high / low, rng.uniform()); }

// Anything from a shared cache to a wide network, much slower one way than the other.
ClockPair some_clocks(std::uint64_t seed) {
  Rng rng(seed);
  ClockPair clocks;
  clocks.local_origin = static_cast<std::int64_t>(between(rng, -1e18, 1e18));
  clocks.reference_origin = static_cast<std::int64_t>(between(rng, -1e18, 1e18));
  clocks.rate = between(rng, -200e-6, 200e-6);
  clocks.there = geometric(rng, 50, 1e6);
  clocks.back = geometric(rng, 50, 1e6);
  clocks.jitter = geometric(rng, 1, 1e5);
  clocks.spike_chance = rng.uniform();
  clocks.spike = geometric(rng, 1e3, 1e7);
  clocks.rng = rng.substream("delays");
  return clocks;
}

TEST(ClockModelLaw, NoDelayMakesItWrongByMoreThanItsBound) {
  int narrow = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    ClockPair clocks = some_clocks(seed);
    const ClockModel model = fitted_clock(clocks.points(0, second / 10, 10));
    ASSERT_LE(std::abs(model.drift - (1 / (1 + clocks.rate) - 1)), model.drift_bound) << seed;
    for (std::int64_t time = -second; time < 60 * second; time += second / 7)
      ASSERT_LE(clocks.error(model, time), model.bound_at(clocks.local(time))) << seed << " at " << time;
    narrow += model.bound <= model.round_trip + Nanoseconds{5};
  }
  EXPECT_GT(narrow, 400) << "a bound of more than a round trip says nothing";
}

TEST(ClockModelLaw, NoDelayMakesAcceptedStampsWrongByMoreThanTheBoundOfTheirStretch) {
  int accepted = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    ClockPair clocks = some_clocks(seed);
    const ClockModel model = fitted_clock(clocks.points(0, second / 10, 10));
    const ClockAgreement agreement = agrees(model, clocks.point(3 * second));
    if (!agreement.accepted) continue;
    ++accepted;
    for (std::int64_t time = second; time < 3 * second; time += second / 7)
      ASSERT_LE(clocks.error(model, time), agreement.bound) << seed << " at " << time;
  }
  EXPECT_GT(accepted, 400);
}

}  // namespace
}  // namespace assay
