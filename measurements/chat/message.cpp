// SPDX-License-Identifier: Apache-2.0
// Whole messages of the chat over a connection.
#include "chat/message.hpp"

#include "channel/descriptor.hpp"

namespace assay {

void send_message(int socket, const ChatMessage& message) {
  const auto* bytes = reinterpret_cast<const char*>(&message);
  for (std::size_t sent = 0; sent < sizeof message;)
    sent += static_cast<std::size_t>(uninterrupted(
        "sending a message", [&] { return ::send(socket, bytes + sent, sizeof message - sent, MSG_NOSIGNAL); }));
}

bool MessageReader::next(ChatMessage& message) {
  while (!buffer_.take(message)) {
    const auto got =
        uninterrupted("receiving messages", [this] { return ::recv(socket_, buffer_.space(), buffer_.room(), 0); });
    if (got == 0) return false;
    buffer_.add(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace assay
