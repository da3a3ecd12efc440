// SPDX-License-Identifier: Apache-2.0
// How much memory a test has from the allocator.
#pragma once
#include <malloc.h>

#include <cstddef>
#include <memory>

namespace assay::test {

/// Bytes in use, those of large blocks included.
inline std::size_t live_bytes() {
  const auto now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// False where another allocator has taken the place of the one that is asked: under sanitizers.
inline bool allocator_counts() {
  const std::size_t before = live_bytes();
  const auto block = std::make_unique<char[]>(100'000);
  return live_bytes() >= before + 100'000 && block != nullptr;
}

}  // namespace assay::test
