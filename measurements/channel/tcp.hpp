// SPDX-License-Identifier: Apache-2.0
// TCP over the loopback interface, messages of `bytes` bytes.
#pragma once
#include <sys/socket.h>

#include <cstdint>

#include "channel/channel.hpp"
#include "channel/paths.hpp"
#include "channel/payload.hpp"
#include "channel/sleeping.hpp"

namespace assay {

/// Established connections: one per direction, or with `pair = shared` one for both, where an acknowledgement travels
/// with the answer. How much a connection holds the kernel decides as it goes, and takes back what it cannot keep: that
/// is not found by filling it. With `nodelay = off` a sender may wait for one before it sends a small message.
class Tcp {
 public:
  explicit Tcp(Setup& setup)
      : payload_(setup, "a socket"), paths_(setup.word("pair") == "shared", setup.word("nodelay") != "off") {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  std::int64_t capacity() const { return paths_.room(payload_.bytes()); }
  SleepingPlace sleeping_place(Direction direction) const { return on_descriptor(SYS_recvfrom, paths_.to(direction)); }

  void enter(Member& member) { payload_.enter(member); }
  void leave(Member&) {}
  void settle(Member&, Direction direction) { paths_.settle(direction); }
  void send(Member& member, Direction direction) {
    payload_.send(member, "sending on a socket", [end = paths_.from(direction)](auto* data, auto size) {
      return ::send(end, data, size, MSG_NOSIGNAL);
    });
  }
  void receive(Member& member, Direction direction) {
    payload_.receive(member, "receiving from a socket",
                     [end = paths_.to(direction)](auto* data, auto size) { return ::recv(end, data, size, 0); });
  }

 private:
  Payload payload_;
  TcpPaths paths_;
};

}  // namespace assay
