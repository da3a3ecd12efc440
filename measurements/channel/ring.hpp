// SPDX-License-Identifier: Apache-2.0
// A bounded ring of slots per direction, with one sender and one receiver that poll.
#pragma once
#include <atomic>
#include <cstdint>

#include "channel/channel.hpp"

namespace assay {

/// A message is a slot that takes its sequence number; the receiver polls the slot of the number it expects, and writes
/// on a line of its own how far it has come. The sender looks there only when the ring is full as far as it knows. With
/// `beats`, the member that receives or polls counts heartbeats, which is then part of the channel.
template <bool beats>
class SlotRing {
  static constexpr std::uint32_t slots = 4096;
  struct alignas(line_size) Lane {
    std::array<std::atomic<std::uint32_t>, slots> numbers{};
    alignas(line_size) std::atomic<std::uint32_t> taken{0};
  };

 public:
  explicit SlotRing(Setup& setup) : lanes_{&setup.share<Lane>(), &setup.share<Lane>()} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::spins}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return slots; }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    while (!try_send(member, direction)) polling(member);
  }
  bool try_send(Member& member, Direction direction) {
    Lane& lane = *lanes_[index(direction)];
    Ends& own = ends_[side(member)];
    if (own.sent - own.known_taken == slots) {
      own.known_taken = lane.taken.load(std::memory_order_acquire);
      if (own.sent - own.known_taken == slots) return false;
    }
    ++own.sent;
    lane.numbers[own.sent % slots].store(own.sent, std::memory_order_release);
    return true;
  }
  void receive(Member& member, Direction direction) {
    Lane& lane = *lanes_[index(direction)];
    const std::uint32_t expected = ++ends_[side(member)].received;
    if constexpr (beats) member.beat();  // also where no message is waited for
    while (lane.numbers[expected % slots].load(std::memory_order_acquire) != expected) polling(member);
    lane.taken.store(expected, std::memory_order_release);
  }

 private:
  struct alignas(line_size) Ends {
    std::uint32_t sent = 0;
    std::uint32_t known_taken = 0;
    std::uint32_t received = 0;
  };
  static void polling(const Member& member) {
    if constexpr (beats) member.beat();
    relax();
  }
  std::array<Lane*, 2> lanes_;
  std::array<Ends, 2> ends_;
};

}  // namespace assay
