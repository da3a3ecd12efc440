// SPDX-License-Identifier: Apache-2.0
// What members take note of during a batch: sums of stamps and the durations between them, what each was charged;
// delays that occupy a processor.
#pragma once
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>

#include "api/stopwatch.hpp"
#include "base/units.hpp"
#include "channel/channel.hpp"

namespace assay {

/// A sum of stamps. It wraps around, so that the difference of two sums over the same events is exact.
class StampSum {
 public:
  void add(std::int64_t stamp) { sum_ += static_cast<std::uint64_t>(stamp); }
  /// Total of the durations from the stamps in `from` to their partners in this sum, in the unit of the stamps.
  std::int64_t since(const StampSum& from) const { return static_cast<std::int64_t>(sum_ - from.sum_); }

 private:
  std::uint64_t sum_ = 0;
};

/// Total of the durations from each stamp in `from` to its partner in `to`, less `reads` times the cost of reading:
/// once per duration from a start stamp to a stop stamp, never between two stop stamps.
inline Nanoseconds between(const Stopwatch& watch, const StampSum& from, const StampSum& to, std::int64_t reads) {
  const Nanoseconds once = watch.between(0, to.since(from));
  return once - watch.read_cost() * static_cast<double>(reads - 1);
}

/// A channel on simulated time lets it pass by itself.
template <class C>
concept PassesTime =
    requires(C channel, const Member& member, Nanoseconds duration) { channel.pass(member, duration); };

/// Occupies the processor for at least `duration` and returns how long it was occupied, the reading of the clock
/// included.
template <Channel C>
Nanoseconds occupy(C& channel, const Member& member, Nanoseconds duration) {
  const Stopwatch& watch = member.stopwatch();
  const auto from = watch.start();
  if constexpr (PassesTime<C>) channel.pass(member, duration);
  // Both reads lie within the occupation, half of each outside its stamps.
  for (;; relax())
    if (const Nanoseconds taken = watch.between(from, watch.stop()) + watch.read_cost() * 2; taken >= duration)
      return taken;
}

/// Voluntary switches of the calling thread since construction.
class OwnSwitches {
 public:
  double count() const { return static_cast<double>(now() - from_); }

 private:
  static std::int64_t now() {
    rusage usage;
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  }
  std::int64_t from_ = now();
};

/// The CPU time of the calling thread.
struct ThreadCpuClock {
  static std::int64_t now() {
    timespec now;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  }
};

/// CPU time of the calling thread since construction, less what reading the CPU clock costs: it is a system call. The
/// cost is the least of several readings, since what interrupts one of them is charged to it as well. Tests have clocks
/// of their own.
template <class Clock>
class OwnCpuTimeBy {
 public:
  OwnCpuTimeBy() {
    for (int i = 0; i < readings; ++i) {
      const std::int64_t before = from_;
      from_ = Clock::now();
      reading_ = std::min(reading_, from_ - before);
    }
  }
  Nanoseconds taken() const { return {static_cast<double>(Clock::now() - from_ - reading_)}; }

 private:
  static constexpr int readings = 8;
  std::int64_t from_ = Clock::now();
  std::int64_t reading_ = std::numeric_limits<std::int64_t>::max();
};
using OwnCpuTime = OwnCpuTimeBy<ThreadCpuClock>;

}  // namespace assay
