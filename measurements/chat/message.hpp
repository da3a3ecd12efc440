// SPDX-License-Identifier: Apache-2.0
// What goes over the connections of the chat: messages of one size, sent and received whole.
#pragma once
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace assay {

/// Why a message is sent.
enum class Kind : std::uint32_t {
  enter,    ///< to the server, and its answer: the user is in the room
  talk,     ///< to all others in the room
  goodbye,  ///< the same, after the round: nothing of this sender is under way any more
};

/// One message: 100 bytes on the wire, in the byte order of the machine, since both ends are on it.
struct ChatMessage {
  static constexpr std::string_view words = "so many words, and all of them have come a long way to say this little";
  Kind kind = Kind::talk;
  std::uint32_t round = 0;
  std::uint32_t room = 0;
  std::uint32_t sender = 0;
  std::uint32_t sequence = 0;  ///< of this sender in this round, from 0 on
  std::array<char, 80> text = said(words);

  static constexpr std::array<char, 80> said(std::string_view what) {
    std::array<char, 80> text{};
    for (std::size_t i = 0; i < what.size() && i < text.size(); ++i) text[i] = what[i];
    return text;
  }
};
static_assert(sizeof(ChatMessage) == 100 && std::is_trivially_copyable_v<ChatMessage>);

/// Bytes of a stream as they come, and the whole messages among them.
class MessageBuffer {
 public:
  std::byte* space() { return bytes_.data() + filled_; }
  std::size_t room() const { return bytes_.size() - filled_; }
  /// So many bytes have been put into the space.
  void add(std::size_t bytes) { filled_ += bytes; }
  /// The next whole message; false when there is none, after which there is room again.
  bool take(ChatMessage& message) {
    if (filled_ - taken_ < sizeof message) return compact();
    std::memcpy(&message, bytes_.data() + taken_, sizeof message);
    taken_ += sizeof message;
    return true;
  }

 private:
  bool compact() {
    std::memmove(bytes_.data(), bytes_.data() + taken_, filled_ - taken_);
    filled_ -= taken_;
    taken_ = 0;
    return false;
  }

  std::array<std::byte, 4096> bytes_{};
  std::size_t filled_ = 0;
  std::size_t taken_ = 0;
};

/// Sends a whole message, in as many calls as it takes. Throws std::system_error.
void send_message(int socket, const ChatMessage& message);

/// Receives messages, as many as are there with one call.
class MessageReader {
 public:
  explicit MessageReader(int socket) : socket_(socket) {}
  /// Waits for the next one. False at the end of the connection. Throws std::system_error.
  bool next(ChatMessage& message);

 private:
  int socket_;
  MessageBuffer buffer_;
};

}  // namespace assay
