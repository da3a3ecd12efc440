// SPDX-License-Identifier: Apache-2.0
// A whole chat in one process: server, connections, users and their threads, parked between rounds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "api/stopwatch.hpp"
#include "base/units.hpp"
#include "channel/loopback.hpp"
#include "chat/server.hpp"
#include "chat/threads.hpp"
#include "chat/user.hpp"

namespace assay {

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
  /// Throws Unsupported, before anything is started as far as limits tell, when descriptors, threads or memory do not
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

}  // namespace assay
