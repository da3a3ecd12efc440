// SPDX-License-Identifier: Apache-2.0
// Every way in which a delivery can be wrong, distinguished.
#include "chat/audit.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace assay {

Audit::Audit(Seat seat, std::uint32_t users, std::uint32_t messages)
    : seat_(seat), messages_(messages), owed_(std::uint64_t{users - 1} * messages), next_(users) {}

void Audit::take(const ChatMessage& message) {
  if (message.room != seat_.room) refuse(message, "misrouted, it is of another room");
  if (message.sender >= next_.size()) refuse(message, "misrouted, its sender is not of this room");
  if (message.sender == seat_.user) refuse(message, "misrouted, it came back to its sender");
  if (message.round != round_) refuse(message, "of another round");
  if (message.text != ChatMessage::said(ChatMessage::words)) refuse(message, "damaged");
  if (message.kind == Kind::talk) return take_talk(message);
  if (message.kind == Kind::goodbye) return take_goodbye(message);
  refuse(message, "of an unexpected kind");
}

void Audit::take_talk(const ChatMessage& message) {
  std::uint32_t& due = next_[message.sender];
  if (message.sequence < due) refuse(message, "duplicated or late");
  if (message.sequence > due) refuse(message, "a preceding one is lost or late");
  if (message.sequence >= messages_) refuse(message, "more than were sent");
  ++due;
  ++received_;
}

void Audit::take_goodbye(const ChatMessage& message) {
  std::uint32_t& due = next_[message.sender];
  if (due > messages_) refuse(message, "duplicated");
  if (due < messages_) refuse(message, "messages before it are lost or late");
  ++due;
  ++left_;
}

void Audit::begin_next() {
  if (!is_over()) throw std::logic_error("a round of the chat begins before the last one is over");
  std::ranges::fill(next_, 0);
  received_ = left_ = 0;
  ++round_;
}

void Audit::refuse(const ChatMessage& message, const char* why) const {
  const std::uint32_t due = message.sender < next_.size() ? next_[message.sender] : 0;
  throw std::logic_error("user " + std::to_string(seat_.user) + " of room " + std::to_string(seat_.room) +
                         " received message " + std::to_string(message.sequence) + " of user " +
                         std::to_string(message.sender) + " of room " + std::to_string(message.room) + ": " + why +
                         " (due is " + std::to_string(due) + ")");
}

}  // namespace assay
