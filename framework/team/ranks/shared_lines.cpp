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
  const auto exchange_some = [this](int some) { return exchange(lines(), true, some, longest_exchange); };
  return exchange_some(meeting) ? time_round_trips(watch, round_trips, exchange_some) : std::nullopt;
}

void SharedLines::follow(int round_trips) { exchange(lines(), false, meeting + round_trips, longest_exchange); }

}  // namespace assay
