// SPDX-License-Identifier: Apache-2.0
// The server of the chat: passes each message on to all others in its room.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "chat/audit.hpp"
#include "chat/gate.hpp"

namespace assay {

/// One of two architectures behind one interface. Sockets are borrowed; they are in the order room by room, user by
/// user.
class ChatServer {
 public:
  virtual ~ChatServer() = default;
  ChatServer(const ChatServer&) = delete;
  ChatServer& operator=(const ChatServer&) = delete;

  /// The connection of a user that has entered its room. Before start().
  virtual void add(int socket, Seat seat) = 0;
  /// Begins to serve. Throws Unsupported or std::system_error where threads or descriptors are refused.
  virtual void start() = 0;
  /// Returns when nothing of it runs any more: the course is ending, and the clients have reset their connections.
  virtual void stop() = 0;

 protected:
  ChatServer() = default;
};

/// Two threads per connection: the receiver reads messages and puts each into the queues of the others, whose senders
/// write them, one by one. All calls block. A full queue holds up the receivers that have something for it, and so, by
/// way of full sockets, the clients that send. This cannot end in a circle: a queue is emptied by its sender alone,
/// which waits for nothing but its client's receiver, and that one only ever reads.
std::unique_ptr<ChatServer> threaded_server(Course& course, std::uint32_t users, std::size_t queue);

/// `pool` threads that wait for events of all connections. A message goes into the queues of the others; when all that
/// one read yielded is passed on, each queue is written with one call. No thread ever waits for a connection: what a
/// socket does not take stays in its queue, and a message for a full queue leaves its connection unread until that
/// queue is half empty. Queues are emptied as long as clients read, and those only ever read.
std::unique_ptr<ChatServer> epoll_server(Course& course, std::uint32_t users, std::size_t queue, std::size_t pool);

}  // namespace assay
