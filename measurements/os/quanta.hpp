// SPDX-License-Identifier: Apache-2.0
// Fixed work, timed again and again: how much longer than undisturbed it takes.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// How many steps of `work`, a callable that performs a given number, take this long where nothing disturbs: by
/// the quickest of several runs, since whatever happens to the others makes them longer. At least 1.
template <class Work>
std::int64_t steps_in(Nanoseconds time, const Stopwatch& watch, Work&& work) {
  constexpr std::int64_t probe = 10'000;
  Nanoseconds quickest{std::numeric_limits<double>::max()};
  for (int run = 0; run < 30; ++run) {
    const std::int64_t from = watch.start();
    work(probe);
    quickest = std::min(quickest, watch.between(from, watch.start()));
  }
  const double steps = time / std::max(quickest, Nanoseconds{1}) * static_cast<double>(probe);
  return std::max<std::int64_t>(1, std::llround(steps));
}

/// Times `work` once for each element of `times`, back to back: what happens between two quanta belongs to the second.
template <class Work>
void time_quanta(const Stopwatch& watch, std::vector<Nanoseconds>& times, Work&& work) {
  std::int64_t last = watch.start();
  for (Nanoseconds& time : times) {
    work();
    const std::int64_t now = watch.start();
    time = watch.between(last, now);
    last = now;
  }
}

/// The quanta of a window.
struct Quanta {
  Nanoseconds fastest{};
  Nanoseconds median{};
  Nanoseconds p99{};
  Nanoseconds longest{};
  double noise = 0;  ///< sum(t - fastest) / sum(t); after Hoefler and others, Netgauge (2010), `noise`
};

/// Describes the quanta of a window, which it sorts. `times` must not be empty.
inline Quanta describe_quanta(std::vector<Nanoseconds>& times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double p) { return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))]; };
  Nanoseconds all{};
  Nanoseconds beyond{};
  for (const Nanoseconds time : times) {
    all += time;
    beyond += time - times.front();
  }
  return {times.front(), at(0.5), at(0.99), times.back(), all > Nanoseconds{} ? beyond / all : 0};
}

}  // namespace assay
