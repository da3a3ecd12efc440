// SPDX-License-Identifier: Apache-2.0
// A ring of io_uring by its system calls alone, without a library.
#pragma once
#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "channel/descriptor.hpp"

namespace assay {

/// Memory that the kernel shares for a ring.
class RingMemory {
 public:
  /// Throws std::system_error.
  RingMemory(int ring, std::uint64_t offset, std::size_t bytes);
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;
  ~RingMemory();
  template <class T>
  T* at(std::uint32_t offset) const {
    return reinterpret_cast<T*>(memory_ + offset);
  }

 private:
  std::size_t bytes_;
  std::byte* memory_;
};

/// One ring of submissions and its completions. A single thread uses it: fills entries, submits them and waits for as
/// many completions with one call, and looks at these.
class IoRing {
 public:
  /// Throws Unsupported with the reason where the kernel has no io_uring, forbids it or has no room for it.
  explicit IoRing(unsigned entries);

  /// The next entry of those that are submitted together, all zero.
  io_uring_sqe& next();
  /// Submits what was filled and waits for as many completions. Returns how many completions are there.
  unsigned submit_and_wait();
  /// The oldest completion's result, which is then taken off: what the operation's system call would return, or the
  /// negative of an error's number.
  std::int32_t take_result();

 private:
  io_uring_params params_{};
  OwnedDescriptor ring_;
  std::unique_ptr<RingMemory> submissions_;
  std::unique_ptr<RingMemory> completions_;
  std::unique_ptr<RingMemory> entries_;
  unsigned filled_ = 0;
};

}  // namespace assay
