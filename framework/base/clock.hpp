// SPDX-License-Identifier: Apache-2.0
// The clock as an interface, and one by which one can sleep: one of the five edges to the world that tests replace.
#pragma once
#include <compare>
#include <cstdint>

#include "base/units.hpp"

namespace assay {

/// A reading of some monotonic clock, in nanoseconds since an origin of that clock's own choosing.
struct Instant {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(const Instant&, const Instant&) = default;
  friend constexpr Nanoseconds operator-(Instant a, Instant b) { return {static_cast<double>(a.ns - b.ns)}; }
  friend constexpr Instant operator+(Instant a, Nanoseconds d) { return {a.ns + static_cast<std::int64_t>(d.count)}; }
};

/// A monotonic clock. Implementations: the machine's (platform/system_clock), a fake one (tests), and simulated time
/// (measurements/synthetic). Never used inside a timed region except by a Stopwatch on simulated time.
class Clock {
 public:
  virtual ~Clock() = default;
  /// The current reading. Never throws, never goes backward.
  virtual Instant now() const = 0;
};

/// A clock that also wakes its caller.
class AlarmClock : public Clock {
 public:
  /// Sleeps until the clock reads `time` or more, some wake-up time longer; returns at once where it already does.
  virtual void sleep_until(Instant time) = 0;
};

}  // namespace assay
