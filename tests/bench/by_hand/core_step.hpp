// SPDX-License-Identifier: Apache-2.0
// The clock that a program by hand ran at, for those that it is compared with.
#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

/// How long a dependent multiplication takes: three to five cycles, on one machine always as many. Read between
/// timings, since a clock can change within milliseconds.
class CoreStep {
 public:
  void read() {
    constexpr int steps = 400;
    const double from = now();
    for (int i = 0; i < steps; ++i) {
      product_ *= 0x9E3779B97F4A7C15UL;
      asm volatile("" : "+r"(product_));
    }
    readings_.push_back((now() - from) / steps);
  }
  /// In ns, the median of the readings; of some of now where there are none.
  double value() {
    constexpr int few = 41;
    while (readings_.size() < few) read();
    std::ranges::nth_element(readings_, readings_.begin() + static_cast<std::ptrdiff_t>(readings_.size() / 2));
    return readings_[readings_.size() / 2];
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  }
  unsigned long product_ = 3;
  std::vector<double> readings_;
};

inline CoreStep core_step;
