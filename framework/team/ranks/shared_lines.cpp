// SPDX-License-Identifier: Apache-2.0
// Both sides of an exchange between ranks.
#include "team/ranks/shared_lines.hpp"

namespace assay {
namespace {

// The other side may have been switched out, or have ended.
constexpr Nanoseconds longest_exchange = seconds(2);
constexpr int meeting = 1;  // round trips until both are there

static_assert(sizeof(ReferenceLines) <= SharedPages::size);

}  // namespace

ReferenceLines& SharedLines::lines() { return *static_cast<ReferenceLines*>(pages_.data()); }

void SharedLines::reset() { assay::reset(lines()); }

std::optional<Nanoseconds> SharedLines::lead(int round_trips, const Stopwatch& watch) {
  if (!exchange(lines(), true, meeting, longest_exchange)) return std::nullopt;
  const auto from = watch.start();
  const bool is_complete = exchange(lines(), true, round_trips, longest_exchange);
  const auto to = watch.stop();
  return is_complete ? std::optional(watch.between(from, to) / static_cast<double>(round_trips)) : std::nullopt;
}

void SharedLines::follow(int round_trips) { exchange(lines(), false, meeting + round_trips, longest_exchange); }

}  // namespace assay
