// SPDX-License-Identifier: Apache-2.0
// Locks whose members are served in the order in which they came, by numbers.
#pragma once
#include <atomic>
#include <cstdint>

#include "lock/lock.hpp"

namespace assay {

/// Takes a number and polls until it is called: first come, first served (Reed and Kanodia, 1979; Mellor-Crummey and
/// Scott, 1991, algorithm 2, without its proportional back-off). All who wait poll one line.
class TicketLock {
 public:
  using Object = TicketLock;
  static constexpr Waiting waiting = Waiting::spins;
  static constexpr bool exclusive = true;
  static constexpr bool any_thread = true;

  TicketLock() = default;
  explicit TicketLock(const Setup&) {}

  /// The next number.
  std::uint32_t take() { return next_.fetch_add(1, std::memory_order_relaxed); }
  /// Returns when the number is called.
  void await(std::uint32_t number) const {
    while (called_.load(std::memory_order_acquire) != number) relax();
  }
  void acquire() { await(take()); }
  // Only the holder changes it.
  void release() { called_.store(called_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
  /// Whether others wait. By the holder.
  bool is_wanted() const { return next_.load(std::memory_order_relaxed) - called_.load(std::memory_order_relaxed) > 1; }

  static int lock(TicketLock& object) {
    object.acquire();
    return 0;
  }
  static int unlock(TicketLock& object) {
    object.release();
    return 0;
  }

 private:
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint32_t> called_{0};
};

}  // namespace assay
