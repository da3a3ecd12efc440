// SPDX-License-Identifier: Apache-2.0
// What one user of a chat room is owed: whose turn it is, and what has to come, from whom, in which order.
#pragma once
#include <cstdint>
#include <vector>

#include "chat/message.hpp"

namespace assay {

/// A place in the chat.
struct Seat {
  std::uint32_t room = 0;
  std::uint32_t user = 0;
};

/// Turn taking: a user speaks when the messages of the room that it has sent and received are its number modulo the
/// users. Message k of a room is then of user k modulo users, and is sent when all before it have reached its
/// sender.
class ChatTurn {
 public:
  ChatTurn(std::uint32_t user, std::uint32_t users) : user_(user), users_(users) {}
  bool is_mine() const { return seen_ % users_ == user_; }
  /// One message of the room was sent or received by this user.
  void count() { ++seen_; }

 private:
  std::uint32_t user_;
  std::uint32_t users_;
  std::uint64_t seen_ = 0;
};

/// Checks everything that one user receives: each message of each other user of its room exactly once, in the order in
/// which it was sent, and nothing else. A round ends with a goodbye of every other user.
class Audit {
 public:
  Audit(Seat seat, std::uint32_t users, std::uint32_t messages);
  /// Throws std::logic_error that says what is wrong: lost, duplicated, reordered, misrouted, damaged, of another
  /// round.
  void take(const ChatMessage& message);
  /// Messages received in this round, without goodbyes.
  std::uint64_t received() const { return received_; }
  /// Every message of this round is here.
  bool has_all() const { return received_ == owed_; }
  /// And every goodbye.
  bool is_over() const { return left_ == next_.size() - 1; }
  /// Throws std::logic_error unless the round before is over.
  void begin_next();

 private:
  [[noreturn]] void refuse(const ChatMessage& message, const char* why) const;
  void take_talk(const ChatMessage& message);
  void take_goodbye(const ChatMessage& message);

  Seat seat_;
  std::uint32_t messages_;
  std::uint64_t owed_;
  std::uint32_t round_ = 0;
  std::uint64_t received_ = 0;
  std::size_t left_ = 0;
  std::vector<std::uint32_t> next_;  ///< sequence number due, by sender; one beyond the messages after the goodbye
};

}  // namespace assay
