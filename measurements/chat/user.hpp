// SPDX-License-Identifier: Apache-2.0
// One user of the chat: a thread that sends and a thread that receives, over one connection.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "chat/audit.hpp"
#include "chat/gate.hpp"

namespace assay {

/// What is said in each round, and by how many.
struct Conversation {
  std::uint32_t rooms = 1;
  std::uint32_t users = 20;      ///< per room
  std::uint32_t messages = 100;  ///< per user and round
  bool in_turns = true;          ///< one speaks at a time in each room; else everybody at once
};

/// The two lives of a user, each for a thread of its own. Both last until the course ends or the connection does.
class ChatUser {
 public:
  ChatUser(Course& course, const Conversation& conversation, Seat seat, int socket);

  /// Round by round: waits for the gate, sends all messages, in turn or at once; then a goodbye when all have heard
  /// everything. Throws std::system_error.
  void send();
  /// Receives and audits whatever comes. Throws std::logic_error, std::system_error.
  void receive();
  /// Wakes the sender from waiting for its turn, when the course has ended.
  void wake();

  /// Messages of the last round. Between rounds only.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  ChatMessage message_of(std::uint32_t round, Kind kind) const;
  bool await_turn();
  void count_turn();
  void heard(const ChatMessage& message);

  Course& course_;
  const Conversation& conversation_;
  Seat seat_;
  int socket_;
  Audit audit_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::mutex mutex_;  // of the turn
  std::condition_variable is_my_turn_;
  ChatTurn turn_;
};

}  // namespace assay
