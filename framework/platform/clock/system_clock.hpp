// SPDX-License-Identifier: Apache-2.0
// Room: clocks, cycle counters and the yardsticks of a core.
// The machine's clocks: CLOCK_MONOTONIC, read or slept by, what a clock's readings say about it, and whether the cycle
// counter can be trusted.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/units.hpp"

namespace assay {

/// CLOCK_MONOTONIC through the vDSO.
class MonotonicClock final : public Clock {
 public:
  Instant now() const override;
};

/// What a clock resolves and costs, measured, never taken from its nominal frequency.
struct ClockFacts {
  /// Modal non-zero difference of back-to-back readings. On a clock finer than its own reading this is what a reading
  /// costs, which then bounds what can be distinguished; on a coarse clock it is the tick.
  Nanoseconds step{};
  Nanoseconds read_cost{};    ///< median duration of an empty timing
  Nanoseconds cost_spread{};  ///< interquartile range of empty timings
  bool usable = false;        ///< false: the clock never advanced, or went backward
  std::string problem;        ///< why it is not usable
};

/// Consecutive readings as fast as `read` gives them: 500, and where these hold less than three steps as many more as
/// show three, of which only those that differ are kept; a clock that has not shown them after 2^24 readings stands
/// still.
template <class Read>
std::vector<std::int64_t> consecutive_readings(Read read) {
  std::vector<std::int64_t> readings(500);
  for (std::int64_t& reading : readings) reading = read();
  int steps = 0;
  for (std::size_t i = 1; i < readings.size() && steps < 3; ++i) steps += readings[i] != readings[i - 1];
  for (int more = 1 << 24; more > 0 && steps < 3; --more)
    if (const std::int64_t reading = read(); reading != readings.back()) {
      readings.push_back(reading);
      ++steps;
    }
  return readings;
}

/// Facts from readings: `back_to_back` are consecutive readings as fast as they can be taken (at least 3), `empty` are
/// durations of empty timings, both in ticks of `ns_per_tick`. A pure function: tests feed it frozen, coarse and
/// jumping clocks.
ClockFacts clock_facts(std::span<const std::int64_t> back_to_back, std::span<const std::int64_t> empty,
                       double ns_per_tick);

/// Facts of CLOCK_MONOTONIC, measured now: some 200 us on a clock that is not coarse.
ClockFacts monotonic_clock_facts();

/// How the clock became another one between two measurings: unusable, or its step or the cost of a reading more than
/// three times what it was and above 100 ns. Empty when it did not.
std::string clock_change(const ClockFacts& before, const ClockFacts& now);

/// The verdict on the cycle counter of this machine.
struct CounterFacts {
  bool trusted = false;
  std::string reason;      ///< why not, or what was checked
  double ns_per_tick = 0;  ///< calibrated against CLOCK_MONOTONIC_RAW with bracketed end points over 20 ms
};
/// Checks the invariance flags, the kernel's own clock source, the read cost (a trapped counter is refused) and
/// calibrates. Takes about 20 ms when the flags allow it.
CounterFacts probe_counter();

/// The length of the scheduler's tick, which is the resolution of CLOCK_MONOTONIC_COARSE; 4 ms where it is not
/// reported.
Nanoseconds scheduler_tick();

/// Wall-clock time now as ISO 8601 in UTC, "2026-01-31T12:00:00Z": for display and provenance only.
std::string utc_now();

/// CLOCK_MONOTONIC through the vDSO, and sleeps to a time of it in the kernel.
class MonotonicAlarm final : public AlarmClock {
 public:
  Instant now() const override;
  /// Goes on sleeping after signals. Throws PlatformError when the system refuses.
  void sleep_until(Instant time) override;
};

}  // namespace assay
