// SPDX-License-Identifier: Apache-2.0
// UDP over the loopback interface, numbered messages of `bytes` bytes.
#pragma once
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "channel/channel.hpp"
#include "channel/paths.hpp"
#include "channel/sleeping.hpp"

namespace assay {

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
