// SPDX-License-Identifier: Apache-2.0
// Calls one way and replies the other, in the wire format of ONC RPC over UDP or TCP.
#pragma once
#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "channel/channel.hpp"
#include "channel/network.hpp"

namespace assay {

/// One member's buffer for a call or a reply (RFC 5531, version 2), behind the mark of a record of one fragment, which
/// streams need (section 11 there). Neither credential nor verifier (AUTH_NONE). Argument and result are an opaque of a
/// fixed size: padded to a multiple of 4 (RFC 4506).
class RpcMessage {
 public:
  /// A program of the numbers that are free for any user, its version and its procedure.
  static constexpr std::uint32_t program = 0x20000a55, version = 1, procedure = 1;

  explicit RpcMessage(std::size_t opaque) : opaque_((opaque + 3) / 4), words_(1 + call_words + opaque_) {}

  /// Bytes of a whole message, its record mark included.
  std::size_t call_size() const { return word_size * (1 + call_words + opaque_); }
  std::size_t reply_size() const { return word_size * (1 + reply_words + opaque_); }
  std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }
  static constexpr std::size_t mark_size = 4;

  void write_call(std::uint32_t xid) { write(call(xid)); }
  void write_reply(std::uint32_t xid) { write(reply(xid)); }
  /// Whether the buffer holds, behind its mark, the call or the accepted and successful reply of that number.
  bool is_call(std::uint32_t xid) const { return holds(call(xid)); }
  bool is_reply(std::uint32_t xid) const { return holds(reply(xid)); }
  /// Whether the mark is that of one last fragment with the whole message.
  bool has_mark(std::size_t message_size) const {
    return words_[0] == htonl(last_fragment | static_cast<std::uint32_t>(message_size - mark_size));
  }

 private:
  static constexpr std::size_t word_size = 4, call_words = 10, reply_words = 6;
  static constexpr std::uint32_t last_fragment = 0x80000000;
  // Transaction, CALL, RPC version, program, its version, procedure; credential and verifier: flavour and length each.
  static std::array<std::uint32_t, call_words> call(std::uint32_t xid) {
    return {xid, 0, 2, program, version, procedure, 0, 0, 0, 0};
  }
  // Transaction, REPLY, MSG_ACCEPTED, the verifier's flavour and length, SUCCESS.
  static std::array<std::uint32_t, reply_words> reply(std::uint32_t xid) { return {xid, 1, 0, 0, 0, 0}; }

  template <std::size_t n>
  void write(const std::array<std::uint32_t, n>& header) {
    words_[0] = htonl(last_fragment | static_cast<std::uint32_t>(word_size * (n + opaque_)));
    std::transform(header.begin(), header.end(), words_.begin() + 1, [](std::uint32_t word) { return htonl(word); });
  }
  template <std::size_t n>
  bool holds(const std::array<std::uint32_t, n>& header) const {
    return std::equal(header.begin(), header.end(), words_.begin() + 1,
                      [](std::uint32_t word, std::uint32_t held) { return htonl(word) == held; });
  }

  std::size_t opaque_;
  std::vector<std::uint32_t> words_;
};

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
