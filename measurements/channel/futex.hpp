// SPDX-License-Identifier: Apache-2.0
// A word in shared memory with a wait and a wake on it: the kernel's own, or those of the C++ library.
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <limits>

#include "channel/channel.hpp"
#include "channel/places.hpp"

namespace assay {

/// When a sender calls wake: each time, or only where the receiver says that it sleeps or is about to.
enum class Waking : unsigned char { always, if_waited_for };

/// Sending increments the counter and wakes; receiving waits until the counter has moved past what was received.
template <Waking waking>
class Futex {
  struct alignas(line_size) Word {
    std::atomic<std::uint32_t> sent{0};
    std::atomic<std::uint32_t> waiters{0};
  };
  struct Words {
    std::array<Word, 2> by_direction{};
    BothCounters counters{};  // of what was received here
  };

 public:
  explicit Futex(Setup& setup)
      : places_(channel_places<Words>(setup)), scope_(within_process(setup) ? FUTEX_PRIVATE_FLAG : 0) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  std::int64_t capacity() const { return std::numeric_limits<std::int32_t>::max(); }

  static constexpr Delivery delivery = Delivery::queued;
  SleepingPlace sleeping_place(Direction direction) const {
    return in_futex_of_any(places_, [&](Words& place) -> const Word& { return place.by_direction[index(direction)]; });
  }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void wander(Member& member) { places_.wander(member.rank()); }
  void send(Member& member, Direction direction) {
    Word& word = places_.of(member.rank()).by_direction[index(direction)];
    word.sent.fetch_add(1);
    if (waking == Waking::always || word.waiters.load() != 0) call(word, FUTEX_WAKE, 1);
  }
  void receive(Member& member, Direction direction) {
    Words& here = places_.of(member.rank());
    Word& word = here.by_direction[index(direction)];
    const std::uint32_t seen = here.counters[side(member)].received++;
    if (word.sent.load(std::memory_order_acquire) != seen) return;
    if constexpr (waking == Waking::if_waited_for) word.waiters.store(1);
    while (word.sent.load() == seen) call(word, FUTEX_WAIT, seen);
    if constexpr (waking == Waking::if_waited_for) word.waiters.store(0, std::memory_order_relaxed);
  }

 private:
  // No wake-up is lost: the counter and the waiters are written before the other is read, all in one total order, so
  // that the sender sees the waiter or the receiver the message; and the kernel sleeps only while the counter is still
  // what the receiver saw.
  void call(Word& word, int operation, std::uint32_t value) const {
    ::syscall(SYS_futex, &word.sent, operation | scope_, value, nullptr, nullptr, 0);
  }
  ChannelPlaces<Words> places_;
  int scope_;
};

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
    BothCounters counters{};
    Atomic& of(Direction direction) { return direction == Direction::there ? there : back; }
  };

 public:
  explicit AtomicWait(Setup& setup) : places_(channel_places<Numbers>(setup)) {}
  static Traits traits() { return {.vehicles = {"thread"}, .waiting = Waiting::either}; }
  static constexpr Delivery delivery = Delivery::merged;
  std::int64_t capacity() const { return 1; }  // a later number overwrites an earlier one
  SleepingPlace sleeping_place(Direction direction) const {
    if (sizeof(Number) != sizeof(int)) return in_any_futex();
    return in_futex_of_any(places_, [&](Numbers& place) -> const Atomic& { return place.of(direction); });
  }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void wander(Member& member) { places_.wander(member.rank()); }
  void send(Member& member, Direction direction) {
    Atomic& number = places_.of(member.rank()).of(direction);
    // In the total order: libstdc++ looks for waiters next, and a weaker store could still be on its way.
    number.fetch_add(1, std::memory_order_seq_cst);
    number.notify_one();
  }
  void receive(Member& member, Direction direction) {
    Numbers& here = places_.of(member.rank());
    Atomic& number = here.of(direction);
    const std::uint32_t expected = ++here.counters[side(member)].received;
    for (Number now = number.load(); static_cast<std::uint32_t>(now) != expected; now = number.load()) number.wait(now);
  }
  void absorb(Member& member, Direction, std::int64_t sends) {
    places_.of(member.rank()).counters[side(member)].received += static_cast<std::uint32_t>(sends);
  }

 private:
  ChannelPlaces<Numbers> places_;
};

}  // namespace assay
