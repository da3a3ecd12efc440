// SPDX-License-Identifier: Apache-2.0
// The lives of a user's threads.
#include "chat/user.hpp"

#include <string>

#include "chat/transfer.hpp"

namespace assay {

ChatUser::ChatUser(Course& course, const Conversation& conversation, Seat seat, int socket)
    : course_(course),
      conversation_(conversation),
      seat_(seat),
      socket_(socket),
      audit_(seat, conversation.users, conversation.messages),
      turn_(seat.user, conversation.users) {}

ChatMessage ChatUser::message_of(std::uint32_t round, Kind kind) const {
  ChatMessage message;
  message.kind = kind;
  message.round = round;
  message.room = seat_.room;
  message.sender = seat_.user;
  return message;
}

void ChatUser::send() {
  for (std::uint32_t round = 0; course_.talk.wait(round); ++round) {
    ChatMessage message = message_of(round, Kind::talk);
    for (sent_ = 0; sent_ < conversation_.messages; ++sent_) {
      if (conversation_.in_turns && !await_turn()) return;
      message.sequence = static_cast<std::uint32_t>(sent_);
      send_message(socket_, message);
    }
    course_.heard.arrive();
    if (!course_.goodbye.wait(round)) return;
    send_message(socket_, message_of(round, Kind::goodbye));
    course_.left.arrive();
  }
}

// The turn is counted before the message is sent: answers to it can come at once.
bool ChatUser::await_turn() {
  std::unique_lock lock(mutex_);
  is_my_turn_.wait(lock, [this] { return course_.is_ending() || turn_.is_mine(); });
  turn_.count();
  return !course_.is_ending();
}

void ChatUser::count_turn() {
  const std::scoped_lock lock(mutex_);
  turn_.count();
  if (turn_.is_mine()) is_my_turn_.notify_one();
}

void ChatUser::wake() {
  const std::scoped_lock lock(mutex_);
  is_my_turn_.notify_all();
}

void ChatUser::receive() {
  MessageReader reader(socket_);
  ChatMessage message;
  while (reader.next(message)) heard(message);
  course_.fail("the server has closed the connection of user " + std::to_string(seat_.user) + " of room " +
               std::to_string(seat_.room));
}

void ChatUser::heard(const ChatMessage& message) {
  audit_.take(message);
  if (message.kind == Kind::talk) {
    if (conversation_.in_turns) count_turn();
    if (audit_.has_all()) course_.heard.arrive();
  } else if (audit_.is_over()) {
    received_ = audit_.received();
    audit_.begin_next();
    course_.left.arrive();
  }
}

}  // namespace assay
