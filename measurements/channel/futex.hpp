// SPDX-License-Identifier: Apache-2.0
// A counter in shared memory with the kernel's wait and wake on it.
#pragma once
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <limits>

#include "channel/channel.hpp"
#include "channel/sleeping.hpp"

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

 public:
  explicit Futex(Setup& setup)
      : words_{&setup.share<Word>(), &setup.share<Word>()}, scope_(within_process(setup) ? FUTEX_PRIVATE_FLAG : 0) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  std::int64_t capacity() const { return std::numeric_limits<std::int32_t>::max(); }

  static constexpr Delivery delivery = Delivery::queued;
  SleepingPlace sleeping_place(Direction direction) const { return in_futex_of(*words_[index(direction)]); }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    Word& word = *words_[index(direction)];
    word.sent.fetch_add(1);
    if (waking == Waking::always || word.waiters.load() != 0) call(word, FUTEX_WAKE, 1);
  }
  void receive(Member& member, Direction direction) {
    Word& word = *words_[index(direction)];
    const std::uint32_t seen = counters_[side(member)].received++;
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
  std::array<Word*, 2> words_;
  int scope_;
  BothCounters counters_{};
};

}  // namespace assay
