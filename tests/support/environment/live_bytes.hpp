// SPDX-License-Identifier: Apache-2.0
// How much memory a test has from the allocator.
#pragma once
#include <malloc.h>

#include <cstddef>
#include <cstdlib>

namespace assay::test {

/// Bytes in use, those of large blocks included.
inline std::size_t live_bytes() {
  const auto now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// False where another allocator has taken the place of the one that is asked: under sanitizers.
inline bool allocator_counts() {
  const std::size_t before = live_bytes();
  // Volatile: a compiler may leave out a block that is never read.
  void* const volatile block = std::malloc(100'000);
  const bool counts = live_bytes() >= before + 100'000;
  std::free(block);
  return counts;
}

}  // namespace assay::test
