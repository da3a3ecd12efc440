// SPDX-License-Identifier: Apache-2.0
// Calls and replies of ONC RPC as they are on the wire.
#pragma once
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace assay
