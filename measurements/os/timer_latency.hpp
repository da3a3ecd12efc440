// SPDX-License-Identifier: Apache-2.0
// How late a thread that sleeps until a given time wakes up.
#pragma once
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>

#include "api/measurement.hpp"
#include "channel/descriptor.hpp"

namespace assay {

/// The times at which a thread wants to wake up: multiples of an interval from the first one on, so that being late
/// does not delay those that follow.
class WakePlan {
 public:
  explicit WakePlan(std::int64_t interval) : interval_(interval) {}

  /// The next time, in ns, of which at least a tenth of an interval is left at `now`. What has passed meanwhile is left
  /// out, by whole intervals; far from the plan, as after a pause, it begins anew.
  std::int64_t next(std::int64_t now) {
    constexpr std::int64_t most_missed = 1000;
    const std::int64_t earliest = now + interval_ / 10;
    planned_ += interval_;
    if (planned_ < earliest - most_missed * interval_ || planned_ > now + 2 * interval_) planned_ = now + interval_;
    while (planned_ < earliest) planned_ += interval_;
    return planned_;
  }

 private:
  std::int64_t interval_;
  std::int64_t planned_ = 0;
};

/// One sleep until an absolute time of CLOCK_MONOTONIC; what it takes beyond that is the latency, as in cyclictest
/// (Gleixner and others, rt-tests). Each event is an observation, so that the tail is known.
class TimerLatency final : public Measurement {
 public:
  /// Index of the declared quantity.
  static constexpr std::size_t latency = 0;

  explicit TimerLatency(Setup& setup)
      : is_descriptor_(setup.word("how") == "timerfd"), plan_(interval_of(setup)), slack_(slack_of(setup)) {
    if (is_descriptor_) timer_.emplace("a timer", ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  }

  void enter(Member&) override {
    const int before = ::prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    former_slack_ = before > 0 ? static_cast<unsigned long>(before) : 0;
    if (::prctl(PR_SET_TIMERSLACK, slack_, 0, 0, 0) != 0) fail("the timer slack (prctl)");
  }
  Claims run(Member&, Reps reps) override {
    std::int64_t late = 0;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      const std::int64_t planned = plan_.next(now());
      sleep_until(planned);
      late += now() - planned;
    }
    return Nanoseconds{static_cast<double>(late)};
  }
  void leave(Member&) override {
    if (former_slack_ > 0) ::prctl(PR_SET_TIMERSLACK, former_slack_, 0, 0, 0);
  }

 private:
  static constexpr std::int64_t second = 1'000'000'000;

  static std::int64_t interval_of(const Setup& setup) {
    const auto interval = setup.level<std::int64_t>("interval");
    if (interval < 10'000 || interval > 10 * second)
      throw Unsupported("'interval' is 10000 ns to 10000000000 ns (10 us to 10 s)");
    return interval;
  }
  static unsigned long slack_of(const Setup& setup) {
    const auto slack = setup.level<std::int64_t>("slack");
    if (slack < 1) throw Unsupported("'slack' is 1 ns or more; 0 would mean the standard one of the thread");
    return static_cast<unsigned long>(slack);
  }
  static std::int64_t now() {
    timespec reading{};
    ::clock_gettime(CLOCK_MONOTONIC, &reading);
    return reading.tv_sec * second + reading.tv_nsec;
  }
  void sleep_until(std::int64_t planned) const {
    const timespec at{planned / second, planned % second};
    if (!is_descriptor_) {
      while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) continue;
      return;
    }
    const itimerspec once{{}, at};
    if (::timerfd_settime(timer_->number(), TFD_TIMER_ABSTIME, &once, nullptr) != 0) fail("setting a timer");
    std::uint64_t expired = 0;
    uninterrupted("a timer", [&] { return ::read(timer_->number(), &expired, sizeof expired); });
  }

  bool is_descriptor_;
  WakePlan plan_;
  unsigned long slack_;
  unsigned long former_slack_ = 0;
  std::optional<OwnedDescriptor> timer_;
};

}  // namespace assay
