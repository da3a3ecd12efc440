// SPDX-License-Identifier: Apache-2.0
// Blocked signals stay pending: a descriptor signals them, sigtimedwait collects them without waiting.
#include "platform/process/termination_signals.hpp"

#include <sys/signalfd.h>
#include <cerrno>
#include <ctime>

#include "base/error.hpp"

namespace assay {

namespace {

sigset_t set_of(std::initializer_list<int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  return set;
}

/// The next waiting signal of the set; -1 when there is none.
int collected(const sigset_t& set) noexcept {
  const timespec at_once{};
  int number = -1;
  do {
    number = sigtimedwait(&set, nullptr, &at_once);
  } while (number < 0 && errno == EINTR);
  return number;
}

/// A signal that this process was started to ignore, as by nohup, would wait forever and end the campaign for nothing.
bool is_ignored(int number) noexcept {
  struct sigaction current {};
  return sigaction(number, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

struct sigaction ignoring() {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  return action;
}

}  // namespace

TerminationSignals::TerminationSignals()
    : awaited_(set_of({SIGINT, SIGTERM, SIGHUP, SIGUSR1})), previous_{}, broken_pipe_{}, descriptor_(-1) {
  if (is_ignored(SIGHUP)) sigdelset(&awaited_, SIGHUP);
  if (const int error = pthread_sigmask(SIG_BLOCK, &awaited_, &previous_); error != 0)
    throw PlatformError("pthread_sigmask", error);
  const struct sigaction ignored = ignoring();
  sigaction(SIGPIPE, &ignored, &broken_pipe_);
  descriptor_ = Descriptor(signalfd(-1, &awaited_, SFD_CLOEXEC | SFD_NONBLOCK));
  if (descriptor_.value() < 0) {
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
    throw PlatformError("signalfd", error);
  }
}

TerminationSignals::~TerminationSignals() {
  sigaction(SIGPIPE, &broken_pipe_, nullptr);
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

void TerminationSignals::collect() noexcept {
  for (int number = collected(awaited_); number > 0; number = received_ == 0 ? collected(awaited_) : -1) {
    finish_ = true;
    if (number == SIGUSR1) continue;
    received_ = number;
    const sigset_t stops = set_of({SIGINT, SIGTERM, SIGHUP});
    pthread_sigmask(SIG_UNBLOCK, &stops, nullptr);
  }
}

bool TerminationSignals::requested() noexcept {
  if (received_ == 0) collect();
  return received_ != 0;
}

bool TerminationSignals::finish_requested() noexcept { return requested() || finish_; }

void end_by_signal(int signal_number) noexcept {
  const sigset_t only = set_of({signal_number});
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal_number);
}

}  // namespace assay
