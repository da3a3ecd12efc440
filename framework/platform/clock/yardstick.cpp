// SPDX-License-Identifier: Apache-2.0
// Loops whose operations the compiler can neither drop nor join, timed.
#include "platform/clock/yardstick.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <utility>

#include "platform/clock/stamp_cost.hpp"

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

template <class Work>
double whole_time_of(Work work) noexcept {
  const std::int64_t from = now();
  [[maybe_unused]] const volatile std::uint64_t kept = work();
  return static_cast<double>(now() - from);
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

std::int64_t additions_of(std::int64_t passes) noexcept { return passes * unrolled * lanes; }

/// In the time that additions take while chains of two lengths do.
StampTrial stamp_trial(std::int64_t longer) noexcept {
  constexpr std::size_t rounds = 4;
  constexpr std::size_t in_round = 4;  // a step of the clock may be ten times what is looked for
  constexpr int several = 4;
  const auto chain = [longer](std::int64_t lengths) {
    return whole_time_of([&] { return multiply_chain(lengths * longer * chain_passes, 3); });
  };
  const auto addition = [longer] {
    const std::int64_t passes = longer * wide_passes;
    return whole_time_of([&] { return add_wide(passes, 3); }) / static_cast<double>(additions_of(passes));
  };
  std::array<double, rounds * in_round> of_one{};
  std::array<double, rounds> of_several{};
  const double before = addition();
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t j = 0; j < in_round; ++j) of_one[in_round * i + j] = chain(1);
    of_several[i] = chain(several);
  }
  return {std::max(before, addition()), cost_left_over(of_one, of_several, several)};
}

StampTrials first_trials(std::int64_t longer) noexcept {
  StampTrials trials;
  stamp_trial(longer);  // the first is slower
  for (int i = 0; i < 11; ++i) trials.add(stamp_trial(longer));
  return trials;
}

/// What the clock allows, and what reading it costs beside work. Two readings in a row do not show that: they overlap
/// with nothing, by which clocks were 1.7 % too high where readings are 10 ns apart. Others on the core make it 19 ns
/// there in the place of 14.
class Clockwork {
 public:
  /// Times the usual lengths.
  std::int64_t longer() const noexcept { return longer_; }
  /// In ns.
  double cost() const noexcept { return cost_.load(std::memory_order_relaxed); }
  /// Makes another trial where additions of so many ns each tell that others were on the core when those so far were
  /// made: in busy hours that is so in most processes, and all their clocks were 1.5 % too high. One at a time, since
  /// others come and go within 100 us, and so many at most. For several threads.
  void heed(double wide) noexcept {
    if (is_settled_.load(std::memory_order_relaxed) || is_trying_.test_and_set(std::memory_order_acquire)) return;
    if (trials_.are_outdated_by(wide)) {
      trials_.add(stamp_trial(longer_));
      cost_.store(trials_.cost(), std::memory_order_relaxed);
      is_settled_.store(++later_ == most_later, std::memory_order_relaxed);
    }
    is_trying_.clear(std::memory_order_release);
  }

 private:
  static constexpr int most_later = 64;
  std::int64_t longer_ = longer_for_clock();
  StampTrials trials_ = first_trials(longer_);
  int later_ = 0;
  std::atomic<double> cost_{trials_.cost()};
  std::atomic<bool> is_settled_{false};
  std::atomic_flag is_trying_;
};

Clockwork& clockwork() noexcept {
  static Clockwork clock;
  return clock;
}

/// Per operation, in hundred thousandths of a nanosecond: more digits would be meaningless, and journals keep them all.
Nanoseconds each(double time, std::int64_t operations) noexcept {
  return {std::round(std::max(0.0, time) / static_cast<double>(operations) * 1e5) / 1e5};
}

}  // namespace

CoreReading read_core(double length) noexcept {
  Clockwork& clock = clockwork();
  const auto passes = [length, &clock](std::int64_t usual) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(length * static_cast<double>(usual * clock.longer())));
  };
  const std::int64_t wide = passes(wide_passes);
  const std::int64_t chain = passes(chain_passes);
  const double wide_time = whole_time_of([&] { return add_wide(wide, 3); });
  const double chain_time = whole_time_of([&] { return multiply_chain(chain, 3); });
  // Of a shorter reading the stamps are a larger part.
  if (length >= 1) clock.heed(wide_time / static_cast<double>(additions_of(wide)));
  return {each(wide_time - clock.cost(), additions_of(wide)), each(chain_time - clock.cost(), chain * chain_steps)};
}

namespace {

/// The middle of three groups, since interrupts end in one of them; the clock's cost is a hundredth of a group, in each
/// alike.
Nanoseconds time_call() noexcept {
  constexpr int calls = 4;
  constexpr double longest_call = 4000;  // ns: of a tracer, or an emulated kernel
  const auto group = [](std::int64_t number) {
    return whole_time_of([number] {
             std::uint64_t sum = 0;
             for (std::int64_t i = 0; i < number; ++i) sum += static_cast<std::uint64_t>(::getppid());
             return sum;
           }) /
           static_cast<double>(number);
  };
  if (group(calls) > longest_call) return {};
  const std::int64_t number = calls * clockwork().longer();
  std::array<double, 3> groups{};
  for (double& one : groups) one = group(number);
  std::ranges::sort(groups);
  return {std::round(groups[1] * 100) / 100};
}

}  // namespace

CoreLook look_at_core() noexcept {
  constexpr int unsettled = 2;
  for (int i = 0; i < unsettled; ++i) read_core();
  const int cpu = ::sched_getcpu();
  CoreReading core = read_core();
  core.call = time_call();
  return {::sched_getcpu() == cpu ? cpu : -1, core};
}

int cycles_per_chain_step() noexcept {
  constexpr int tries = 40;
  constexpr std::int64_t passes = 1000;
  const StampTrials stamps = first_trials(longer_for_clock());
  double additions = std::numeric_limits<double>::max();
  double multiplications = additions;
  for (int i = 0; i < tries; ++i) {
    additions = std::min(additions, whole_time_of([] { return add_chain(passes, 3); }) - stamps.cost());
    multiplications =
        std::min(multiplications, whole_time_of([] { return multiply_chain(passes, 3); }) - stamps.cost());
  }
  if (additions <= 0) return 0;
  const double ratio = multiplications / additions;
  const double whole = std::round(ratio);
  return std::fabs(ratio - whole) < 0.06 * whole ? static_cast<int>(whole) : 0;
}

}  // namespace assay
