// SPDX-License-Identifier: Apache-2.0
// What a member itself was charged during a part of a batch.
#pragma once
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>

#include "base/units.hpp"

namespace assay {

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
