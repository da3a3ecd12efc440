// SPDX-License-Identifier: Apache-2.0
// A pipe per direction, messages of `bytes` bytes.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

#include "channel/channel.hpp"
#include "channel/payload.hpp"
#include "channel/sleeping.hpp"

namespace assay {

/// A message is `bytes` bytes written by one call and read by as many as it takes.
class Pipe {
  static constexpr std::size_t reading = 0;
  static constexpr std::size_t writing = 1;
  static DescriptorPair opened() {
    return {"cannot open a pipe", [](int* ends) { return ::pipe2(ends, O_CLOEXEC); }};
  }
  auto writer(Direction direction) const {
    return [end = pipes_[index(direction)][writing]](auto* data, auto size) { return ::write(end, data, size); };
  }

 public:
  explicit Pipe(Setup& setup) : payload_(setup, "a pipe"), pipes_{opened(), opened()} {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  /// A message that does not fit into the last page begun starts a new one.
  std::int64_t capacity() const {
    const auto page = ::sysconf(_SC_PAGESIZE);
    const auto bytes = static_cast<std::int64_t>(payload_.bytes());
    const std::int64_t pages = ::fcntl(pipes_[0][writing], F_GETPIPE_SZ) / page;
    return bytes <= page ? pages * (page / bytes) : pages / ((bytes + page - 1) / page);
  }
  SleepingPlace sleeping_place(Direction direction) const {
    return on_descriptor(SYS_read, pipes_[index(direction)][reading]);
  }

  void enter(Member& member) { payload_.enter(member); }
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) { payload_.send(member, "writing to a pipe", writer(direction)); }
  bool try_send(Member& member, Direction direction) {
    const WithoutWaiting briefly(pipes_[index(direction)][writing]);  // of this direction's sender alone
    return payload_.try_send(member, "writing to a pipe", writer(direction));
  }
  void receive(Member& member, Direction direction) {
    payload_.receive(member, "reading from a pipe", [end = pipes_[index(direction)][reading]](auto* data, auto size) {
      return ::read(end, data, size);
    });
  }

 private:
  Payload payload_;
  std::array<DescriptorPair, 2> pipes_;
};

}  // namespace assay
