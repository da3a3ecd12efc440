// SPDX-License-Identifier: Apache-2.0
// Forked children that share this process's mappings: their start, word of their deaths, their end; and silence from
// signals.
#pragma once
#include <atomic>
#include <csignal>
#include <cstddef>
#include <deque>
#include <functional>

namespace assay {

/// Keeps signals from the calling thread while it lives; threads started meanwhile inherit that. Faults are not kept
/// away: the kernel ends the process for those.
class SignalShield {
 public:
  /// All signals, or only `signal`.
  SignalShield();
  explicit SignalShield(int signal);
  SignalShield(const SignalShield&) = delete;
  SignalShield& operator=(const SignalShield&) = delete;
  ~SignalShield();

 private:
  sigset_t before_;
};

/// Children of one purpose, by index in the order of their start. While it lives, SIGCHLD is let through to the calling
/// thread and handled (interrupted system calls are restarted), and each death is reported once; the last one to go
/// restores the handler that the first one found. All of a process are used from one thread, which is also the one that
/// hears of deaths. Deaths go unnoticed where other code installs a handler for SIGCHLD meanwhile.
class ForkedChildren {
 public:
  /// `died` is called for each death, with "exited 3" or "killed by signal 9". Called in a signal handler, or within
  /// wait(): it may use async-signal-safe functions only, and must not allocate.
  explicit ForkedChildren(std::function<void(std::size_t index, const char* how)> died);
  ForkedChildren(const ForkedChildren&) = delete;
  ForkedChildren& operator=(const ForkedChildren&) = delete;
  /// Kills and reaps those that live.
  ~ForkedChildren();

  /// Forks a child that calls `life` and ends at once with the status it returns: no destructor, exit handler or buffer
  /// of this process is run by it. It is killed when the calling thread ends. Throws PlatformError.
  void start(const std::function<int()>& life);
  /// SIGKILL to all that live.
  void kill() noexcept;
  /// Waits until all have ended, and reaps them.
  void wait() noexcept;

 private:
  struct Chain;
  static Chain& chain() noexcept;
  static void handle(int signal) noexcept;
  void look(int wait_flags) noexcept;
  void enlist();
  void resign() noexcept;

  std::function<void(std::size_t, const char*)> died_;
  std::deque<std::atomic<int>> pids_;  // 0 once reaped
  ForkedChildren* older_ = nullptr;
  bool was_blocked_ = false;
};

}  // namespace assay
