// SPDX-License-Identifier: Apache-2.0
// The server with a pool of threads over events.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <optional>

#include "channel/descriptor.hpp"
#include "chat/message.hpp"
#include "chat/server.hpp"
#include "chat/threads.hpp"

namespace assay {
namespace {

/// What is to be written to one connection: messages in a ring, of which a call takes as many as the socket has room
/// for.
class Output {
 public:
  explicit Output(std::size_t most) : messages_(most) {}
  bool is_full() const { return size_ == messages_.size(); }
  bool is_empty() const { return size_ == 0; }
  bool is_half_empty() const { return size_ <= messages_.size() / 2; }
  void push(const ChatMessage& message) { messages_[(first_ + size_++) % messages_.size()] = message; }
  /// Bytes written, or what sendmsg returns.
  ssize_t write_to(int socket) {
    const std::size_t till_end = std::min(size_, messages_.size() - first_);
    std::array<iovec, 2> parts{{{&messages_[first_], till_end * sizeof(ChatMessage)},
                                {messages_.data(), (size_ - till_end) * sizeof(ChatMessage)}}};
    parts[0].iov_base = reinterpret_cast<char*>(parts[0].iov_base) + written_;
    parts[0].iov_len -= written_;
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = parts[1].iov_len > 0 ? 2 : 1;
    const ssize_t sent = ::sendmsg(socket, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) drop(static_cast<std::size_t>(sent));
    return sent;
  }

 private:
  void drop(std::size_t bytes) {
    written_ += bytes;
    const std::size_t whole = written_ / sizeof(ChatMessage);
    written_ %= sizeof(ChatMessage);
    first_ = (first_ + whole) % messages_.size();
    size_ -= whole;
  }

  std::vector<ChatMessage> messages_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::size_t written_ = 0;  ///< bytes of the first message
};

/// A connection as the pool sees it.
struct Line {
  Line(int number, Seat at, std::uint32_t users, std::size_t most)
      : socket(number), seat(at), output(most), next(users) {}
  int socket;
  Seat seat;

  std::mutex mutex;  // protects what follows, up to the next comment
  Output output;
  bool wants_room = false;     ///< the socket took less than there was: its event is waited for
  bool is_read = false;        ///< a thread reads it, or it waits for room in an output
  std::vector<Line*> held_up;  ///< connections that wait for room in this one's output

  // Of the thread that reads it.
  MessageBuffer input;
  ChatMessage message;
  std::uint32_t next;  ///< user that the message is for next; beyond the last: there is none
};

class EpollServer final : public ChatServer {
 public:
  EpollServer(Course& course, std::uint32_t users, std::size_t queue, std::size_t pool)
      : course_(course),
        users_(users),
        most_(queue),
        pool_(pool),
        events_("opening an epoll descriptor", ::epoll_create1(EPOLL_CLOEXEC)),
        stop_("opening an eventfd", ::eventfd(0, EFD_CLOEXEC)),
        threads_(course) {}
  ~EpollServer() override { wake_all(); }

  void add(int socket, Seat seat) override { lines_.emplace_back(socket, seat, users_, most_); }
  void start() override {
    watch(stop_.number(), EPOLLIN, nullptr);
    for (Line& line : lines_) watch(line.socket, EPOLLIN | EPOLLONESHOT, &line);
    for (std::size_t i = 0; i < pool_; ++i) threads_.start([this] { serve(); });
  }
  void stop() override {
    wake_all();
    threads_.join();
  }

 private:
  using Lines = std::vector<Line*>;

  void watch(int descriptor, std::uint32_t wanted, Line* line) const {
    epoll_event event{};
    event.events = wanted;
    event.data.ptr = line;
    if (::epoll_ctl(events_.number(), EPOLL_CTL_ADD, descriptor, &event) != 0) fail("watching a descriptor");
  }
  void wake_all() const {
    const std::uint64_t one = 1;
    static_cast<void>(::write(stop_.number(), &one, sizeof one));  // stays readable: all see it
  }

