// SPDX-License-Identifier: Apache-2.0
// First asleep, then polling.
#include "team/ranks/start_wait.hpp"

namespace assay {

Nanoseconds wait_for_start(AlarmClock& clock, Instant start, const WaitRule& rule) {
  const Instant awake = rule.may_poll ? start + -1 * rule.awake : start;
  if (clock.now() < awake) clock.sleep_until(awake);
  Instant now = clock.now();
  while (now < start) now = clock.now();
  return now - start;
}

}  // namespace assay
