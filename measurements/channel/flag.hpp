// SPDX-License-Identifier: Apache-2.0
// A sequence number per direction in shared memory, polled by the receiver.
#pragma once
#include <atomic>

#include "channel/channel.hpp"

namespace assay {

/// Whether the two directions have a line of memory each, or share one. In strict alternation sharing saves a transfer.
enum class FlagLines : unsigned char { two, one };

/// The receiver polls with the processor's spin hint. With `beats`, it also counts heartbeats in the polling loop,
/// which proves that it ran and is then part of the channel.
template <bool beats, FlagLines lines = FlagLines::two>
class Flag {
  using Number = std::atomic<std::uint32_t>;
  struct alignas(line_size) Numbers {
    Number there{0};
    alignas(lines == FlagLines::two ? line_size : alignof(Number)) Number back{0};
  };

 public:
  explicit Flag(Setup& setup) : Flag(setup.share<Numbers>()) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::spins}; }
  static constexpr Delivery delivery = Delivery::merged;
  std::int64_t capacity() const { return 1; }  // a later number overwrites an earlier one

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    numbers_[index(direction)]->store(++counters_[side(member)].sent, std::memory_order_release);
  }
  void receive(Member& member, Direction direction) {
    const std::uint32_t expected = ++counters_[side(member)].received;
    while (numbers_[index(direction)]->load(std::memory_order_acquire) != expected) {
      if constexpr (beats) member.beat();
      relax();
    }
  }
  void absorb(Member& member, Direction, std::int64_t sends) {
    counters_[side(member)].received += static_cast<std::uint32_t>(sends);
  }

 private:
  explicit Flag(Numbers& numbers) : numbers_{&numbers.there, &numbers.back} {}
  std::array<Number*, 2> numbers_;
  BothCounters counters_{};
};

}  // namespace assay
