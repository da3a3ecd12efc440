// SPDX-License-Identifier: Apache-2.0
// The machine's clocks: CLOCK_MONOTONIC, what a clock's readings say about it, and whether the cycle counter can be
// trusted.
#pragma once
#include <cstdint>
#include <span>
#include <string>

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
  /// costs, which then bounds what can be told apart; on a coarse clock it is the tick.
  Nanoseconds step{};
  Nanoseconds read_cost{};    ///< median duration of an empty timing
  Nanoseconds cost_spread{};  ///< interquartile range of empty timings
  bool usable = false;        ///< false: the clock never advanced, or went backward
  std::string problem;        ///< why it is not usable
};

/// Facts from readings: `back_to_back` are consecutive readings as fast as they can be taken (at least 3), `empty` are
/// durations of empty timings, both in ticks of `ns_per_tick`. A pure function: tests feed it frozen, coarse and
/// jumping clocks.
ClockFacts clock_facts(std::span<const std::int64_t> back_to_back, std::span<const std::int64_t> empty,
                       double ns_per_tick);

/// The verdict on the cycle counter of this machine.
struct CounterFacts {
  bool trusted = false;
  std::string reason;      ///< why not, or what was checked
  double ns_per_tick = 0;  ///< calibrated against CLOCK_MONOTONIC_RAW with bracketed end points over 20 ms
};
/// Checks the invariance flags, the kernel's own clock source, the read cost (a trapped counter is refused) and
/// calibrates. Takes about 20 ms when the flags allow it.
CounterFacts probe_counter();

/// Wall-clock time now as ISO 8601 in UTC, "2026-01-31T12:00:00Z": for display and provenance only.
std::string utc_now();

}  // namespace assay
