// SPDX-License-Identifier: Apache-2.0
// Messages of `bytes` bytes, and how they get through calls that may move a part of them only.
#pragma once
#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "channel/channel.hpp"
#include "channel/descriptor.hpp"

namespace assay {

/// Each member sends from and receives into a buffer of its own. The calls handed in take a buffer and a size, and
/// return the number of bytes moved or -1 with errno; interrupted ones are repeated. Another error throws
/// std::system_error, and so does the end of the stream.
class Payload {
 public:
  /// Reads factor `bytes`; throws Unsupported for messages of no bytes.
  Payload(const Setup& setup, const std::string& carrier) : bytes_(setup.level<std::size_t>("bytes")) {
    if (bytes_ == 0) throw Unsupported(carrier + " cannot carry a message of 0 bytes");
  }
  std::size_t bytes() const { return bytes_; }
  /// Touches the member's buffer.
  void enter(const Member& member) { sides_[side(member)].buffer.assign(bytes_, std::byte{0x5a}); }

  /// Sends what is left of a message.
  template <class Call>
  void send(const Member& member, const char* what, Call call) {
    Side& own = sides_[side(member)];
    transfer(own.buffer.data(), bytes_ - std::exchange(own.begun, 0), what, call);
  }
  /// Receives a message.
  template <class Call>
  void receive(const Member& member, const char* what, Call call) {
    transfer(sides_[side(member)].buffer.data(), bytes_, what, call);
  }
  /// Sends with a call that does not wait; false when the message is not complete.
  template <class Call>
  bool try_send(const Member& member, const char* what, Call call) {
    Side& own = sides_[side(member)];
    while (own.begun < bytes_) {
      const auto n = call(own.buffer.data(), bytes_ - own.begun);
      if (n > 0) {
        own.begun += static_cast<std::size_t>(n);
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return false;
      } else if (errno != EINTR) {
        fail(what);
      }
    }
    own.begun = 0;
    return true;
  }

 private:
  struct alignas(line_size) Side {
    std::vector<std::byte> buffer;
    std::size_t begun = 0;  // bytes of the next message that a refused one has left in the channel
  };
  template <class Call>
  static void transfer(std::byte* data, std::size_t size, const char* what, Call call) {
    for (std::size_t done = 0; done < size;) {
      const auto n = uninterrupted(what, [&] { return call(data + done, size - done); });
      if (n == 0) fail_at_end(what);
      done += static_cast<std::size_t>(n);
    }
  }
  std::size_t bytes_;
  std::array<Side, 2> sides_;
};

}  // namespace assay
