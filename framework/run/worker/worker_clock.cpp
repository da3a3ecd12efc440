// SPDX-License-Identifier: Apache-2.0
// Readings of the chosen clock in the worker, before any member but the first exists.
#include "run/worker/worker_clock.hpp"

#include <cstdint>
#include <vector>

#include "api/measurement.hpp"

namespace assay {
namespace {

constexpr std::size_t timings = 500;  // their quartiles are known to a step of the clock by then
constexpr int first_readings = 100;   // these map the clock's page and warm its code

/// The length of a tick of the chosen clock.
double ns_per_tick(bool counter) {
  if (!counter) return 1;
  const CounterFacts facts = probe_counter();
  if (!facts.trusted) throw Unsupported("the cycle counter is not reliable: " + facts.reason);
  return facts.ns_per_tick;
}

Stopwatch watch_of(bool counter, double tick, Nanoseconds cost) {
  return counter ? Stopwatch::counter(tick, cost) : Stopwatch(cost);
}

std::vector<std::int64_t> back_to_back(const Stopwatch& watch) {
  return consecutive_readings([&] { return watch.stop(); });
}

std::vector<std::int64_t> empty_timings(const Stopwatch& watch) {
  std::vector<std::int64_t> ticks(timings);
  for (std::int64_t& duration : ticks) {
    const std::int64_t from = watch.start();
    duration = watch.stop() - from;
  }
  return ticks;
}

}  // namespace

WorkerClock measure_clock(bool counter) {
  const double tick = ns_per_tick(counter);
  const Stopwatch bare = watch_of(counter, tick, {});
  for (int i = 0; i < first_readings; ++i) [[maybe_unused]]
    const volatile std::int64_t reading = bare.stop();
  const ClockFacts facts = clock_facts(back_to_back(bare), empty_timings(bare), tick);
  if (!facts.usable) throw Unsupported("the clock cannot be used: " + facts.problem);
  return {watch_of(counter, tick, facts.read_cost), facts, tick};
}

}  // namespace assay
