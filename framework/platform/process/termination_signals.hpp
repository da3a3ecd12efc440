// SPDX-License-Identifier: Apache-2.0
// Requests to end that come as signals: SIGINT, SIGTERM and the like.
#pragma once
#include <csignal>

#include "platform/file/descriptor.hpp"

namespace assay {

/// While it lives, SIGINT, SIGTERM and SIGHUP (stop) and SIGUSR1 (finish what is in flight, then stop) wait until they
/// are asked for, and a write to a pipe without a reader is an error instead of a signal. For the only thread of a
/// process; children started by ChildProcess do not inherit this.
class TerminationSignals {
 public:
  /// Throws PlatformError.
  TerminationSignals();
  /// Restores the signal mask. A signal that is still waiting then has its usual effect.
  ~TerminationSignals();
  TerminationSignals(const TerminationSignals&) = delete;
  TerminationSignals& operator=(const TerminationSignals&) = delete;

  /// True once a signal to stop has come. From then on these have their usual effect again, so that a second one ends
  /// the process at once.
  bool requested() noexcept;
  /// True once SIGUSR1 has come, or a signal to stop.
  bool finish_requested() noexcept;
  /// The signal to stop that came; 0 before, and when only SIGUSR1 came.
  int received() const noexcept { return received_; }
  /// Readable while a signal waits to be asked for.
  int descriptor() const noexcept { return descriptor_.value(); }

 private:
  void collect() noexcept;

  sigset_t awaited_;
  sigset_t previous_;
  struct sigaction broken_pipe_;
  Descriptor descriptor_;
  int received_ = 0;
  bool finish_ = false;
};

/// Ends the process by a signal, as its parent would see it without our care. Returns only when the process ignores it.
void end_by_signal(int signal_number) noexcept;

/// A worker hears none of them: its supervisor decides when it ends.
inline constexpr int requests_to_end[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

}  // namespace assay
