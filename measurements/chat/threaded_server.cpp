// SPDX-License-Identifier: Apache-2.0
// The server with two threads per connection.
#include <deque>

#include "chat/bounded_queue.hpp"
#include "chat/message.hpp"
#include "chat/server.hpp"
#include "chat/threads.hpp"

namespace assay {
namespace {

class ThreadedServer final : public ChatServer {
 public:
  ThreadedServer(Course& course, std::uint32_t users, std::size_t queue)
      : course_(course), users_(users), queue_(queue), threads_(course) {}
  ~ThreadedServer() override { close_queues(); }

  void add(int socket, Seat seat) override { lines_.emplace_back(socket, seat, queue_); }
  void start() override {
    for (Line& line : lines_) {
      threads_.start([this, &line] { receive(line); });
      threads_.start([&line] { send(line); });
    }
  }
  void stop() override {
    close_queues();
    threads_.join();
  }

 private:
  struct Line {
    Line(int number, Seat at, std::size_t most) : socket(number), seat(at), queue(most) {}
    int socket;
    Seat seat;
    BoundedQueue<ChatMessage> queue;
  };

  void receive(Line& from) {
    MessageReader reader(from.socket);
    ChatMessage message;
    while (reader.next(message))
      if (!pass_on(message, from)) return;
    course_.fail("a client has closed its connection");
  }
  // To all in the room but the one it comes from.
  bool pass_on(const ChatMessage& message, const Line& from) {
    const std::size_t first = std::size_t{from.seat.room} * users_;
    for (std::size_t i = first; i < first + users_; ++i)
      if (&lines_[i] != &from && !lines_[i].queue.push(message)) return false;
    return true;
  }
  static void send(Line& to) {
    ChatMessage message;
    while (to.queue.pop(message)) send_message(to.socket, message);
  }
  void close_queues() {
    for (Line& line : lines_) line.queue.close();
  }

  Course& course_;
  std::uint32_t users_;
  std::size_t queue_;
  std::deque<Line> lines_;  // do not move
  ChatThreads threads_;     // end before what they work on
};

}  // namespace

std::unique_ptr<ChatServer> threaded_server(Course& course, std::uint32_t users, std::size_t queue) {
  return std::make_unique<ThreadedServer>(course, users, queue);
}

}  // namespace assay
