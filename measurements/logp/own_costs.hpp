// SPDX-License-Identifier: Apache-2.0
// What a member itself was charged during a part of a batch.
#pragma once
#include <sys/resource.h>

#include <cstdint>
#include <ctime>

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

/// CPU time of the calling thread since construction, less what reading the CPU clock costs: it is a system call.
class OwnCpuTime {
 public:
  Nanoseconds taken() const { return {static_cast<double>((now() - from_) - (from_ - reading_))}; }

 private:
  static std::int64_t now() {
    timespec now;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  }
  std::int64_t reading_ = now();
  std::int64_t from_ = now();
};

}  // namespace assay
