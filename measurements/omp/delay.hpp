// SPDX-License-Identifier: Apache-2.0
// Work of a wanted length: a chain of dependent arithmetic that no compiler or processor can shorten.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "api/keep.hpp"
#include "api/stopwatch.hpp"
#include "base/units.hpp"

namespace assay {

/// A delay that touches no memory. Its length is what the processor makes of it: a reference beside it measures it.
class Delay {
 public:
  /// Calibrates the number of steps for `wanted` on the calling thread; 0 steps for no time.
  explicit Delay(Nanoseconds wanted)
      : steps_(wanted > Nanoseconds{} ? static_cast<std::int64_t>(std::ceil(wanted / step())) : 0) {}
  /// Continues where the thread's last delay ended, so that no two of them can overlap in the processor.
  void operator()() const noexcept {
    thread_local std::uint64_t last = 1;
    last = work(last, steps_);
  }
  std::int64_t steps() const { return steps_; }

 private:
  static std::uint64_t work(std::uint64_t value, std::int64_t steps) noexcept {
    for (std::int64_t i = 0; i < steps; ++i) {
      value = value * 6364136223846793005U + 1442695040888963407U;
      keep(value);
    }
    return value;
  }
  // The fastest of several: whatever disturbs one makes it longer.
  static Nanoseconds step() {
    constexpr std::int64_t many = 1 << 14;
    const Stopwatch watch;
    Nanoseconds fastest{std::numeric_limits<double>::max()};
    for (int trial = 0; trial < 7; ++trial) {
      const auto from = watch.start();
      keep(work(1, many));
      fastest = std::min(fastest, watch.between(from, watch.stop()));
    }
    return fastest / static_cast<double>(many);
  }
  std::int64_t steps_;
};

}  // namespace assay
