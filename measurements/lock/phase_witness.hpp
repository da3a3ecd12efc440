// SPDX-License-Identifier: Apache-2.0
// The exact order of a lock ring, checked while it runs.
#pragma once
#include <atomic>
#include <cstdint>

namespace assay {

/// One side's check: it publishes its phase before each unlock, and the partner's phase after each lock must be the
/// program's, not merely grow.
class PhaseWitness {
 public:
  /// `cycle_phases`: unlocks per cycle. Both counters live in shared memory.
  PhaseWitness(std::atomic<std::int64_t>& own, const std::atomic<std::int64_t>& partner, int cycle_phases)
      : own_(own), partner_(partner), cycle_phases_(cycle_phases) {}
  void released() { own_.fetch_add(1, std::memory_order_relaxed); }
  /// Whether the partner's phase is `expected` within the current cycle.
  bool obtained(int expected) const {
    return partner_.load(std::memory_order_relaxed) == cycles_ * cycle_phases_ + expected;
  }
  void end_cycle() { ++cycles_; }

 private:
  std::atomic<std::int64_t>& own_;
  const std::atomic<std::int64_t>& partner_;
  std::int64_t cycle_phases_;
  std::int64_t cycles_ = 0;
};

}  // namespace assay
