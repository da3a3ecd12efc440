// SPDX-License-Identifier: Apache-2.0
// An anonymous shared mapping handed out in aligned pieces.
#include "platform/shared_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <string>

#include "base/error.hpp"

namespace assay {

SharedMemory::SharedMemory(std::size_t capacity) : base_(nullptr), capacity_(capacity) {
  void* const address =
      ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    throw PlatformError("mmap of " + std::to_string(capacity) + " bytes of shared memory", errno);
  base_ = static_cast<std::byte*>(address);
}

SharedMemory::~SharedMemory() { ::munmap(base_, capacity_); }

void* SharedMemory::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t padding = (alignment - used_ % alignment) % alignment;
  const std::size_t left = capacity_ - used_;
  if (padding > left || bytes > left - padding) throw std::bad_alloc();
  std::byte* const piece = base_ + used_ + padding;
  used_ += padding + bytes;
  return piece;
}

}  // namespace assay
