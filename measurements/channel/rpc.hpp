// SPDX-License-Identifier: Apache-2.0
// Calls one way and replies the other, in the wire format of ONC RPC over UDP or TCP.
#pragma once
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "channel/channel.hpp"
#include "channel/paths.hpp"
#include "channel/rpc_message.hpp"
#include "channel/sleeping.hpp"

namespace assay {

enum class RpcOver : unsigned char { udp, tcp };

/// Member 0 calls, member 1 replies with the number of the last call that it received; the caller takes no other reply
/// than that to its last call, and the server no other call than the next. Argument and result have `bytes` bytes.
/// There is no portmapper, no credential, and no call is repeated. Both directions share a socket, as RPC has it.
template <RpcOver transport>
class Rpc {
  static constexpr bool is_stream = transport == RpcOver::tcp;
  using Paths = std::conditional_t<is_stream, TcpPaths, UdpPaths>;

 public:
  explicit Rpc(Setup& setup) : opaque_(setup.level<std::size_t>("bytes")), paths_(paths(setup, opaque_)) {}
  static Traits traits() { return {.vehicles = {"thread", "process"}, .waiting = Waiting::blocks}; }
  static constexpr Delivery delivery = Delivery::queued;
  static constexpr bool drops_what_does_not_fit = !is_stream;
  std::int64_t capacity() const {
    if constexpr (is_stream)
      return paths_.room(RpcMessage(opaque_).call_size());
    else
      return paths_.room();
  }
  SleepingPlace sleeping_place(Direction direction) const { return on_descriptor(SYS_recvfrom, paths_.to(direction)); }

  void enter(Member& member) { sides_[side(member)].message = RpcMessage(opaque_); }
  void leave(Member&) {}
  void settle(Member&, Direction direction) {
    if constexpr (is_stream) paths_.settle(direction);
  }
  void send(Member& member, Direction direction) {
    Side& own = sides_[side(member)];
    if (direction == Direction::there)
      own.message.write_call(++own.last);
    else
      own.message.write_reply(own.last);
    move(own.message, direction, "sending a message of RPC",
         [end = paths_.from(direction)](auto* data, auto size) { return ::send(end, data, size, MSG_NOSIGNAL); });
  }
  /// Throws std::runtime_error for another message than the one that is due.
  void receive(Member& member, Direction direction) {
    Side& own = sides_[side(member)];
    const std::size_t size =
        move(own.message, direction, "receiving a message of RPC", [end = paths_.to(direction)](auto* data, auto most) {
          return ::recv(end, data, most, is_stream ? 0 : MSG_TRUNC);
        });
    const bool is_due =
        direction == Direction::there ? own.message.is_call(++own.last) : own.message.is_reply(own.last);
    if (!is_due || (is_stream && !own.message.has_mark(size))) refuse(direction, own.last);
  }

 private:
  struct alignas(line_size) Side {
    RpcMessage message{0};
    std::uint32_t last = 0;  // the call's number
  };
  static Paths paths(const Setup& setup, std::size_t opaque) {
    if constexpr (is_stream)
      return Paths(true, setup.word("nodelay") != "off");
    else
      return Paths(true, RpcMessage(opaque).call_size() - RpcMessage::mark_size);
  }
  // A datagram is the message without its mark, in one call; a stream may take several. Returns the message's size with
  // the mark.
  template <class Call>
  static std::size_t move(RpcMessage& message, Direction direction, const char* what, Call call) {
    const std::size_t size = direction == Direction::there ? message.call_size() : message.reply_size();
    for (std::size_t done = is_stream ? 0 : RpcMessage::mark_size; done < size;) {
      const auto n = uninterrupted(what, [&] { return call(message.data() + done, size - done); });
      if (n == 0) fail_at_end(what);
      if (!is_stream && static_cast<std::size_t>(n) != size - done) refuse_size(what, n);
      done += static_cast<std::size_t>(n);
    }
    return size;
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_size(const char* what, ssize_t bytes) {
    throw std::runtime_error(std::string(what) + ": a datagram of " + std::to_string(bytes) +
                             " bytes is not of the expected size");
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(Direction direction, std::uint32_t number) {
    throw std::runtime_error(std::string("what came is not the ") + (direction == Direction::there ? "call" : "reply") +
                             " with number " + std::to_string(number) +
                             ", which is expected: a message was lost or is not of this program");
  }

  std::size_t opaque_;
  Paths paths_;
  std::array<Side, 2> sides_;
};

}  // namespace assay
