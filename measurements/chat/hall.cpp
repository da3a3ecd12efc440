// SPDX-License-Identifier: Apache-2.0
// Setting up, leading and clearing away a chat.
#include "chat/hall.hpp"

#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "chat/message.hpp"
#include "limits/limits.hpp"

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

namespace {

constexpr std::uint64_t most_users = 1'000'000;

// What each of the threads touches of its stack and of the C library's memory.
constexpr std::size_t touched_by_thread = std::size_t{24} << 10U;

std::size_t all_users(const Conversation& conversation) {
  const std::uint64_t users = std::uint64_t{conversation.rooms} * conversation.users;
  if (conversation.rooms < 1) throw Unsupported("a chat without a room; use rooms = 1 or more");
  if (conversation.users < 2) throw Unsupported("a room of one user; use users = 2 or more");
  if (conversation.messages < 1) throw Unsupported("no messages; use messages = 1 or more");
  if (users > most_users)
    throw Unsupported(std::to_string(users) + " users are more than there are ports; choose fewer rooms or users");
  return users;
}

std::string crowd(const Conversation& conversation) {
  return "chats of " + std::to_string(conversation.users) + " users in " + std::to_string(conversation.rooms) +
         " rooms";
}

// Everything that can be known before the first descriptor is opened.
const Conversation& checked(const Conversation& conversation, const ServerPlan& plan) {
  const std::size_t users = all_users(conversation);
  if (plan.queue < 1) throw Unsupported("a queue without room for a message; use queue = 1 or more");
  if (plan.by_events && plan.pool < 1) throw Unsupported("a server without a thread; use pool = 1 or more");
  const std::string who = crowd(conversation);
  const std::string smaller = "rooms or users";
  const std::size_t threads = plan.by_events ? 2 * users + plan.pool : 4 * users;
  require_descriptors(2 * users + 1 + (plan.by_events ? 2 : 0), who, smaller);
  require_threads(threads, who, smaller);
  const std::size_t buffers = users * (2 * sizeof(MessageBuffer) + plan.queue * sizeof(ChatMessage));
  require_memory(threads * ChatThreads::stack + buffers, threads * touched_by_thread + buffers, who, smaller);
  return conversation;
}

// The user says where it sits, the server answers with the same.
void enter_room(const Connection& connection, Seat seat) {
  ChatMessage request;
  request.kind = Kind::enter;
  request.room = seat.room;
  request.sender = seat.user;
  ChatMessage heard;
  send_message(connection.client->number(), request);
  const bool asked = MessageReader(connection.server->number()).next(heard);
  send_message(connection.server->number(), heard);
  const bool answered = asked && MessageReader(connection.client->number()).next(heard);
  if (!answered || heard.kind != Kind::enter || heard.room != seat.room || heard.sender != seat.user)
    throw std::runtime_error("user " + std::to_string(seat.user) + " could not enter room " +
                             std::to_string(seat.room));
}

std::unique_ptr<ChatServer> server_of(Course& course, std::uint32_t users, const ServerPlan& plan) {
  return plan.by_events ? epoll_server(course, users, plan.queue, plan.pool)
                        : threaded_server(course, users, plan.queue);
}

}  // namespace

ChatHall::ChatHall(const Conversation& conversation, const ServerPlan& plan)
    : conversation_(checked(conversation, plan)),
      server_(server_of(course_, conversation.users, plan)),
      threads_(course_) {
  try {
    connect_all(plan.sends_at_once);
    start_all();
  } catch (...) {
    end();
    throw;
  }
}

void ChatHall::connect_all(bool server_sends_at_once) {
  connections_.reserve(all_users(conversation_));
  for (std::uint32_t room = 0; room < conversation_.rooms; ++room)
    for (std::uint32_t user = 0; user < conversation_.users; ++user) {
      const Connection& made =
          connections_.emplace_back(listener_.connect({.client = true, .server = server_sends_at_once}));
      enter_room(made, {room, user});
      server_->add(made.server->number(), {room, user});
      users_.emplace_back(course_, conversation_, Seat{room, user}, made.client->number());
    }
}

void ChatHall::start_all() {
  server_->start();
  for (ChatUser& user : users_) {
    threads_.start([&user] { user.receive(); });
    threads_.start([&user] { user.send(); });
  }
}

Round ChatHall::run(const Stopwatch& watch) {
  const auto threads = static_cast<std::int64_t>(2 * users());
  course_.heard.start(threads, watch);
  course_.left.start(threads, watch);
  const std::int64_t from = watch.start();
  course_.talk.open();
  bool is_complete = course_.heard.wait();
  const std::int64_t to = course_.heard.stamp();
  course_.goodbye.open();
  is_complete = is_complete && course_.left.wait();
  if (!is_complete) {
    end();
    throw std::runtime_error(course_.failure());
  }
  return counted(watch.between(from, to));
}

Round ChatHall::counted(Nanoseconds elapsed) const {
  Round round{elapsed};
  for (const ChatUser& user : users_) {
    round.sent += user.sent();
    round.received += user.received();
  }
  return round;
}

// Waits for no thread that could hang. The users' ends are shut down, which wakes their threads, and closed, which
// resets the connections and so wakes the server's.
void ChatHall::end() {
  course_.end();
  for (ChatUser& user : users_) user.wake();
  for (const Connection& connection : connections_) ::shutdown(connection.client->number(), SHUT_RDWR);
  threads_.join();
  for (Connection& connection : connections_) connection.client.reset();
  server_->stop();
  connections_.clear();
}

}  // namespace assay
