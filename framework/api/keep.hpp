// SPDX-License-Identifier: Apache-2.0
// Small tools for timed bodies: keep a value alive, a compiler barrier for memory, empty the store buffer, wait with a
// pause in a spin loop.
#pragma once
#include <atomic>

namespace assay {

/// Makes the compiler assume that `value` is read, so that its computation is not removed. Costs nothing at run time.
template <class T>
[[gnu::always_inline]] inline void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

/// Makes the compiler assume that `value` is read and written: chains repetitions through a data dependency.
template <class T>
[[gnu::always_inline]] inline void keep(T& value) noexcept {
  asm volatile("" : "+m"(value) : : "memory");
}

/// Invalidates what the compiler assumes about memory.
[[gnu::always_inline]] inline void clobber() noexcept { asm volatile("" : : : "memory"); }

/// Waits until all earlier stores have left the store buffer: by a full fence where it does that, as on x86. On Arm it
/// only orders later accesses behind them, and reading a clock is none.
inline void drain_stores() noexcept {
#if defined(__aarch64__)
  asm volatile("dsb ish" : : : "memory");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// The processor's hint for a spin loop: `pause` on x86, `yield` on Arm, else nothing.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" : : : "memory");
#endif
}

}  // namespace assay
