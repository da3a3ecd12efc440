// SPDX-License-Identifier: Apache-2.0
// A channel that loses a wake-up on purpose: what watches over a campaign must notice.
#pragma once
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "channel/channel.hpp"

namespace assay {

/// A counter with the kernel's wait and wake, sound for `after` messages there. From then on the sender waits until the
/// receiver is about to sleep, gives it time to, and counts without waking: as soon as the receiver was in time, it
/// sleeps forever.
class LosingChannel {
  struct alignas(line_size) Word {
    std::atomic<std::uint32_t> sent{0};
    std::atomic<bool> is_waited_for{false};
  };

 public:
  explicit LosingChannel(Setup& setup)
      : words_{&setup.share<Word>(), &setup.share<Word>()}, after_(setup.level<std::int64_t>("after")) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return 1; }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    Word& word = *words_[index(direction)];
    const bool loses = direction == Direction::there && counters_[side(member)].sent++ >= after_;
    if (loses) await_sleep(word);
    word.sent.fetch_add(1);
    if (!loses) call(word, FUTEX_WAKE, 1);
  }
  void receive(Member& member, Direction direction) {
    Word& word = *words_[index(direction)];
    const std::uint32_t seen = counters_[side(member)].received++;
    while (word.sent.load() == seen) {
      word.is_waited_for.store(true);
      call(word, FUTEX_WAIT, seen);
    }
    word.is_waited_for.store(false);
  }

 private:
  static void await_sleep(const Word& word) {
    while (!word.is_waited_for.load()) ::sched_yield();
    ::usleep(1000);
  }
  static void call(Word& word, int operation, std::uint32_t value) {
    ::syscall(SYS_futex, &word.sent, operation, value, nullptr, nullptr, 0);
  }
  std::array<Word*, 2> words_;
  std::int64_t after_;
  BothCounters counters_{};
};

}  // namespace assay
