// SPDX-License-Identifier: Apache-2.0
// A timer whose signal sets a flag: what ends a window of time.
#pragma once
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {

/// Rings once in the calling thread, and in no other: SIGALRM of a POSIX timer, whose handler sets the flag of this
/// object. A foreign SIGALRM does nothing. When it is destroyed no signal is pending, and action and mask are what they
/// were. Constructed and destroyed by the thread that looks at it.
class TimerAlarm {
 public:
  /// Throws Unsupported where the system has no further timer.
  TimerAlarm() {
    struct sigaction action {};
    action.sa_sigaction = &ring;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGALRM, &action, &former_action_);
    const sigset_t alarms = alarms_only();
    ::pthread_sigmask(SIG_UNBLOCK, &alarms, &former_mask_);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event.sigev_value.sival_ptr = this;
    event._sigev_un._tid = ::gettid();
    if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0) return;
    const int error = errno;
    restore();
    throw Unsupported("the system refuses a timer (timer_create: " + std::generic_category().message(error) +
                      "); each takes one of the signals that may be pending (ulimit -i)");
  }
  TimerAlarm(const TimerAlarm&) = delete;
  TimerAlarm& operator=(const TimerAlarm&) = delete;
  ~TimerAlarm() {
    ::timer_delete(timer_);
    const sigset_t alarms = alarms_only();
    ::pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
    constexpr timespec at_once{};
    while (::sigtimedwait(&alarms, nullptr, &at_once) > 0) continue;
    restore();
  }

  /// Rings after this much time, more than 0; until then `rang` is false.
  void arm(Nanoseconds after) {
    rang_.store(false, std::memory_order_relaxed);
    const auto ns = static_cast<std::int64_t>(std::llround(after.count));
    itimerspec once{};
    once.it_value = {ns / 1'000'000'000, ns % 1'000'000'000};
    ::timer_settime(timer_, 0, &once, nullptr);
  }
  bool rang() const { return rang_.load(std::memory_order_relaxed); }

 private:
  static void ring(int, siginfo_t* info, void*) {
    if (info->si_code == SI_TIMER)
      static_cast<TimerAlarm*>(info->si_value.sival_ptr)->rang_.store(true, std::memory_order_relaxed);
  }
  static sigset_t alarms_only() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    return set;
  }
  void restore() {
    ::sigaction(SIGALRM, &former_action_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
  }

  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores it");
  std::atomic<bool> rang_{false};
  timer_t timer_{};
  struct sigaction former_action_ {};
  sigset_t former_mask_{};
};

}  // namespace assay
