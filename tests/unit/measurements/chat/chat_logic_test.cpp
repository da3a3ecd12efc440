// SPDX-License-Identifier: Apache-2.0
// Turns, deliveries and queues of the chat, without a socket: what is planted wrong is found, and named.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "chat/audit.hpp"
#include "chat/bounded_queue.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t users = 5;
constexpr std::uint32_t messages = 4;
constexpr std::uint32_t own = 2;
constexpr Seat seat{3, own};

ChatMessage message_of(std::uint32_t sender, std::uint32_t sequence, Kind kind = Kind::talk) {
  ChatMessage message;
  message.kind = kind;
  message.room = seat.room;
  message.sender = sender;
  message.sequence = sequence;
  return message;
}

/// All that the user is owed in a round, sender by sender.
std::vector<ChatMessage> delivery() {
  std::vector<ChatMessage> all;
  for (std::uint32_t sequence = 0; sequence < messages; ++sequence)
    for (std::uint32_t sender = 0; sender < users; ++sender)
      if (sender != own) all.push_back(message_of(sender, sequence));
  for (std::uint32_t sender = 0; sender < users; ++sender)
    if (sender != own) all.push_back(message_of(sender, messages, Kind::goodbye));
  return all;
}

constexpr const char* not_over = "not over";

/// What the audit says of a delivery with a fault; "" when it finds nothing.
std::string found(const std::function<void(std::vector<ChatMessage>&)>& plant) {
  std::vector<ChatMessage> all = delivery();
  plant(all);
  Audit audit(seat, users, messages);
  try {
    for (const ChatMessage& message : all) audit.take(message);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return audit.is_over() ? "" : not_over;
}

constexpr std::size_t at = 6;  // in the middle of the talk: message 1 of user 3

TEST(ChatAudit, IsContentWithExactlyWhatIsOwed) {
  EXPECT_EQ(found([](auto&) {}), "");
  EXPECT_EQ(found([](auto& all) { std::swap(all[at], all[at + 1]); }), "") << "different senders have no order";
}

TEST(ChatAudit, FindsALostMessage) {
  EXPECT_THAT(found([](auto& all) { all.erase(all.begin() + at); }), HasSubstr("lost"));
  EXPECT_THAT(found([](auto& all) { all.erase(all.begin() + 15); }), HasSubstr("lost"))
      << "the last one of its sender is missed at the goodbye";
  EXPECT_EQ(found([](auto& all) { all.pop_back(); }), not_over);
}

TEST(ChatAudit, FindsADuplicate) {
  EXPECT_THAT(found([](auto& all) { all.insert(all.begin() + at, all[at]); }), HasSubstr("duplicated"));
  EXPECT_THAT(found([](auto& all) { all.insert(all.begin() + 16, all[15]); }), HasSubstr("duplicated"))
      << "after everything has come, before the goodbyes";
  EXPECT_THAT(found([](auto& all) { all.push_back(all.back()); }), HasSubstr("duplicated")) << "a goodbye";
}

TEST(ChatAudit, FindsAReorderedMessage) {
  EXPECT_THAT(found([](auto& all) { std::swap(all[at], all[at + users - 1]); }), HasSubstr("late"));
}

TEST(ChatAudit, FindsAMisroutedMessage) {
  EXPECT_THAT(found([](auto& all) { all[at].room = seat.room + 1; }), HasSubstr("room"));
  EXPECT_THAT(found([](auto& all) { all[at].sender = users; }), HasSubstr("room"));
  EXPECT_THAT(found([](auto& all) { all[at].sender = own; }), HasSubstr("sender"));
}

TEST(ChatAudit, FindsAMessageOfAnotherRoundKindOrText) {
  EXPECT_THAT(found([](auto& all) { all[at].round = 7; }), HasSubstr("round"));
  EXPECT_THAT(found([](auto& all) { all[at].text[69] ^= 1; }), HasSubstr("damaged"));
  EXPECT_THAT(found([](auto& all) { all[at].kind = Kind::enter; }), HasSubstr("kind"));
  EXPECT_THAT(found([](auto& all) { all.insert(all.begin() + 16, message_of(0, messages)); }), HasSubstr("more"));
}

TEST(ChatAudit, FindsWhateverASinglePlantedFaultChanges) {
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    const auto where = static_cast<std::ptrdiff_t>(rng.below(16));
    const auto kind = rng.below(3);
    const auto text = found([&](auto& all) {
      if (kind == 0) all.erase(all.begin() + where);
      if (kind == 1)
        all.insert(all.end() - static_cast<std::ptrdiff_t>(rng.below(16 + 4 - static_cast<std::uint64_t>(where))),
                   all[static_cast<std::size_t>(where)]);
      if (kind == 2) all[static_cast<std::size_t>(where)].sequence += 1 + static_cast<std::uint32_t>(rng.below(3));
    });
    EXPECT_NE(text, "") << "fault " << kind << " at " << where;
  }
}

