// SPDX-License-Identifier: Apache-2.0
// A sequence number in shared memory, one line per direction, polled by the receiver.
#pragma once
#include <atomic>
#include <limits>

#include "channel/channel.hpp"

namespace assay {

/// The receiver polls with the processor's spin hint. With `beats`, it also beats its heart in the polling loop, which
/// proves that it ran and is then part of the channel.
template <bool beats>
class Flag {
  struct alignas(line_size) Line {
    std::atomic<std::uint32_t> number{0};
  };

 public:
  explicit Flag(Setup& setup) : lines_{&setup.share<Line>(), &setup.share<Line>()} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::spins}; }
  std::int64_t capacity() const { return 1; }  // a later number overwrites an earlier one

  void enter(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    lines_[index(direction)]->number.store(++counters_[side(member)].sent, std::memory_order_release);
  }
  void receive(Member& member, Direction direction) {
    const std::uint32_t expected = ++counters_[side(member)].received;
    while (lines_[index(direction)]->number.load(std::memory_order_acquire) != expected) {
      if constexpr (beats) member.beat();
      relax();
    }
  }

 private:
  std::array<Line*, 2> lines_;
  BothCounters counters_{};
};

}  // namespace assay
