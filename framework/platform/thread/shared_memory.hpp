// SPDX-License-Identifier: Apache-2.0
// Memory that threads and forked members see at the same address, and sleeping and waking on a word of it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace assay {

/// An anonymous shared mapping handed out in aligned pieces; freed as a whole. Pages are touched by their first user.
class SharedMemory {
 public:
  /// Reserves `capacity` bytes of address space. Throws PlatformError.
  explicit SharedMemory(std::size_t capacity);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Makes a memory node the home of the whole mapping: binds it there, touches every page and reads back where it is.
  /// For a fresh mapping, before anything is in it. Throws PlatformError when the kernel refuses the node or a page is
  /// elsewhere.
  void settle(int node);

  /// A zeroed piece; `alignment` is a power of two up to the page size. Throws std::bad_alloc when the reserve is used
  /// up.
  void* allocate(std::size_t bytes, std::size_t alignment);

 private:
  std::byte* base_;
  std::size_t capacity_;
  std::size_t used_ = 0;
};

/// Sleeps until `word` no longer holds `expected`; returns at once if it already differs. Retries interrupted waits.
/// The futex is not private, so that the word may lie in shared memory. Returns how often the caller slept.
int wait_while_equal(const std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept;
/// Wakes every sleeper on the word.
void wake_all(const std::atomic<std::uint32_t>& word) noexcept;

}  // namespace assay
