// SPDX-License-Identifier: Apache-2.0
// A counter in the kernel, written and read.
#pragma once
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <limits>

#include "channel/channel.hpp"
#include "channel/descriptor.hpp"
#include "channel/sleeping.hpp"

namespace assay {

/// Sending adds one. Receiving takes one off where messages are queued (semaphore mode), and all of it where they merge
/// (counter mode).
template <Delivery how>
class EventCounter {
 public:
  explicit EventCounter(Setup&) : counters_{opened(), opened()} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = how;
  /// The documented bound is twice this: it is never seen full.
  std::int64_t capacity() const { return std::numeric_limits<std::int64_t>::max(); }
  SleepingPlace sleeping_place(Direction direction) const {
    return on_descriptor(SYS_read, counters_[index(direction)].number());
  }

  void enter(Member&) {}
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member&, Direction direction) {
    const std::uint64_t one = 1;
    uninterrupted("writing to an event counter",
                  [&] { return ::write(counters_[index(direction)].number(), &one, sizeof one); });
  }
  void receive(Member&, Direction direction) { take(direction); }
  void absorb(Member&, Direction direction, std::int64_t sends)
    requires(how == Delivery::merged)
  {
    while (sends > 0) sends -= static_cast<std::int64_t>(take(direction));
  }

 private:
  static OwnedDescriptor opened() {
    return {"cannot open an event counter", ::eventfd(0, EFD_CLOEXEC | (how == Delivery::queued ? EFD_SEMAPHORE : 0))};
  }
  std::uint64_t take(Direction direction) {
    std::uint64_t taken = 0;
    uninterrupted("reading an event counter",
                  [&] { return ::read(counters_[index(direction)].number(), &taken, sizeof taken); });
    return taken;
  }
  std::array<OwnedDescriptor, 2> counters_;
};

}  // namespace assay
