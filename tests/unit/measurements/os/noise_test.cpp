// SPDX-License-Identifier: Apache-2.0
// Noise of known period and length, planted in simulated time, comes back; where there is none, none is found.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "catalog.hpp"
#include "os/noise.hpp"
#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

/// A CPU that is taken away for `duration` at every multiple of `period`, clock included; reading the clock takes 25 ns
/// and, once in a thousand readings, 1 ns.
class NoisyClock final : public Clock {
 public:
  NoisyClock(Nanoseconds period, Nanoseconds duration) : period_(period), duration_(duration), next_(period) {}
  Instant now() const override {
    pass(Nanoseconds{++readings_ % 1000 == 0 ? 1.0 : 25.0});
    return {std::llround(time_.count)};
  }
  void pass(Nanoseconds work) const {
    while (duration_ > Nanoseconds{} && time_ + work >= next_) {
      work = work - (next_ - time_);
      time_ = next_ + duration_;
      next_ += period_;
    }
    time_ += work;
  }

 private:
  Nanoseconds period_;
  Nanoseconds duration_;
  mutable Nanoseconds time_{};
  mutable Nanoseconds next_;
  mutable std::int64_t readings_ = 0;
};

constexpr Nanoseconds none{};

Quanta quanta_of(const NoisyClock& clock) {
  const Stopwatch watch = Stopwatch::simulated(clock);
  const auto work = [&](std::int64_t steps) { clock.pass(Nanoseconds{static_cast<double>(steps)}); };
  const std::int64_t steps = steps_in(microseconds(100), watch, work);
  EXPECT_NEAR(static_cast<double>(steps), 100e3, 500) << "whatever is planted";
  std::vector<Nanoseconds> times(10'000);
  time_quanta(watch, times, [&] { work(steps); });
  return describe_quanta(times);
}

TEST(NoiseOfQuanta, ComesBackAsPlanted) {
  const Quanta found = quanta_of({milliseconds(10), microseconds(50)});
  EXPECT_NEAR(found.noise, 0.005, 0.0005);
  EXPECT_NEAR(found.longest.count, 150e3, 500);
  EXPECT_NEAR(found.median.count, 100e3, 500);
  EXPECT_NEAR(found.fastest.count, 100e3, 500);
  const Quanta frequent = quanta_of({milliseconds(2), microseconds(50)});
  EXPECT_NEAR(frequent.p99.count, 150e3, 500) << "one quantum in twenty is hit";
  EXPECT_NEAR(frequent.noise, 0.025, 0.001);
}

TEST(NoiseOfQuanta, IsNothingOnAQuietMachine) {
  const Quanta found = quanta_of({seconds(1), none});
  EXPECT_LT(found.noise, 0.0005);
  EXPECT_LT(found.longest / found.fastest, 1.001);
}

Intervals intervals_of(const NoisyClock& clock, Nanoseconds interval) {
  std::vector<double> units(2'000);
  count_units(Stopwatch::simulated(clock), interval, units, [&] { clock.pass(microseconds(1)); });
  return describe_intervals(units);
}

TEST(NoiseOfIntervals, ComesBackAsPlanted) {
  const Intervals found = intervals_of({milliseconds(10), microseconds(200)}, milliseconds(1));
  EXPECT_NEAR(found.loss, 0.02, 0.001);
  EXPECT_NEAR(found.worst, 0.2, 0.005);
  EXPECT_NEAR(found.median, 1e6 / 1025, 0.5);
}

TEST(NoiseOfIntervals, SeesIntervalsThatWereLostAltogether) {
  const Intervals found = intervals_of({milliseconds(50), milliseconds(5)}, milliseconds(1));
  EXPECT_NEAR(found.loss, 0.1, 0.01);
  EXPECT_GT(found.worst, 0.99);
}

TEST(NoiseOfIntervals, IsNothingOnAQuietMachine) {
  const Intervals found = intervals_of({seconds(1), none}, milliseconds(1));
  EXPECT_LT(found.loss, 0.0005) << "edges that no unit ends at are no noise";
  EXPECT_LT(found.worst, 0.0005);
}

Detours detours_of(const NoisyClock& clock, Nanoseconds asked = microseconds(1)) {
  const Stopwatch watch = Stopwatch::simulated(clock);
  return watch_detours(watch, milliseconds(200), limit_of(watch, asked));
}

TEST(Detours, ComeBackAsPlanted) {
  const Detours found = detours_of({milliseconds(4), microseconds(30)});
  EXPECT_NEAR(static_cast<double>(found.count), 50, 1);
  EXPECT_NEAR(found.longest.count, 30e3, 30);
  EXPECT_NEAR(found.lost / found.window, 0.0075, 0.0002);
}

TEST(Detours, AreNoneOnAQuietMachineThoughTheShortestStepIsOneNanosecond) {
  for (const double asked : {0.0, 1000.0}) {
    const Detours found = detours_of({seconds(1), none}, Nanoseconds{asked});
    EXPECT_EQ(found.count, 0);
    EXPECT_EQ(found.lost, none);
    EXPECT_EQ(found.longest, none);
  }
}

TEST(Detours, OfACoarseClockAreNotItsSteps) {
  class Coarse final : public Clock {
   public:
    Instant now() const override { return {++readings_ / 50 * 4'000}; }

   private:
    mutable std::int64_t readings_ = 0;
  } const clock;
  const Stopwatch watch = Stopwatch::simulated(clock);
  const GapLimit limit = limit_of(watch, microseconds(1));
  EXPECT_EQ(limit.threshold, Nanoseconds{36'000}) << "said in the result, whatever was asked for";
  EXPECT_EQ(watch_detours(watch, milliseconds(100), limit).count, 0);
}

TEST(Detours, NeedAClockThatAdvances) {
  struct Frozen final : Clock {
    Instant now() const override { return {}; }
  } const clock;
  EXPECT_THROW(limit_of(Stopwatch::simulated(clock), microseconds(1)), Unsupported);
}

Point standard_point(const std::string& name) {
  Registry registry;
  register_all(registry);
  Point point;
  for (const Factor& factor : registry.find(name)->description.factors) point.set(factor.name, factor.standard);
  return point;
}

// A window on the planted clock, through the measurement as registered.
Claims selfish_claims(Point point) {
  const NoisyClock clock{milliseconds(4), microseconds(30)};
  test::PointSetup setup(std::move(point), 1);
  NoiseSelfish measurement(setup);
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch::simulated(clock), beats);
  measurement.enter(member);
  return measurement.run(member, Reps{1});
}

TEST(NoiseMeasurements, ClaimSharesRatesAndTheThresholdInEffect) {
  Point point = standard_point("os/noise-selfish");
  point.set("window", std::int64_t{100'000'000});
  const Claims claims = selfish_claims(point);
  EXPECT_NEAR(claims[NoiseSelfish::lost], 0.0075, 0.0004);
  EXPECT_NEAR(claims[NoiseSelfish::detours], 250, 10);
  EXPECT_EQ(claims[NoiseSelfish::threshold], 1000);
  point.set("threshold", std::int64_t{50'000});
  EXPECT_EQ(selfish_claims(point)[NoiseSelfish::detours], 0) << "below the threshold";
}

// A tick of 30 us every 4 ms: the trace has it with the time between.
TEST(NoiseMeasurements, DetoursFollowEachOther) {
  const NoisyClock clock{milliseconds(4), microseconds(30)};
  test::PointSetup setup(standard_point("os/noise-detours"), 1);
  NoiseDetours measurement(setup);
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch::simulated(clock), beats);
  measurement.enter(member);
  measurement.run(member, Reps{1});
  for (int batch = 0; batch < 5; ++batch) {
    const Claims claims = measurement.run(member, Reps{1});
    EXPECT_NEAR(claims[NoiseDetours::detour], 30'000, 1000);
    EXPECT_NEAR(claims[NoiseDetours::after], 3'970'000, 40'000);
  }
}

TEST(NoiseMeasurements, AWindowWithoutADetourHasNone) {
  Point point = standard_point("os/noise-detours");
  point.set("window", std::int64_t{1'000'000});
  const NoisyClock clock{milliseconds(4000), microseconds(30)};
  test::PointSetup setup(std::move(point), 1);
  NoiseDetours measurement(setup);
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch::simulated(clock), beats);
  measurement.enter(member);
  measurement.run(member, Reps{1});  // one may begin at the clock's origin
  const Claims claims = measurement.run(member, Reps{1});
  EXPECT_EQ(claims[NoiseDetours::detour], 0);
  EXPECT_NEAR(claims[NoiseDetours::after], 1'000'000, 10'000);
}

TEST(NoiseMeasurements, RefuseWindowsOfWhichNothingCanBeTold) {
  Point point = standard_point("os/noise-fwq");
  point.set("window", std::int64_t{900'000});
  test::PointSetup setup(point, 1);
  EXPECT_THROW(NoiseFwq{setup}, Unsupported);
  point = standard_point("os/noise-ftq");
  point.set("interval", std::int64_t{1});
  test::PointSetup tiny(point, 1);
  EXPECT_THROW(NoiseFtq{tiny}, Unsupported);
}

}  // namespace
}  // namespace assay
