// SPDX-License-Identifier: Apache-2.0
// Sleeping by CLOCK_MONOTONIC.
#pragma once
#include "base/clock.hpp"

namespace assay {

/// CLOCK_MONOTONIC through the vDSO, and sleeps to a time of it in the kernel.
class MonotonicAlarm final : public AlarmClock {
 public:
  Instant now() const override;
  /// Goes on sleeping after signals. Throws PlatformError when the system refuses.
  void sleep_until(Instant time) override;
};

}  // namespace assay
