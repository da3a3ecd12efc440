// SPDX-License-Identifier: Apache-2.0
// A whole chat in one process (server, connections, users and their threads, parked between rounds), and how many
// messages a second all its rooms together send and receive.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "api/stopwatch.hpp"
#include "base/units.hpp"
#include "channel/loopback.hpp"
#include "chat/audit.hpp"
#include "chat/gate.hpp"
#include "chat/server.hpp"
#include "chat/threads.hpp"

namespace assay {

/// What is said in each round, and by how many.
struct Conversation {
  std::uint32_t rooms = 1;
  std::uint32_t users = 20;      ///< per room
  std::uint32_t messages = 100;  ///< per user and round
  bool in_turns = true;          ///< one sends at a time in each room; else all at once
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

/// What the server is made of.
struct ServerPlan {
  bool by_events = false;     ///< a pool of threads over epoll; else two threads per connection
  std::size_t pool = 2;       ///< its threads
  std::size_t queue = 64;     ///< messages that a connection's queue holds
  bool sends_at_once = true;  ///< without waiting for what was sent before to be acknowledged (TCP_NODELAY)
};

/// One round of talk.
struct Round {
  Nanoseconds elapsed{};       ///< from the opening of the gate until the last user has sent and received everything
  std::uint64_t sent = 0;      ///< by all users
  std::uint64_t received = 0;  ///< by all users, each message audited
};

/// All users of all rooms are connected and in their rooms when it is built; its threads sleep but within run().
class ChatHall {
 public:
  /// Throws Unsupported, before anything is started as far as limits show, when descriptors, threads or memory do not
  /// suffice; std::system_error.
  ChatHall(const Conversation& conversation, const ServerPlan& plan);
  ChatHall(const ChatHall&) = delete;
  ChatHall& operator=(const ChatHall&) = delete;
  ~ChatHall() { end(); }

  /// One round, with its goodbyes outside the clock: nothing is under way when it returns. Throws std::runtime_error
  /// with the first failure of any thread, after all have ended; there are no more rounds then.
  Round run(const Stopwatch& watch);
  std::uint16_t port() const { return listener_.port(); }
  /// Threads of both sides.
  std::size_t threads() const { return threads_.size(); }

 private:
  void connect_all(bool server_sends_at_once);
  void start_all();
  void end();
  Round counted(Nanoseconds elapsed) const;
  std::size_t users() const { return users_.size(); }

  Conversation conversation_;
  Course course_;
  Listener listener_;
  std::vector<Connection> connections_;  ///< room by room, user by user
  std::deque<ChatUser> users_;
  std::unique_ptr<ChatServer> server_;
  ChatThreads threads_;  ///< of the users
};

/// A batch is one round of the chat: every user says all its messages, and all others in its room receive them.
/// Threads, connections and room entries are there before, and sleep between batches. They inherit the member's
/// binding.
class ChatRooms final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { rate, elapsed, sent, received, switches };

  /// Throws Unsupported as ChatHall does.
  explicit ChatRooms(Setup& setup) : hall_(conversation(setup), server(setup)) {}

  Claims run(Member& member, Reps) override {
    const SwitchCount before = switches_of_others();
    const Round round = hall_.run(member.stopwatch());
    const SwitchCount made = switches_of_others() - before;
    member.adopt(made.voluntary, made.involuntary);
    const double messages = static_cast<double>(round.sent + round.received);
    const auto switched = made.voluntary + made.involuntary;
    return Claims{}
        .set(rate, messages / round.elapsed.count * 1e9)
        .set(elapsed, round.elapsed)
        .set(sent, static_cast<double>(round.sent))
        .set(received, static_cast<double>(round.received))
        .set(switches, static_cast<double>(switched) / messages);
  }

 private:
  static Conversation conversation(const Setup& setup) {
    return {setup.level<std::uint32_t>("rooms"), setup.level<std::uint32_t>("users"),
            setup.level<std::uint32_t>("messages"), setup.word("pacing") == "turn"};
  }
  static ServerPlan server(const Setup& setup) {
    return {setup.word("server") == "epoll", setup.level<std::size_t>("pool"), setup.level<std::size_t>("queue"),
            setup.word("nodelay") == "both"};
  }

  ChatHall hall_;
};

}  // namespace assay
