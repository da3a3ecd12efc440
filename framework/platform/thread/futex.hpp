// SPDX-License-Identifier: Apache-2.0
// Sleeping and waking on a word, within a process or across processes.
#pragma once
#include <atomic>
#include <cstdint>

namespace assay {

/// Sleeps until `word` no longer holds `expected`; returns at once if it already differs. Retries interrupted waits.
/// The futex is not private, so that the word may lie in shared memory.
void wait_while_equal(const std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
/// Wakes every sleeper on the word.
void wake_all(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace assay
