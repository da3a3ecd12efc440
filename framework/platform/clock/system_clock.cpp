// SPDX-License-Identifier: Apache-2.0
// CLOCK_MONOTONIC, wall-clock time for display, and what a clock's readings say about the clock.
#include "platform/clock/system_clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <vector>

#include "base/error.hpp"
#include "base/value.hpp"

namespace assay {

namespace {

/// Ticks from `a` to `b >= a`, without overflow between the ends of the range.
std::uint64_t elapsed(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

/// The most frequent of the sorted values; the smallest of several. 0 when there is none.
std::uint64_t mode(const std::vector<std::uint64_t>& sorted) {
  std::uint64_t best = 0;
  std::ptrdiff_t most = 0;
  for (auto from = sorted.begin(); from != sorted.end();) {
    const auto to = std::upper_bound(from, sorted.end(), *from);
    if (to - from > most) {
      most = to - from;
      best = *from;
    }
    from = to;
  }
  return best;
}

/// Differences of consecutive readings that differ, ascending.
std::vector<std::uint64_t> steps(std::span<const std::int64_t> readings) {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 1; i < readings.size(); ++i)
    if (readings[i] != readings[i - 1]) found.push_back(elapsed(readings[i - 1], readings[i]));
  std::sort(found.begin(), found.end());
  return found;
}

/// Quantile of sorted values, linear between order statistics (type 7 of Hyndman and Fan).
double quantile(const std::vector<std::int64_t>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  const double low = static_cast<double>(sorted[below]);
  return low + (place - static_cast<double>(below)) * (static_cast<double>(sorted[above]) - low);
}

bool negative(std::int64_t ticks) { return ticks < 0; }

/// Why the clock cannot be used; empty when it can.
std::string problem_of(std::span<const std::int64_t> readings, std::span<const std::int64_t> empty,
                       double ns_per_tick) {
  if (!std::isfinite(ns_per_tick) || ns_per_tick <= 0) return "the length of a tick is not known";
  if (readings.size() < 3 || empty.empty()) return "too few readings to assess the clock";
  if (!std::is_sorted(readings.begin(), readings.end())) return "the clock went backward between two readings";
  if (std::any_of(empty.begin(), empty.end(), negative)) return "the clock went backward within an empty timing";
  if (readings.front() == readings.back()) return "the clock never advanced";
  return {};
}

}  // namespace

Instant MonotonicClock::now() const {
  timespec reading{};
  ::clock_gettime(CLOCK_MONOTONIC, &reading);
  return {reading.tv_sec * 1'000'000'000LL + reading.tv_nsec};
}

ClockFacts clock_facts(std::span<const std::int64_t> back_to_back, std::span<const std::int64_t> empty,
                       double ns_per_tick) {
  ClockFacts facts;
  facts.problem = problem_of(back_to_back, empty, ns_per_tick);
  facts.usable = facts.problem.empty();
  if (!facts.usable) return facts;
  facts.step = Nanoseconds{static_cast<double>(mode(steps(back_to_back)))} * ns_per_tick;
  std::vector<std::int64_t> sorted(empty.begin(), empty.end());
  std::sort(sorted.begin(), sorted.end());
  facts.read_cost = Nanoseconds{quantile(sorted, 0.5)} * ns_per_tick;
  facts.cost_spread = Nanoseconds{quantile(sorted, 0.75) - quantile(sorted, 0.25)} * ns_per_tick;
  return facts;
}

ClockFacts monotonic_clock_facts() {
  const MonotonicClock clock;
  std::vector<std::int64_t> empty(2000);
  for (std::int64_t& timing : empty) {
    const Instant start = clock.now();
    timing = clock.now().ns - start.ns;
  }
  return clock_facts(consecutive_readings([&] { return clock.now().ns; }), empty, 1);
}

std::string clock_change(const ClockFacts& before, const ClockFacts& now) {
  if (!now.usable) return before.usable ? now.problem : std::string();
  const auto grew = [](Nanoseconds then, Nanoseconds later) { return later > Nanoseconds{100} && later > 3 * then; };
  const auto text = [](const char* what, Nanoseconds then, Nanoseconds later) {
    return std::string(what) + " was " + to_text(then.count) + " ns and is " + to_text(later.count) + " ns";
  };
  if (grew(before.read_cost, now.read_cost)) return text("the cost of a reading", before.read_cost, now.read_cost);
  if (grew(before.step, now.step)) return text("the clock's resolution", before.step, now.step);
  return {};
}

Nanoseconds scheduler_tick() {
  timespec resolution{};
  const bool known = ::clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 && resolution.tv_sec == 0;
  return known && resolution.tv_nsec > 0 ? Nanoseconds{static_cast<double>(resolution.tv_nsec)} : milliseconds(4);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  ::gmtime_r(&now, &fields);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields);
  return std::string(text, length);
}

Instant MonotonicAlarm::now() const { return MonotonicClock().now(); }

void MonotonicAlarm::sleep_until(Instant time) {
  if (time <= Instant{}) return;  // long past, and no time that the system takes
  constexpr std::int64_t second = 1'000'000'000;
  const timespec wanted{static_cast<time_t>(time.ns / second), static_cast<long>(time.ns % second)};
  int error = EINTR;
  while (error == EINTR) error = ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nullptr);
  if (error != 0) throw PlatformError("cannot sleep until a time of CLOCK_MONOTONIC (clock_nanosleep)", error);
}

}  // namespace assay
