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

namespace assay {

/// Sending increments the counter and always calls wake; receiving waits until the counter has moved past what was
/// received.
class Futex {
  struct alignas(line_size) Word {
    std::atomic<std::uint32_t> sent{0};
  };

 public:
  explicit Futex(Setup& setup)
      : words_{&setup.share<Word>(), &setup.share<Word>()},
        scope_(setup.vehicle() == "thread" ? FUTEX_PRIVATE_FLAG : 0) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::either}; }
  std::int64_t capacity() const { return std::numeric_limits<std::int32_t>::max(); }

  void enter(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    auto& word = words_[index(direction)]->sent;
    word.fetch_add(1, std::memory_order_release);
    ::syscall(SYS_futex, &word, FUTEX_WAKE | scope_, 1, nullptr, nullptr, 0);
  }
  void receive(Member& member, Direction direction) {
    auto& word = words_[index(direction)]->sent;
    const std::uint32_t seen = counters_[side(member)].received++;
    while (word.load(std::memory_order_acquire) == seen)
      ::syscall(SYS_futex, &word, FUTEX_WAIT | scope_, seen, nullptr, nullptr, 0);
  }

 private:
  std::array<Word*, 2> words_;
  int scope_;
  BothCounters counters_{};
};

}  // namespace assay
