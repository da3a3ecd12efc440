// SPDX-License-Identifier: Apache-2.0
// The clock that a program by hand ran at, for those that it is compared with.
#pragma once
#include <algorithm>
#include <array>
#include <ctime>

/// How long a dependent multiplication takes, in ns: three to five cycles, on one machine always as many. The median of
/// some chains beside which reading the clock is nothing.
inline double core_step() {
  constexpr int steps = 4000;
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  };
  std::array<double, 21> readings{};
  for (double& reading : readings) {
    unsigned long product = 3;
    const double from = now();
    for (int i = 0; i < steps; ++i) {
      product *= 0x9E3779B97F4A7C15UL;
      asm volatile("" : "+r"(product));
    }
    reading = (now() - from) / steps;
  }
  std::ranges::sort(readings);
  return readings[readings.size() / 2];
}
