// SPDX-License-Identifier: Apache-2.0
// Loops whose operations the compiler can neither drop nor join, timed.
#include "platform/clock/yardstick.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <numeric>
#include <span>
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
  double cost = 0;          ///< ns of a reading, as far as it does not overlap with the work
};

template <class Work>
std::int64_t whole_time_of(Work work) noexcept {
  const std::int64_t from = now();
  [[maybe_unused]] const volatile std::uint64_t kept = work();
  return now() - from;
}

template <class Work>
double time_of(const Clockwork& clock, Work work) noexcept {
  return std::max(0.0, static_cast<double>(whole_time_of(work)) - clock.cost);
}

std::int64_t longer_for_clock() noexcept {
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
  return std::clamp<std::int64_t>(coarse / finest, 1, longest);
}

template <std::size_t Size>
double mean_of_middle_half(std::array<double, Size>& values) noexcept {
  std::ranges::sort(values);
  const auto middle = std::span(values).subspan(Size / 4, Size / 2);
  return std::accumulate(middle.begin(), middle.end(), 0.0) / static_cast<double>(middle.size());
}

/// What chains of two lengths leave over.
double cost_by_lengths(std::int64_t longer) noexcept {
  constexpr std::size_t rounds = 4;
  constexpr std::size_t in_round = 4;  // a step of the clock may be ten times what is looked for
  constexpr std::int64_t times = 4;
  const auto chain = [longer](std::int64_t lengths) {
    return static_cast<double>(whole_time_of([&] { return multiply_chain(lengths * longer * chain_passes, 3); }));
  };
  std::array<double, rounds * in_round> once{};
  std::array<double, rounds> often{};
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t j = 0; j < in_round; ++j) once[in_round * i + j] = chain(1);
    often[i] = chain(times);
  }
  const double middle = mean_of_middle_half(once);
  return middle - (mean_of_middle_half(often) - middle) / static_cast<double>(times - 1);
}

// What two time stamps cost beside work. Two in a row do not show it: they overlap with nothing, by which clocks were
// 1.7 % too high where stamps are 10 ns apart; and the least of some of them was one such step more in one process of
// six. Others on the core make it 19 ns there in the place of 13, and come and go meanwhile: the median over the times
// when it yielded most.
double cost_beside_work(std::int64_t longer) noexcept {
  constexpr int tries = 11;
  constexpr double same_yield = 1.1;
  std::array<std::pair<double, double>, tries> found{};  // time of the additions, cost
  cost_by_lengths(longer);                               // the first is slower
  for (auto& [wide, cost] : found) {
    const auto additions = [longer] {
      return static_cast<double>(whole_time_of([&] { return add_wide(longer * wide_passes, 3); }));
    };
    wide = additions();
    cost = cost_by_lengths(longer);
    wide = std::max(wide, additions());
  }
  const double most = same_yield * std::ranges::min(found, {}, [](const auto& one) { return one.first; }).first;
  const auto others = std::ranges::partition(found, [most](const auto& one) { return one.first <= most; });
  const auto alone = std::span(found.begin(), others.begin());
  const auto middle = alone.begin() + std::ssize(alone) / 2;
  std::ranges::nth_element(alone, middle, {}, [](const auto& one) { return one.second; });
  return std::max(0.0, middle->second);
}

Clockwork look_at_clock() noexcept {
  const std::int64_t longer = longer_for_clock();
  return {longer, cost_beside_work(longer)};
}

/// Per operation, in hundred thousandths of a nanosecond: more digits would be meaningless, and journals keep them all.
Nanoseconds each(double time, std::int64_t operations) noexcept {
  return {std::round(time / static_cast<double>(operations) * 1e5) / 1e5};
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
  double additions = std::numeric_limits<double>::max();
  double multiplications = additions;
  for (int i = 0; i < tries; ++i) {
    additions = std::min(additions, time_of(clock, [] { return add_chain(passes, 3); }));
    multiplications = std::min(multiplications, time_of(clock, [] { return multiply_chain(passes, 3); }));
  }
  if (additions <= 0) return 0;
  const double ratio = multiplications / additions;
  const double whole = std::round(ratio);
  return std::fabs(ratio - whole) < 0.06 * whole ? static_cast<int>(whole) : 0;
}

}  // namespace assay
