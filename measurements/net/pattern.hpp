// SPDX-License-Identifier: Apache-2.0
// Bytes that identify their place in a block, and memory for blocks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>

#include "api/measurement.hpp"

namespace assay {

/// A block of memory, so many bytes behind the begin of a page.
class Block {
 public:
  explicit Block(std::size_t bytes, std::size_t behind = 0)
      : memory_(static_cast<std::byte*>(::operator new(bytes + behind, page))), behind_(behind), bytes_(bytes) {
    std::memset(memory_, 0, bytes + behind);  // first touch
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { ::operator delete(memory_, page); }
  std::byte* data() { return memory_ + behind_; }
  std::size_t size() const { return bytes_; }

 private:
  static constexpr std::align_val_t page{4096};
  std::byte* memory_;
  std::size_t behind_;
  std::size_t bytes_;
};

/// Fills with a sequence that has no short period, so that bytes which were lost, doubled or swapped show.
inline void fill_with_pattern(std::span<std::byte> bytes, std::uint64_t seed) {
  std::uint64_t state = seed * 2 + 1;
  for (std::byte& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::byte>(state >> 56);
  }
}

}  // namespace assay
