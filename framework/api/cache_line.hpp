// SPDX-License-Identifier: Apache-2.0
// What a program can do about a cache line besides accessing it: flush it, and wait for what was done to it.
#pragma once
#include "api/keep.hpp"

namespace assay {

/// Whether a program can remove a line from all caches here.
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
inline constexpr bool flushes_lines = true;
#else
inline constexpr bool flushes_lines = false;
#endif

/// Whether nothing that follows an atomic operation which reads and writes begins before it has taken effect: x86
/// processors lock the line, and whatever else the core does meanwhile is hidden behind that.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr bool atomics_await = true;
#else
inline constexpr bool atomics_await = false;
#endif

/// Begins to write the cache line that `address` is in to memory, if it was changed, and to remove it from the caches
/// of all CPUs. It has come to pass when await_accesses() has returned on the same thread.
[[gnu::always_inline]] inline void flush_line(const void* address) noexcept {
#if defined(__x86_64__) || defined(__i386__)
  asm volatile("clflush %0" : : "m"(*static_cast<const char*>(address)) : "memory");
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" : : "r"(address) : "memory");
#else
  static_cast<void>(address);
#endif
}

/// Waits until all earlier accesses and flushes have taken effect for all CPUs, and lets nothing later begin before: a
/// fence alone orders later stores behind it, for whose lines a processor may send beforehand.
[[gnu::always_inline]] inline void await_accesses() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  asm volatile("mfence\n\tlfence" : : : "memory");
#elif defined(__aarch64__)
  asm volatile("dsb sy\n\tisb" : : : "memory");
#else
  drain_stores();
#endif
}

}  // namespace assay
