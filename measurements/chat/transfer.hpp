// SPDX-License-Identifier: Apache-2.0
// Whole messages of the chat, sent and received over a connection.
#pragma once
#include <sys/socket.h>

#include "chat/message.hpp"

namespace assay {

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