TEST(ChatAudit, BeginsTheNextRoundOnlyAfterTheLast) {
  Audit audit(seat, users, messages);
  EXPECT_THROW(audit.begin_next(), std::logic_error);
  for (ChatMessage message : delivery()) audit.take(message);
  EXPECT_TRUE(audit.has_all());
  EXPECT_EQ(audit.received(), (users - 1) * messages);
  audit.begin_next();
  EXPECT_THROW(audit.take(message_of(0, 0)), std::logic_error) << "of the round before";
  for (ChatMessage message : delivery()) {
    message.round = 1;
    audit.take(message);
  }
  EXPECT_TRUE(audit.is_over());
}

/// Whole rounds in turn, delivered in any order that keeps each sender's: at every moment at most one may speak, and
/// all rounds end.
TEST(ChatTurn, LetsOneSpeakAtATimeWhateverTheOrderOfDelivery) {
  Rng rng(3);
  for (const std::uint32_t crowd : {2U, 3U, 7U}) {
    std::vector<ChatTurn> turns;
    for (std::uint32_t user = 0; user < crowd; ++user) turns.emplace_back(user, crowd);
    std::vector<std::deque<std::uint32_t>> mail(crowd);
    for (std::uint32_t k = 0; k < 5 * crowd; ++k) {
      // What is under way arrives in random order, until a user may send.
      std::uint32_t speaker = crowd;
      while (speaker == crowd) {
        for (std::uint32_t user = 0; user < crowd; ++user)
          if (turns[user].is_mine() && (k % crowd) == user) speaker = user;
        if (speaker != crowd) break;
        const auto user = static_cast<std::uint32_t>(rng.below(crowd));
        if (mail[user].empty()) continue;
        mail[user].pop_front();
        turns[user].count();
      }
      EXPECT_EQ(speaker, k % crowd);
      turns[speaker].count();
      EXPECT_FALSE(turns[speaker].is_mine());
      for (std::uint32_t user = 0; user < crowd; ++user)
        if (user != speaker) mail[user].push_back(k);
    }
  }
}

TEST(ChatMessageBuffer, PutsTogetherWhatComesInPieces) {
  std::vector<std::byte> stream;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const ChatMessage message = message_of(i, i + 1);
    const auto* bytes = reinterpret_cast<const std::byte*>(&message);
    stream.insert(stream.end(), bytes, bytes + sizeof message);
  }
  Rng rng(5);
  MessageBuffer buffer;
  std::uint32_t next = 0;
  for (std::size_t from = 0; from < stream.size();) {
    ASSERT_GT(buffer.room(), 0U);
    const std::size_t piece = std::min({buffer.room(), stream.size() - from, std::size_t{1} + rng.below(700)});
    std::copy_n(stream.begin() + static_cast<std::ptrdiff_t>(from), piece, buffer.space());
    buffer.add(piece);
    from += piece;
    for (ChatMessage message; buffer.take(message); ++next) {
      EXPECT_EQ(message.sender, next);
      EXPECT_EQ(message.sequence, next + 1);
    }
  }
  EXPECT_EQ(next, 300U);
}

TEST(ChatQueue, KeepsTheOrderAndHoldsUpWhoIsTooFast) {
  BoundedQueue<int> queue(3);
  constexpr int all = 1000;
  std::size_t most = 0;
  std::thread producer([&] {
    for (int i = 0; i < all; ++i) EXPECT_TRUE(queue.push(i));
  });
  for (int i = 0; i < all; ++i) {
    most = std::max(most, queue.size());
    int item = -1;
    ASSERT_TRUE(queue.pop(item));
    EXPECT_EQ(item, i);
  }
  producer.join();
  EXPECT_LE(most, 3U);
}

TEST(ChatQueue, ClosingEndsBothWaits) {
  BoundedQueue<int> full(1);
  ASSERT_TRUE(full.push(1));
  BoundedQueue<int> empty(1);
  std::thread producer([&] { EXPECT_FALSE(full.push(2)); });
  std::thread consumer([&] {
    int item = 0;
    EXPECT_FALSE(empty.pop(item));
  });
  full.close();
  empty.close();
  producer.join();
  consumer.join();
}

}  // namespace
}  // namespace assay
