// SPDX-License-Identifier: Apache-2.0
// One call of clock_nanosleep with an absolute time.
#include "platform/clock/monotonic_alarm.hpp"

#include <cerrno>
#include <ctime>

#include "base/error.hpp"
#include "platform/clock/system_clock.hpp"

namespace assay {

Instant MonotonicAlarm::now() const { return MonotonicClock().now(); }

void MonotonicAlarm::sleep_until(Instant time) {
  if (time <= Instant{}) return;  // long past, and no time that the system takes
  constexpr std::int64_t second = 1'000'000'000;
  const timespec wanted{static_cast<time_t>(time.ns / second), static_cast<long>(time.ns % second)};
  int error = EINTR;
  while (error == EINTR) error = ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nullptr);
  if (error != 0) throw PlatformError("cannot sleep until a time of CLOCK_MONOTONIC (clock_nanosleep)", error);
}

}  // namespace assay
