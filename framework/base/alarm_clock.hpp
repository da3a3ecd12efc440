// SPDX-License-Identifier: Apache-2.0
// A clock by which one can sleep.
#pragma once
#include "base/clock.hpp"

namespace assay {

/// A clock that also wakes its caller.
class AlarmClock : public Clock {
 public:
  /// Sleeps until the clock reads `time` or more, some wake-up time longer; returns at once where it already does.
  virtual void sleep_until(Instant time) = 0;
};

}  // namespace assay
