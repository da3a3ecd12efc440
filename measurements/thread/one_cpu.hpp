// SPDX-License-Identifier: Apache-2.0
// What two members need who measure how they share a CPU: proof that they do.
#pragma once
#include <sched.h>

#include <atomic>
#include <cstdint>

#include "api/measurement.hpp"

namespace assay {

/// Both members tell the only CPU that they may use. Lives in memory that all members see.
class OneCpu {
 public:
  /// Called by both members from enter(). Throws Unsupported on the first one where they are not bound to the same CPU,
  /// or where the scheduling policy never takes it away.
  void check(const Member& member) {
    if (member.rank() != 0) {
      told_.store(only_cpu(), std::memory_order_release);
      return;
    }
    int other = untold;
    while ((other = told_.load(std::memory_order_acquire)) == untold) ::sched_yield();
    if (other == several || other != only_cpu())
      throw Unsupported("a time slice is what two members on one CPU get; use placement = same-pu");
    if (::sched_getscheduler(0) == SCHED_FIFO) throw Unsupported("SCHED_FIFO has no time slice: a thread runs on");
  }

 private:
  static constexpr int untold = -2;
  static constexpr int several = -1;
  static int only_cpu() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // Where the machine has more CPUs than the set holds, the CPU in use stands for it: better than to refuse.
    const bool is_known = ::sched_getaffinity(0, sizeof set, &set) == 0;
    return is_known && CPU_COUNT(&set) != 1 ? several : ::sched_getcpu();
  }
  alignas(line_size) std::atomic<int> told_{untold};
};

}  // namespace assay