  void serve() {
    Lines ready;
    Lines written;
    for (;;) {
      epoll_event event{};
      uninterrupted("waiting for events", [&] { return ::epoll_wait(events_.number(), &event, 1, -1); });
      if (event.data.ptr == nullptr) return;
      Line& line = *static_cast<Line*>(event.data.ptr);
      if (takes(line, event.events, ready)) ready.push_back(&line);
      while (!ready.empty()) {
        Line& one = *ready.back();
        ready.pop_back();
        read(one, written);
        flush_all(written, ready);
      }
    }
  }

  // Writes what has room now; true when the line is to be read, by the caller alone.
  bool takes(Line& line, std::uint32_t happened, Lines& ready) {
    const std::scoped_lock lock(line.mutex);
    if ((happened & ~std::uint32_t{EPOLLIN}) != 0) {
      line.wants_room = false;
      flush(line, ready);
    }
    const bool begins = (happened & ~std::uint32_t{EPOLLOUT}) != 0 && !line.is_read;
    if (begins) line.is_read = true;
    await_events(line);
    return begins;
  }

  // The message that the line was held up with, if any, and what one call yields.
  void read(Line& line, Lines& written) {
    if (!pass_on(line, written)) return;
    const auto got = ::recv(line.socket, line.input.space(), line.input.room(), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
      return course_.fail("a client has closed its connection");
    if (got > 0) line.input.add(static_cast<std::size_t>(got));
    if (!pass_on(line, written)) return;
    const std::scoped_lock lock(line.mutex);
    line.is_read = false;
    await_events(line);
  }

  // Puts all whole messages into the outputs of the others. False when the line is held up: it is then another
  // thread's.
  bool pass_on(Line& line, Lines& written) {
    do {
      for (; line.next < users_; ++line.next)
        if (line.next != line.seat.user && !put(line, at(line.seat.room, line.next), written)) return false;
      if (line.input.take(line.message)) line.next = 0;
    } while (line.next == 0);
    return true;
  }
  Line& at(std::uint32_t room, std::uint32_t user) { return lines_[std::size_t{room} * users_ + user]; }
  // A thread that puts something into an output flushes it before waiting for events again: a full one is being
  // emptied.
  static bool put(Line& from, Line& to, Lines& written) {
    const std::scoped_lock lock(to.mutex);
    if (to.output.is_full()) {
      to.held_up.push_back(&from);
      return false;
    }
    to.output.push(from.message);
    if (written.empty() || written.back() != &to) written.push_back(&to);
    return true;
  }

  void flush_all(Lines& written, Lines& ready) {
    for (Line* line : written) {
      const std::scoped_lock lock(line->mutex);
      if (line->wants_room) continue;
      flush(*line, ready);
      if (line->wants_room) await_events(*line);
    }
    written.clear();
  }
  // With the line's mutex held. Those who were held up go on when half of the output is free.
  void flush(Line& line, Lines& ready) {
    while (!line.output.is_empty() && write_some(line)) continue;
    if (!line.output.is_half_empty()) return;
    ready.insert(ready.end(), line.held_up.begin(), line.held_up.end());
    line.held_up.clear();
  }
  // False when the socket is full.
  bool write_some(Line& line) {
    if (line.output.write_to(line.socket) >= 0 || errno == EINTR) return true;
    line.wants_room = errno == EAGAIN;
    if (!line.wants_room) course_.fail("a client has closed its connection");
    return false;
  }

  // With the line's mutex held: the events that have to be signalled next.
  void await_events(Line& line) const {
    epoll_event event{};
    if (!line.is_read) event.events |= EPOLLIN;
    if (line.wants_room) event.events |= EPOLLOUT;
    if (event.events == 0) return;
    event.events |= EPOLLONESHOT;
    event.data.ptr = &line;
    ::epoll_ctl(events_.number(), EPOLL_CTL_MOD, line.socket, &event);
  }

  Course& course_;
  std::uint32_t users_;
  std::size_t most_;
  std::size_t pool_;
  OwnedDescriptor events_;
  OwnedDescriptor stop_;
  std::deque<Line> lines_;  // do not move
  ChatThreads threads_;     // end before what they work on
};

}  // namespace

std::unique_ptr<ChatServer> epoll_server(Course& course, std::uint32_t users, std::size_t queue, std::size_t pool) {
  return std::make_unique<EpollServer>(course, users, queue, pool);
}

}  // namespace assay
