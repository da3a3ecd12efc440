// SPDX-License-Identifier: Apache-2.0
// The kernel's calls on a word that threads sleep on.
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "lock/lock.hpp"

namespace assay {

/// Calls of futex(2) on words in shared memory, private to the process where all members are in it. Results are the
/// kernel's, -1 with errno for an error.
class FutexCalls {
 public:
  using Word = std::atomic<std::uint32_t>;
  explicit FutexCalls(const Setup& setup) : scope_(between_processes(setup) ? 0 : FUTEX_PRIVATE_FLAG) {}

  /// Sleeps while the word has this value.
  long wait(Word& word, std::uint32_t value) const { return call(word, FUTEX_WAIT, value, 0, nullptr, 0); }
  /// Wakes all who sleep there; how many.
  long wake_all(Word& word) const { return call(word, FUTEX_WAKE, INT_MAX, 0, nullptr, 0); }
  /// Lets all who sleep there sleep on another word instead, if the word has this value; how many.
  long requeue_all(Word& from, Word& to, std::uint32_t value) const {
    return call(from, FUTEX_CMP_REQUEUE, 0, INT_MAX, &to, value);
  }
  /// How many sleep there: they are requeued to where they are.
  long sleepers(Word& word) const { return requeue_all(word, word, word.load(std::memory_order_relaxed)); }
  /// Acquires a word that is 0, or sleeps until its owner unlocks it and bequeaths it.
  long lock_pi(Word& word) const { return call(word, FUTEX_LOCK_PI, 0, 0, nullptr, 0); }
  long unlock_pi(Word& word) const { return call(word, FUTEX_UNLOCK_PI, 0, 0, nullptr, 0); }

 private:
  // The fourth argument is a deadline, or a number.
  long call(Word& word, int operation, std::uint32_t value, long number, Word* other, std::uint32_t expected) const {
    return ::syscall(SYS_futex, &word, operation | scope_, value, number, other, expected);
  }
  int scope_;
};

}  // namespace assay
