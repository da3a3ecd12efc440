// SPDX-License-Identifier: Apache-2.0
// Blocked signals stay pending, and are collected by sigtimedwait without waiting.
#include "platform/stop_signals.hpp"

#include <cerrno>
#include <ctime>

#include "base/error.hpp"

namespace assay {

StopSignals::StopSignals() : awaited_{}, previous_{} {
  sigemptyset(&awaited_);
  sigaddset(&awaited_, SIGINT);
  sigaddset(&awaited_, SIGTERM);
  if (const int error = pthread_sigmask(SIG_BLOCK, &awaited_, &previous_); error != 0)
    throw PlatformError("pthread_sigmask", error);
}

StopSignals::~StopSignals() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

bool StopSignals::requested() noexcept {
  if (received_ != 0) return true;
  const timespec at_once{};
  int signal_number = -1;
  do {
    signal_number = sigtimedwait(&awaited_, nullptr, &at_once);
  } while (signal_number < 0 && errno == EINTR);
  if (signal_number < 0) return false;
  received_ = signal_number;
  pthread_sigmask(SIG_UNBLOCK, &awaited_, nullptr);
  return true;
}

void end_by_signal(int signal_number) noexcept {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal_number);
}

}  // namespace assay
