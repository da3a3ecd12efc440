// SPDX-License-Identifier: Apache-2.0
// The clock inside a timed region: two inlined reads, no call through a pointer on real time.
#pragma once
#include <ctime>

#include "base/clock.hpp"
#include "base/units.hpp"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace assay {

/// Reads the time source chosen for this process. Copyable; a few words. Neither read allocates, locks or enters the
/// kernel (where the vDSO serves CLOCK_MONOTONIC).
class Stopwatch {
 public:
  /// monotonic: CLOCK_MONOTONIC. counter: the fenced cycle counter, only where platform/system_clock proved it
  /// invariant and common to all CPUs. simulated: a Clock object, for measurements that compute their time.
  enum class Source : unsigned char { monotonic, counter, simulated };

  /// CLOCK_MONOTONIC; `read_cost` (median of empty timings) is subtracted from each duration.
  explicit Stopwatch(Nanoseconds read_cost = {}) : read_cost_(read_cost) {}
  /// The cycle counter with its calibrated length of a tick.
  static Stopwatch counter(double ns_per_tick, Nanoseconds read_cost) {
    Stopwatch watch(read_cost);
    watch.source_ = Source::counter;
    watch.ns_per_tick_ = ns_per_tick;
    return watch;
  }
  /// Simulated time: the clock is borrowed and must outlive the stopwatch. Reading it costs nothing.
  static Stopwatch simulated(const Clock& clock) {
    Stopwatch watch;
    watch.source_ = Source::simulated;
    watch.clock_ = &clock;
    return watch;
  }

  Source source() const { return source_; }
  Nanoseconds read_cost() const { return read_cost_; }

  /// A start stamp: nothing after it executes before it is taken.
  std::int64_t start() const noexcept { return read<true>(); }
  /// A stop stamp: everything before it has executed when it is taken.
  std::int64_t stop() const noexcept { return read<false>(); }
  /// The duration between two stamps, less the cost of reading: may be a little below zero for an empty body.
  Nanoseconds between(std::int64_t from, std::int64_t to) const noexcept {
    return {static_cast<double>(to - from) * ns_per_tick_ - read_cost_.count};
  }

 private:
  template <bool is_start>
  std::int64_t read() const noexcept {
    if (source_ == Source::monotonic) {
      timespec now;
      ::clock_gettime(CLOCK_MONOTONIC, &now);
      return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
    }
    return source_ == Source::simulated ? clock_->now().ns : ticks<is_start>();
  }

  template <bool is_start>
  static std::int64_t ticks() noexcept {
#if defined(__x86_64__)
    if constexpr (is_start) {  // earlier loads done, and nothing later starts early
      _mm_lfence();
      const auto t = __rdtsc();
      _mm_lfence();
      return static_cast<std::int64_t>(t);
    } else {
      unsigned aux;
      const auto t = __rdtscp(&aux);
      _mm_lfence();
      return static_cast<std::int64_t>(t);
    }
#elif defined(__aarch64__)
    std::int64_t t;  // a barrier for instructions does not wait for what earlier loads fetch
    asm volatile("dsb ishld; isb; mrs %0, cntvct_el0; isb" : "=r"(t) : : "memory");
    return t;
#else
    return 0;  // platform/system_clock never selects the counter here
#endif
  }

  Source source_ = Source::monotonic;
  double ns_per_tick_ = 1;
  Nanoseconds read_cost_{};
  const Clock* clock_ = nullptr;
};

}  // namespace assay
