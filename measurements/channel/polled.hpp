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

/// Polls until `has_come()`, sixteen times at once before each of the processor's spin hints, and does `each()` in
/// every turn. With a hint after every poll, what the receiver's polls meet of the sender's store depends on their
/// phase, and locks in: on one processor round trips went between 62 to 72 and 82 to 88 ns by themselves, and medians
/// of visits had a standard deviation of 10 %, where these have 3 to 5. Without any hint the polls delay the store (110
/// to 123).
template <class HasCome, class Each>
void poll_until(HasCome has_come, Each each) {
  constexpr int at_once = 16;
  for (;; relax()) {
    for (int i = 0; i < at_once; ++i) {
      if (has_come()) return;
      each();
    }
  }
}

/// Whether the two directions have a line of memory each, or share one. In strict alternation sharing saves a transfer.
enum class FlagLines : unsigned char { two, one };

/// The receiver polls. With `beats`, it also counts heartbeats in the polling loop, which proves that it ran and is
/// then part of the channel.
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
    poll_until([&] { return polled.load(std::memory_order_acquire) == expected; },
               [&] {
                 if constexpr (beats) member.beat();
               });
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
    poll_until([&] { return try_send(member, direction); }, [&] { beat(member); });
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
    beat(member);  // also where no message is waited for
    const std::atomic<std::uint32_t>& polled = lane.numbers[expected % slots];
    poll_until([&] { return polled.load(std::memory_order_acquire) == expected; }, [&] { beat(member); });
    lane.taken.store(expected, std::memory_order_release);
  }

 private:
  struct alignas(line_size) Ends {
    std::uint32_t sent = 0;
    std::uint32_t known_taken = 0;
    std::uint32_t received = 0;
  };
  static void beat(const Member& member) {
    if constexpr (beats) member.beat();
  }
  std::array<Lane*, 2> lanes_;
  std::array<Ends, 2> ends_;
};

}  // namespace assay
