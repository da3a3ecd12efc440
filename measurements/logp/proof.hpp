// SPDX-License-Identifier: Apache-2.0
// Proof that a thread sleeps in the kernel at a given place, read from procfs without its help.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "channel/channel.hpp"

namespace assay {

/// A thread, as procfs names it.
struct ThreadName {
  pid_t process = 0;
  pid_t thread = 0;
  static ThreadName of_self();
};

/// What counts as a proof.
enum class ProofKind : unsigned char {
  syscall,  ///< the number of the system call it sleeps in, with its first argument: the kernel answers only when the
            ///< thread is off its CPU
  state,    ///< the letter S: it is about to sleep or sleeps, somewhere
  none      ///< nothing is proved
};
/// By the words "syscall", "state" and "none".
ProofKind proof_kind(const std::string& word);

/// Looks at one thread, whose file stays open: a look is one system call. Copies are not made.
class SleepProof {
 public:
  /// Throws Unsupported with code N7 when the kernel does not show the file, naming the kind that may be had.
  SleepProof(ProofKind kind, ThreadName sleeper);
  ~SleepProof();
  SleepProof(const SleepProof&) = delete;
  SleepProof& operator=(const SleepProof&) = delete;

  /// Whether the thread sleeps at `place` now; for `state`, anywhere.
  bool holds(const SleepingPlace& place) const;

 private:
  ProofKind kind_;
  int file_;
};

/// Whether a line of procfs' `syscall` ("202 0x7f00 0x80 ... sp pc", "running", "-1 sp pc") shows a sleeper at `place`.
bool shows_sleep_at(std::string_view syscall_line, const SleepingPlace& place);
/// Whether a line of procfs' `stat` shows the state S. The name of the thread may contain anything.
bool shows_sleep(std::string_view stat_line);

}  // namespace assay
