// SPDX-License-Identifier: Apache-2.0
// Channels of shared memory that the receiver polls: a sequence number per direction, and a bounded ring of slots.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "channel/channel.hpp"
#include "channel/places.hpp"

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
  explicit Flag(Setup& setup) : places_(channel_places<Numbers>(setup)) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::spins}; }
  static constexpr Delivery delivery = Delivery::merged;
  std::int64_t capacity() const { return 1; }  // a later number overwrites an earlier one

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  /// A place has older numbers than any that is expected there.
  void wander(Member& member) { places_.wander(member.rank()); }
  void send(Member& member, Direction direction) {
    number(member, direction).store(++counters_[side(member)].sent, std::memory_order_release);
  }
  void receive(Member& member, Direction direction) {
    const std::uint32_t expected = ++counters_[side(member)].received;
    const Number& polled = number(member, direction);
    while (polled.load(std::memory_order_acquire) != expected) {
      if constexpr (beats) member.beat();
      relax();
    }
  }
  void absorb(Member& member, Direction, std::int64_t sends) {
    counters_[side(member)].received += static_cast<std::uint32_t>(sends);
  }

 private:
  Number& number(const Member& member, Direction direction) const {
    Numbers& here = places_.of(member.rank());
    return direction == Direction::there ? here.there : here.back;
  }
  ChannelPlaces<Numbers> places_;
  BothCounters counters_{};
};

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
