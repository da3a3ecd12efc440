// SPDX-License-Identifier: Apache-2.0
// TCP and UDP over the loopback interface: which socket a message of `bytes` bytes goes into and comes out of.
#pragma once
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "channel/channel.hpp"
#include "channel/loopback.hpp"
#include "channel/payload.hpp"

namespace assay {

/// Established connections of TCP: one per direction, its client sends; or one for both, then member 0 is its client.
class TcpPaths {
 public:
  /// With `at_once` every end sends at once what it is given. Throws Unsupported without descriptors or a loopback
  /// interface.
  TcpPaths(bool shared, bool at_once);
  int from(Direction direction) const;
  int to(Direction direction) const;
  /// How many messages of so many bytes can certainly be sent before one is received: by the smaller of the buffers,
  /// where each message is charged its memory and description.
  std::int64_t room(std::size_t bytes) const;
  /// Waits until all that was sent has left the sender's buffer, at most a second.
  void settle(Direction direction) const;

 private:
  std::array<Connection, 2> connections_;
  bool shared_;
};

/// Pairs of UDP sockets, one per direction or one for both.
class UdpPaths {
 public:
  /// Throws Unsupported without descriptors or a loopback interface, or where no datagram can have so many bytes.
  UdpPaths(bool shared, std::size_t bytes);
  int from(Direction direction) const;
  int to(Direction direction) const;
  /// How many datagrams of the size are certainly kept while none is received: more would be dropped. By half of the
  /// receiver's buffer, since the kernel takes up to a quarter of it for messages that were received already.
  std::int64_t room() const { return room_; }

 private:
  std::int64_t try_one(std::size_t bytes) const;
  std::array<std::unique_ptr<DatagramPair>, 2> pairs_;
  bool shared_;
  std::int64_t room_;
};

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

/// Each datagram begins with the last bytes, four at most, of its number in network order: the receiver knows which is
/// due, and reports when another one comes. The kernel drops what does not fit the receiver's buffer: protocols keep
/// below `capacity`. A pair of connected sockets per direction, or with `pair = shared` one for both.
class Udp {
 public:
  explicit Udp(Setup& setup) : bytes_(size_of(setup)), paths_(setup.word("pair") == "shared", bytes_) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  static constexpr bool drops_what_does_not_fit = true;
  std::int64_t capacity() const { return paths_.room(); }
  SleepingPlace sleeping_place(Direction direction) const { return on_descriptor(SYS_recvfrom, paths_.to(direction)); }

  void enter(Member& member) { sides_[side(member)].buffer.assign(bytes_, std::byte{0x5a}); }
  void leave(Member&) {}
  void settle(Member&, Direction) {}  // what is sent is there
  void send(Member& member, Direction direction) {
    Side& own = sides_[side(member)];
    const std::uint32_t number = own.sent++;
    for (std::size_t i = 0; i < digits(); ++i) own.buffer[i] = digit(number, i);
    const auto sent = uninterrupted(
        "sending a datagram", [&] { return ::send(paths_.from(direction), own.buffer.data(), bytes_, MSG_NOSIGNAL); });
    if (static_cast<std::size_t>(sent) != bytes_) refuse_part();
  }
  /// Throws std::runtime_error when it is another datagram than the one that is due.
  void receive(Member& member, Direction direction) {
    Side& own = sides_[side(member)];
    const std::uint32_t due = own.received++;
    const auto got = uninterrupted("receiving a datagram",
                                   [&] { return ::recv(paths_.to(direction), own.buffer.data(), bytes_, MSG_TRUNC); });
    bool right = static_cast<std::size_t>(got) == bytes_;
    for (std::size_t i = 0; i < digits(); ++i) right &= own.buffer[i] == digit(due, i);
    if (!right) refuse(due, got);
  }

 private:
  struct alignas(line_size) Side {
    std::vector<std::byte> buffer;
    std::uint32_t sent = 0;
    std::uint32_t received = 0;
  };
  static std::size_t size_of(const Setup& setup) {
    const auto bytes = setup.level<std::size_t>("bytes");
    if (bytes == 0) throw Unsupported("a numbered datagram cannot carry a message of 0 bytes");
    return bytes;
  }
  std::size_t digits() const { return std::min<std::size_t>(bytes_, 4); }
  std::byte digit(std::uint32_t number, std::size_t i) const {
    return static_cast<std::byte>(number >> (8 * (digits() - 1 - i)));
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(std::uint32_t due, ssize_t got) {
    throw std::runtime_error("a datagram of " + std::to_string(got) + " bytes is not number " + std::to_string(due) +
                             ", which is expected: one was lost, or came out of order");
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_part() {
    throw std::logic_error("a datagram was sent in part");
  }

  std::size_t bytes_;
  UdpPaths paths_;
  std::array<Side, 2> sides_;
};

}  // namespace assay
