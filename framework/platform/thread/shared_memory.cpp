// SPDX-License-Identifier: Apache-2.0
// An anonymous shared mapping handed out in aligned pieces, and the futex system call.
#include "platform/thread/shared_memory.hpp"

#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace assay {
namespace {

/// Binds pages that have not been touched to a node.
void bind_pages(void* base, std::size_t bytes, int node) {
  constexpr std::size_t bits = std::numeric_limits<unsigned long>::digits;
  const auto at = static_cast<std::size_t>(node);
  std::vector<unsigned long> mask(at / bits + 1, 0);
  mask[at / bits] = 1UL << (at % bits);
  // The kernel reads one bit less than the number given.
  if (::syscall(SYS_mbind, base, bytes, MPOL_BIND, mask.data(), mask.size() * bits + 1, MPOL_MF_STRICT) != 0)
    throw PlatformError("mbind to memory node " + std::to_string(node), errno);
}

int node_of(const std::byte* page) {
  int node = -1;
  if (::syscall(SYS_get_mempolicy, &node, nullptr, 0UL, page, MPOL_F_NODE | MPOL_F_ADDR) != 0)
    throw PlatformError("get_mempolicy", errno);
  return node;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t capacity) : base_(nullptr), capacity_(capacity) {
  void* const address =
      ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    throw PlatformError("mmap of " + std::to_string(capacity) + " bytes of shared memory", errno);
  base_ = static_cast<std::byte*>(address);
}

SharedMemory::~SharedMemory() { ::munmap(base_, capacity_); }

void SharedMemory::settle(int node) {
  if (node < 0) throw PlatformError("memory node " + std::to_string(node), EINVAL);
  bind_pages(base_, capacity_, node);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < capacity_; at += page) {
    *static_cast<volatile std::byte*>(base_ + at) = std::byte{0};
    if (const int there = node_of(base_ + at); there != node)
      throw PlatformError(
          "shared memory was put onto memory node " + std::to_string(there) + " instead of " + std::to_string(node), 0);
  }
}

void* SharedMemory::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t padding = (alignment - used_ % alignment) % alignment;
  const std::size_t left = capacity_ - used_;
  if (padding > left || bytes > left - padding) throw std::bad_alloc();
  std::byte* const piece = base_ + used_ + padding;
  used_ += padding + bytes;
  return piece;
}

namespace {

using Word = std::atomic<std::uint32_t>;
static_assert(sizeof(Word) == sizeof(std::uint32_t) && Word::is_always_lock_free, "the kernel reads the word itself");

long call(const Word& word, int operation, std::uint32_t value) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

int wait_while_equal(const Word& word, std::uint32_t expected) noexcept {
  int slept = 0;
  // The kernel may return early (a signal, a stray wake): only the word itself ends the wait.
  while (word.load(std::memory_order_acquire) == expected)
    if (call(word, FUTEX_WAIT, expected) == 0 || errno != EAGAIN) ++slept;
  return slept;
}

void wake_all(const Word& word) noexcept { call(word, FUTEX_WAKE, INT_MAX); }

}  // namespace assay
