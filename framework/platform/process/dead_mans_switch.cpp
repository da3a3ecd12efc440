// SPDX-License-Identifier: Apache-2.0
// An interval timer of the process, and what its signal does.
#include "platform/process/dead_mans_switch.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

namespace assay {

namespace {

constexpr int exit_code = 1;
constexpr double nanoseconds_per_second = 1e9;

std::atomic<const char*>& last_word() {
  static constinit std::atomic<const char*> word{nullptr};  // ready before any signal
  return word;
}

extern "C" void end_process(int /*signal*/) {
  const char* const why = last_word().load();
  const ssize_t written = ::write(STDERR_FILENO, why, std::strlen(why));
  ::_exit(written < 0 ? exit_code + 1 : exit_code);
}

}  // namespace

void hold_dead_mans_switch(Nanoseconds patience, const char* why) {
  last_word() = why;
  struct sigaction action {};
  action.sa_handler = &end_process;
  if (::sigaction(SIGALRM, &action, nullptr) != 0) throw PlatformError("cannot set what SIGALRM does", errno);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(std::ceil(patience.count / nanoseconds_per_second));
  if (::setitimer(ITIMER_REAL, &timer, nullptr) != 0) throw PlatformError("cannot set the interval timer", errno);
}

}  // namespace assay
