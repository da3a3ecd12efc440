// SPDX-License-Identifier: Apache-2.0
// Nanoseconds times a clock.
#include "record/core_cycles.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

Estimate in_cycles(const Estimate& time, const CoreClock& clock) {
  const auto cycles = [&](double ns, double way) {
    return ns * clock.ghz + way * clock.accuracy * std::fabs(ns * clock.ghz);
  };
  Estimate told = time;
  told.value = cycles(time.value, 0);
  told.interval.low = cycles(time.interval.low, -1);
  told.interval.high = cycles(time.interval.high, 1);
  return told;
}

std::optional<Estimate> cycles_of(const Result& result) {
  if (result.unit != Unit::nanoseconds || !result.clock.known()) return std::nullopt;
  return in_cycles(result.headline, result.clock);
}

std::string why_no_cycles(const Result& result) {
  if (result.unit != Unit::nanoseconds) return "it is no time";
  return std::string(meaning_of(result.clock.why));
}

ShownValue shown_cycles(const Result& result, bool raw) {
  const auto cycles = cycles_of(result);
  if (!cycles) return {"-", "-", "-"};
  const Interval& interval = cycles->interval;
  if (!raw) return shown(cycles->value, interval, {1, "cycles"});
  if (!interval.available()) return {to_text(cycles->value), "-", "-"};
  return {to_text(cycles->value), to_text(interval.low), to_text(interval.high)};
}

std::optional<CoreClock> common_clock(const std::vector<const Result*>& results) {
  const auto is_known = [](const Result* result) { return result->clock.known(); };
  if (results.empty() || !std::ranges::all_of(results, is_known)) return std::nullopt;
  const auto ghz = [](const Result* result) { return result->clock.ghz; };
  const auto [least, most] = std::ranges::minmax(results, {}, ghz);
  if (ghz(most) > (1 + same_clock) * ghz(least)) return std::nullopt;
  const double middle = (ghz(least) + ghz(most)) / 2;
  double accuracy = 0;
  for (const Result* result : results) accuracy = std::max(accuracy, result->clock.accuracy);
  return CoreClock{middle, accuracy + (ghz(most) - ghz(least)) / (2 * middle), NoClock::not_kept};
}

}  // namespace assay
