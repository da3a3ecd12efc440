// SPDX-License-Identifier: Apache-2.0
// Pairs of connected sockets of the local family, messages of `bytes` bytes.
#pragma once
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>

#include "channel/channel.hpp"
#include "channel/payload.hpp"

namespace assay {

/// One pair per direction, or with `pair = shared` one for both. Sharing a stream pair is a trap worth a number: taking
/// data off it wakes the threads that sleep at the other end, its own receiver included. `type` is SOCK_STREAM,
/// SOCK_DGRAM or SOCK_SEQPACKET.
template <int type>
class UnixSocket {
  static DescriptorPair opened() {
    return {"cannot open a pair of sockets",
            [](int* ends) { return ::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends); }};
  }
  int from(Direction direction) const { return shared_ ? pairs_[0][index(direction)] : pairs_[index(direction)][0]; }
  int to(Direction direction) const { return shared_ ? pairs_[0][1 - index(direction)] : pairs_[index(direction)][1]; }
  auto sender(Direction direction, int flags) const {
    return
        [end = from(direction), flags](auto* data, auto size) { return ::send(end, data, size, flags | MSG_NOSIGNAL); };
  }

 public:
  explicit UnixSocket(Setup& setup)
      : payload_(setup, "a socket"), pairs_{opened(), opened()}, shared_(setup.word("pair") == "shared") {
    try_one();
  }
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  /// The kernel charges the buffer a message's memory: its size rounded up to a power of two, and its description.
  std::int64_t capacity() const {
    int room = 0;
    socklen_t size = sizeof room;
    ::getsockopt(from(Direction::there), SOL_SOCKET, SO_SNDBUF, &room, &size);
    const std::int64_t charge = 2 * static_cast<std::int64_t>(payload_.bytes()) + 2048;
    return std::max<std::int64_t>(one_fits_ ? 1 : 0, room / charge);
  }
  SleepingPlace sleeping_place(Direction direction) const { return on_descriptor(SYS_recvfrom, to(direction)); }

  void enter(Member& member) { payload_.enter(member); }
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) { payload_.send(member, "sending on a socket", sender(direction, 0)); }
  bool try_send(Member& member, Direction direction) {
    return payload_.try_send(member, "sending on a socket", sender(direction, MSG_DONTWAIT));
  }
  void receive(Member& member, Direction direction) {
    payload_.receive(member, "receiving from a socket",
                     [end = to(direction)](auto* data, auto size) { return ::recv(end, data, size, 0); });
  }

 private:
  // Whether a datagram may have this size is known by sending one.
  void try_one() {
    std::vector<std::byte> message(payload_.bytes());
    const auto sent = sender(Direction::there, MSG_DONTWAIT)(message.data(), message.size());
    if (sent < 0 && errno == EMSGSIZE)
      throw Unsupported("a message of " + std::to_string(message.size()) +
                        " bytes is too long for this kind of socket (sysctl net.core.wmem_default)");
    if (sent < 0) fail("sending on a socket");
    one_fits_ = static_cast<std::size_t>(sent) == message.size();
    for (auto left = sent; left > 0;)
      left -= uninterrupted("receiving from a socket",
                            [&] { return ::recv(to(Direction::there), message.data(), message.size(), 0); });
  }
  Payload payload_;
  std::array<DescriptorPair, 2> pairs_;
  bool shared_;
  bool one_fits_ = false;
};

}  // namespace assay
