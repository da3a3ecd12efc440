// SPDX-License-Identifier: Apache-2.0
// The same loop at several places within its cache lines: the place alone makes a difference of whole cycles.
#pragma once
#include <cstdint>

namespace assay {

/// How many copies of a timed loop there are; a process runs one of them.
inline constexpr int loop_copies = 4;

/// Stands right in front of a copy of a loop: each begins 16 bytes further into its 64 bytes than the one before.
/// `left` is what the loop counts.
[[gnu::always_inline]] inline void place_loop(int copy, std::int64_t& left) noexcept {
  // One empty instruction, so that aligning again leads to the next place. What is skipped the assembler fills with
  // the longest empty instructions that the processor has: a few of them, once per batch. The count is an operand, so
  // that it is not made ready behind.
  switch (copy) {
    case 0:
      asm volatile(".balign 64" : "+r"(left));
      break;
    case 1:
      asm volatile(".balign 64\n\tnop\n\t.balign 16" : "+r"(left));
      break;
    case 2:
      asm volatile(".balign 64\n\tnop\n\t.balign 32" : "+r"(left));
      break;
    default:
      asm volatile(".balign 64\n\tnop\n\t.balign 32\n\tnop\n\t.balign 16" : "+r"(left));
  }
  if (left <= 0) __builtin_unreachable();
}

}  // namespace assay
