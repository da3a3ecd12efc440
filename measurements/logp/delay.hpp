// SPDX-License-Identifier: Apache-2.0
// Delays that occupy a member's processor, and what they really took.
#pragma once
#include "channel/channel.hpp"

namespace assay {

/// A channel on simulated time lets it pass by itself.
template <class C>
concept PassesTime =
    requires(C channel, const Member& member, Nanoseconds duration) { channel.pass(member, duration); };

/// Occupies the processor for at least `duration` and returns how long it was occupied, the reading of the clock
/// included.
template <Channel C>
Nanoseconds occupy(C& channel, const Member& member, Nanoseconds duration) {
  const Stopwatch& watch = member.stopwatch();
  const auto from = watch.start();
  if constexpr (PassesTime<C>) channel.pass(member, duration);
  // Both reads lie within the occupation, half of each outside its stamps.
  for (;; relax())
    if (const Nanoseconds taken = watch.between(from, watch.stop()) + watch.read_cost() * 2; taken >= duration)
      return taken;
}

}  // namespace assay
