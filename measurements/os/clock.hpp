// SPDX-License-Identifier: Apache-2.0
// The cost and the step of the system's clocks.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <string>

#include "api/measurement.hpp"

namespace assay {

/// Times `reps` reads; the step comes from further readings outside the timed region.
class ClockRead final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t cost = 0;
  static constexpr std::size_t step = 1;

  explicit ClockRead(Setup& setup) : clock_(id(setup.word("source"))) {}

  Claims run(Member& member, Reps reps) override {
    const Nanoseconds time = member.timed(reps, [this] { keep(read()); });
    Claims claims(time);
    if (const std::int64_t modal = modal_step(); modal > 0) claims.set(step, static_cast<double>(modal));
    return claims;
  }

 private:
  static clockid_t id(const std::string& source) {
    if (source == "monotonic-raw") return CLOCK_MONOTONIC_RAW;
    if (source == "realtime") return CLOCK_REALTIME;
    if (source == "monotonic-coarse") return CLOCK_MONOTONIC_COARSE;
    if (source == "thread-cpu") return CLOCK_THREAD_CPUTIME_ID;
    return CLOCK_MONOTONIC;
  }
  std::int64_t read() const {
    timespec now;
    ::clock_gettime(clock_, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  }
  // 0 when the clock did not advance in this many readings: the batch then claims no step.
  std::int64_t modal_step() const {
    std::array<std::int64_t, 257> readings;
    for (auto& reading : readings) reading = read();
    std::array<std::int64_t, 256> steps;
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = readings[i + 1] - readings[i];
    std::sort(steps.begin(), steps.end());
    std::int64_t modal = 0;
    std::int64_t most = 0;
    for (auto first = steps.begin(); first != steps.end();) {
      const auto last = std::upper_bound(first, steps.end(), *first);
      if (*first > 0 && last - first > most) {
        most = last - first;
        modal = *first;
      }
      first = last;
    }
    return modal;
  }
  clockid_t clock_;
};

}  // namespace assay
