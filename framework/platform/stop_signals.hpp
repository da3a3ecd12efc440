// SPDX-License-Identifier: Apache-2.0
// Requests to stop, held back until the program asks for them: no handler, no state outside this object.
#pragma once
#include <csignal>

namespace assay {

/// While it lives, SIGINT and SIGTERM wait until `requested` asks for them. For the only thread of a process; children
/// started by ChildProcess do not inherit this.
class StopSignals {
 public:
  /// Throws PlatformError.
  StopSignals();
  /// Restores the signal mask. A signal that is still waiting then has its usual effect.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True once one has come. From then on they have their usual effect again, so that a second one ends the process at
  /// once.
  bool requested() noexcept;
  /// The signal that came; 0 before.
  int received() const noexcept { return received_; }

 private:
  sigset_t awaited_;
  sigset_t previous_;
  int received_ = 0;
};

/// Ends the process by a signal, as its parent would see it without our care. Returns only when the process ignores it.
void end_by_signal(int signal_number) noexcept;

}  // namespace assay
