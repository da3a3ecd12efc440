// SPDX-License-Identifier: Apache-2.0
// Waiting for an agreed start.
#pragma once
#include "base/alarm_clock.hpp"

namespace assay {

/// How a member waits.
struct WaitRule {
  bool may_poll = false;  ///< whether each member has a CPU to itself
  Nanoseconds awake =
      milliseconds(1);  ///< polls for so long before the start: sleepers on virtual CPUs wake 0.4 ms late
};

/// Waits until the member's own clock reads `start`, asleep until shortly before; all the way where it may not poll.
/// Returns by how much it is late, which without a disturbance is the cost of a reading, or of a wake-up.
Nanoseconds wait_for_start(AlarmClock& clock, Instant start, const WaitRule& rule);

}  // namespace assay
