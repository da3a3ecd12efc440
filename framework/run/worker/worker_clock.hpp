// SPDX-License-Identifier: Apache-2.0
// The time source of a worker's members, measured in the process that uses it.
#pragma once
#include "api/stopwatch.hpp"
#include "platform/clock/system_clock.hpp"

namespace assay {

/// A stopwatch that subtracts its own cost, and what its readings said.
struct WorkerClock {
  Stopwatch stopwatch;
  ClockFacts facts;
  double ns_per_tick = 1;
};

/// Measures CLOCK_MONOTONIC, or the cycle counter when `counter` is set: 2 000 readings back to back, more where it is
/// coarse, and 500 empty timings, taken as members take them. Throws Unsupported with the reason when the counter is
/// not trusted on this machine, or when the clock stands still or goes backward.
WorkerClock measure_clock(bool counter);

}  // namespace assay
