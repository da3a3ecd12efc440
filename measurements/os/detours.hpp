// SPDX-License-Identifier: Apache-2.0
// The clock read in a tight loop: what lies in the gaps between two readings.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "api/measurement.hpp"

namespace assay {

/// What a gap between two readings is compared with.
struct GapLimit {
  Nanoseconds step{};       ///< of the loop: the median of the gaps in which the clock advanced at all
  Nanoseconds threshold{};  ///< a longer gap is a detour
};

/// From one reading to the next as the clock has it: the cost of reading is part of a gap.
inline Nanoseconds gap_of(const Stopwatch& watch, std::int64_t from, std::int64_t to) {
  return watch.between(from, to) + watch.read_cost();
}

/// Finds the loop's step, and the threshold: the one asked for, or nine steps where that is longer. The median step,
/// and never the shortest: the shortest gap of thousands is whatever the counter's jitter left once (a single cycle, in
/// a virtual machine), and nine times that calls every turn of the loop a detour. Throws Unsupported when the clock
/// does not advance.
inline GapLimit limit_of(const Stopwatch& watch, Nanoseconds asked) {
  constexpr double steps = 9;
  constexpr int most_readings = 10'000'000;
  std::array<Nanoseconds, 4096> gaps{};
  std::size_t found = 0;
  std::int64_t last = watch.start();
  for (int reading = 0; reading < most_readings && found < gaps.size(); ++reading) {
    const std::int64_t now = watch.start();
    if (now != last) gaps[found++] = gap_of(watch, last, now);
    last = now;
  }
  if (found < gaps.size()) throw Unsupported("the clock hardly advances: gaps between two readings cannot be detected");
  std::nth_element(gaps.begin(), gaps.begin() + gaps.size() / 2, gaps.end());
  const Nanoseconds step = gaps[gaps.size() / 2];
  return {step, std::max(asked, steps * step)};
}

/// The detours of a window.
struct Detours {
  std::int64_t count = 0;
  Nanoseconds lost{};     ///< together, each less one step
  Nanoseconds longest{};  ///< 0 without any
  Nanoseconds window{};   ///< from the first reading to the last
};

/// Reads the clock until the window is over. After Beckman and others, Benchmarking the effects of operating system
/// interference on extreme-scale parallel machines (Cluster Computing 11, 2008), where the loop is called selfish.
inline Detours watch_detours(const Stopwatch& watch, Nanoseconds window, const GapLimit& limit) {
  Detours found;
  const std::int64_t origin = watch.start();
  std::int64_t last = origin;
  while (found.window < window) {
    const std::int64_t now = watch.start();
    const Nanoseconds gap = gap_of(watch, last, now);
    if (gap > limit.threshold) {
      const Nanoseconds detour = gap - limit.step;
      ++found.count;
      found.lost += detour;
      found.longest = std::max(found.longest, detour);
    }
    found.window = gap_of(watch, origin, now);
    last = now;
  }
  return found;
}

/// A detour, and how long the loop ran before it.
struct NextDetour {
  Nanoseconds after{};
  Nanoseconds duration{};  ///< less one step; 0: none came in time
};

/// Reads the clock until the next detour, or until the window is over.
inline NextDetour next_detour(const Stopwatch& watch, Nanoseconds window, const GapLimit& limit) {
  const std::int64_t origin = watch.start();
  std::int64_t last = origin;
  Nanoseconds seen{};
  while (seen < window) {
    const std::int64_t now = watch.start();
    const Nanoseconds gap = gap_of(watch, last, now);
    if (gap > limit.threshold) return {seen, gap - limit.step};
    seen = gap_of(watch, origin, now);
    last = now;
  }
  return {seen, {}};
}

}  // namespace assay
