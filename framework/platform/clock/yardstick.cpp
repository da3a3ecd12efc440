// SPDX-License-Identifier: Apache-2.0
// Loops whose operations the compiler can neither drop nor join, timed.
#include "platform/clock/yardstick.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <utility>

namespace assay {
namespace {

constexpr int lanes = 6;        // as many as any core has units that add, and no more than there are registers for
constexpr int unrolled = 4;     // so that the loop itself is a small part
constexpr int chain_steps = 8;  // of a pass
constexpr int wide_passes = 400;
constexpr int chain_passes = 50;
constexpr std::int64_t finest = 4;  // ns: a step of the clock up to which these lengths do
constexpr std::int64_t longest = 16;

std::int64_t now() noexcept {
  timespec reading{};
  ::clock_gettime(CLOCK_MONOTONIC, &reading);
  return reading.tv_sec * 1'000'000'000LL + reading.tv_nsec;
}

/// The compiler cannot know what the value is from here on.
inline void hide(std::uint64_t& value) noexcept { asm volatile("" : "+r"(value)); }

template <std::size_t... Times>
inline void repeat(std::index_sequence<Times...> /*times*/, auto&& step) noexcept {
  ((static_cast<void>(Times), step()), ...);
}

// Functions that start on a cache line of their own, so that no build shifts the loop in them.
[[gnu::noinline, gnu::aligned(64)]] std::uint64_t add_wide(std::int64_t passes, std::uint64_t by) noexcept {
  std::uint64_t a = by, b = by, c = by, d = by, e = by, f = by;
  hide(by);
  const auto add = [by](std::uint64_t& to) {
    to += by;
    hide(to);
  };
  for (std::int64_t i = 0; i < passes; ++i)
    repeat(std::make_index_sequence<unrolled>(), [&] { add(a), add(b), add(c), add(d), add(e), add(f); });
  return a + b + c + d + e + f;
}

[[gnu::noinline, gnu::aligned(64)]] std::uint64_t multiply_chain(std::int64_t passes, std::uint64_t by) noexcept {
  std::uint64_t product = by;
  hide(by);
  for (std::int64_t i = 0; i < passes; ++i)
    repeat(std::make_index_sequence<chain_steps>(), [&] {
      product *= by;
      hide(product);
    });
  return product;
}

[[gnu::noinline, gnu::aligned(64)]] std::uint64_t add_chain(std::int64_t passes, std::uint64_t by) noexcept {
  std::uint64_t sum = by;
  hide(by);
  for (std::int64_t i = 0; i < passes; ++i)
    repeat(std::make_index_sequence<chain_steps>(), [&] {
      sum += by;
      hide(sum);
    });
  return sum;
}

/// What the clock allows.
struct Clockwork {
  std::int64_t longer = 1;  ///< times the usual lengths
  std::int64_t cost = 0;    ///< ns of a reading
};

Clockwork look_at_clock() noexcept {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t step = least;
  bool stood_still = false;
  for (int i = 0; i < 64; ++i) {
    const std::int64_t from = now();
    const std::int64_t took = now() - from;
    least = std::min(least, took);
    stood_still |= took == 0;
    if (took > 0) step = std::min(step, took);
  }
  // A clock that two readings can find at one place has steps longer than a reading.
  const std::int64_t coarse = stood_still ? step : std::max<std::int64_t>(1, least / 8);
  return {std::clamp<std::int64_t>(coarse / finest, 1, longest), stood_still ? 0 : least};
}

template <class Work>
std::int64_t time_of(const Clockwork& clock, Work work) noexcept {
  const std::int64_t from = now();
  [[maybe_unused]] const volatile std::uint64_t kept = work();
  return std::max<std::int64_t>(0, now() - from - clock.cost);
}

/// Per operation, in hundred thousandths of a nanosecond: more digits would be meaningless, and journals keep them all.
Nanoseconds each(std::int64_t time, std::int64_t operations) noexcept {
  return {std::round(static_cast<double>(time) / static_cast<double>(operations) * 1e5) / 1e5};
}

}  // namespace

CoreReading read_core(double length) noexcept {
  static const Clockwork clock = look_at_clock();
  const auto passes = [length](std::int64_t usual) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(length * static_cast<double>(usual * clock.longer)));
  };
  const std::int64_t wide = passes(wide_passes);
  const std::int64_t chain = passes(chain_passes);
  CoreReading reading;
  reading.wide = each(time_of(clock, [&] { return add_wide(wide, 3); }), wide * unrolled * lanes);
  reading.chain = each(time_of(clock, [&] { return multiply_chain(chain, 3); }), chain * chain_steps);
  return reading;
}

CoreLook look_at_core() noexcept {
  constexpr int unsettled = 2;
  for (int i = 0; i < unsettled; ++i) read_core();
  const int cpu = ::sched_getcpu();
  const CoreReading core = read_core();
  return {::sched_getcpu() == cpu ? cpu : -1, core};
}

int cycles_per_chain_step() noexcept {
  constexpr int tries = 40;
  constexpr std::int64_t passes = 1000;
  const Clockwork clock = look_at_clock();
  std::int64_t additions = std::numeric_limits<std::int64_t>::max();
  std::int64_t multiplications = additions;
  for (int i = 0; i < tries; ++i) {
    additions = std::min(additions, time_of(clock, [] { return add_chain(passes, 3); }));
    multiplications = std::min(multiplications, time_of(clock, [] { return multiply_chain(passes, 3); }));
  }
  if (additions <= 0) return 0;
  const double ratio = static_cast<double>(multiplications) / static_cast<double>(additions);
  const double whole = std::round(ratio);
  return std::fabs(ratio - whole) < 0.06 * whole ? static_cast<int>(whole) : 0;
}

}  // namespace assay
