// SPDX-License-Identifier: Apache-2.0
// A sequence number per direction with the C++ library's wait and notify on it.
#pragma once
#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>

#include "channel/channel.hpp"
#include "channel/sleeping.hpp"

namespace assay {

/// Sending changes the number and notifies; receiving waits until it is the one expected. libstdc++ spins and yields
/// first; then it sleeps on a number of 4 bytes itself, and for other sizes on a word of a table of its own, whose
/// waiters all wake. Both futexes are private to the process, and so is the table's count of waiters: for threads only.
template <std::unsigned_integral Number>
class AtomicWait {
  using Atomic = std::atomic<Number>;
  // The library counts waiters in 16 buckets by bits 2 to 5 of the address. Numbers aligned to lines would share one,
  // and each notification would wake the other direction's waiter: the second direction is one number off.
  struct alignas(line_size) Numbers {
    Atomic there{0};
    alignas(line_size) Number offset{0};
    Atomic back{0};
  };

 public:
  explicit AtomicWait(Setup& setup) : AtomicWait(setup.share<Numbers>()) {}
  static Traits traits() { return {.vehicles = {"thread"}, .waiting = Waiting::either}; }
  static constexpr Delivery delivery = Delivery::merged;
  std::int64_t capacity() const { return 1; }  // a later number overwrites an earlier one
  SleepingPlace sleeping_place(Direction direction) const {
    return sizeof(Number) == sizeof(int) ? in_futex_of(*numbers_[index(direction)]) : in_any_futex();
  }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    Atomic& number = *numbers_[index(direction)];
    // In the total order: libstdc++ looks for waiters next, and a weaker store could still be on its way.
    number.fetch_add(1, std::memory_order_seq_cst);
    number.notify_one();
  }
  void receive(Member& member, Direction direction) {
    Atomic& number = *numbers_[index(direction)];
    const std::uint32_t expected = ++counters_[side(member)].received;
    for (Number now = number.load(); static_cast<std::uint32_t>(now) != expected; now = number.load()) number.wait(now);
  }
  void absorb(Member& member, Direction, std::int64_t sends) {
    counters_[side(member)].received += static_cast<std::uint32_t>(sends);
  }

 private:
  explicit AtomicWait(Numbers& numbers) : numbers_{&numbers.there, &numbers.back} {}
  std::array<Atomic*, 2> numbers_;
  BothCounters counters_{};
};

}  // namespace assay
