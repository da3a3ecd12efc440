// SPDX-License-Identifier: Apache-2.0
// Two clocks of known offset and drift that exchange stamps over a link of known delays.
#pragma once
#include <cmath>
#include <vector>

#include "base/rng.hpp"
#include "stats/clock/clock_fit.hpp"

namespace assay::test {

/// The reference clock is true time from an origin of its own; the local one runs at another rate.
class ClockPair {
 public:
  std::int64_t local_origin = 0;
  std::int64_t reference_origin = 0;
  double rate = 0;      ///< of the local clock, less 1
  double there = 1000;  ///< delays of the two directions, in nanoseconds
  double back = 1000;
  double jitter = 0;        ///< mean of what is added to each
  double spike_chance = 0;  ///< of the way there
  double spike = 0;
  Rng rng{1};

  Instant local(std::int64_t time) const {
    return {local_origin + time + std::llround(rate * static_cast<double>(time))};
  }
  Instant reference(std::int64_t time) const { return {reference_origin + time}; }

  /// One exchange that begins at `time`, which is moved to its end.
  Stamps exchange(std::int64_t& time) {
    const Instant sent = local(time);
    time += delay(there) + (rng.uniform() < spike_chance ? std::llround(spike) : 0);
    const Instant stamp = reference(time);
    time += delay(back);
    return {sent, stamp, local(time)};
  }

  /// What ten exchanges from `time` on say.
  FitPoint point(std::int64_t time) {
    std::vector<Stamps> exchanges;
    for (int i = 0; i < 10; ++i) exchanges.push_back(exchange(time));
    return fit_point(exchanges);
  }

  /// Fit points from `time` on, `spacing` nanoseconds apart.
  std::vector<FitPoint> points(std::int64_t time, std::int64_t spacing, int count) {
    std::vector<FitPoint> points;
    for (int i = 0; i < count; ++i) points.push_back(point(time + i * spacing));
    return points;
  }

  /// By how much the model is wrong about what the reference reads at `time`.
  Nanoseconds error(const ClockModel& model, std::int64_t time) const {
    const Nanoseconds ahead = model.to_reference(local(time)) - reference(time);
    return {std::abs(ahead.count)};
  }

 private:
  std::int64_t delay(double base) { return std::llround(base - jitter * std::log(1 - rng.uniform())); }
};

}  // namespace assay::test
