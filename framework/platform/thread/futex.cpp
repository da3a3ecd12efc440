// SPDX-License-Identifier: Apache-2.0
// Sleeping and waking on a word through the futex system call.
#include "platform/thread/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace assay {
namespace {

using Word = std::atomic<std::uint32_t>;
static_assert(sizeof(Word) == sizeof(std::uint32_t) && Word::is_always_lock_free, "the kernel reads the word itself");

void call(const Word& word, int operation, std::uint32_t value) noexcept {
  ::syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

void wait_while_equal(const Word& word, std::uint32_t expected) noexcept {
  // The kernel may return early (a signal, a stray wake): only the word itself ends the wait.
  while (word.load(std::memory_order_acquire) == expected) call(word, FUTEX_WAIT, expected);
}

void wake_all(const Word& word) noexcept { call(word, FUTEX_WAKE, INT_MAX); }

}  // namespace assay
