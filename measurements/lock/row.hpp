// SPDX-License-Identifier: Apache-2.0
// Many locks in a row, at a distance that is chosen: single operations are too short to be timed.
#pragma once
#include <cstddef>
#include <new>

#include "lock/lock.hpp"

namespace assay {

/// Where the locks of a row lie. A page is 4096 bytes here; `skew` moves the locks of each further page by that much,
/// so that locks at a distance of pages do not meet in one set of the cache.
struct RowShape {
  std::size_t count = 1;
  std::size_t stride = 64;
  std::size_t skew = 64;

  constexpr std::size_t offset(std::size_t i) const { return i * stride + i * stride / 4096 * skew; }
  /// Bytes that a row of locks of `size` bytes needs.
  constexpr std::size_t bytes(std::size_t size) const { return offset(count - 1) + size; }
};

/// The locks of a row, constructed in memory that its owner provides, aligned to `line_size`, and tried out once.
template <Lock L>
class LockRow {
 public:
  using Object = typename L::Object;
  LockRow(const Setup& setup, std::byte* memory, RowShape shape) : memory_(memory), shape_(shape) {
    for (; made_ < shape.count; ++made_) ::new (memory_ + shape_.offset(made_)) Object(setup);
  }
  LockRow(const LockRow&) = delete;
  LockRow& operator=(const LockRow&) = delete;
  ~LockRow() {
    while (made_ > 0) (*this)[--made_].~Object();
  }

  std::size_t size() const { return shape_.count; }
  Object& operator[](std::size_t i) { return *std::launder(reinterpret_cast<Object*>(memory_ + shape_.offset(i))); }

 private:
  std::byte* memory_;
  RowShape shape_;
  std::size_t made_ = 0;
};

}  // namespace assay
