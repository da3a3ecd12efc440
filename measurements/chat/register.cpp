// SPDX-License-Identifier: Apache-2.0
// Registers the chat.
#include "chat/groups.hpp"
#include "chat/hall.hpp"
#include "groups.hpp"

namespace assay {
namespace {

Factor words(const char* name, std::vector<std::string> levels, const char* summary) {
  return {.name = name, .standard = levels.front(), .words = levels, .summary = summary};
}

Factor number(const char* name, std::int64_t standard, const char* summary) {
  return {.name = name, .kind = FactorKind::quantitative, .standard = standard, .summary = summary};
}

Quantity of_round(const char* name, Unit unit, const char* summary) {
  return {.name = name, .unit = unit, .per = Per::batch, .summary = summary};
}

void add_groups(Registry& registry) {
  registry.add<ChatGroups>(
      {.name = "chat/groups",
       .summary = "Groups of threads, each sender of which writes to each receiver of its group (after hackbench).",
       .quantities = {of_round("elapsed", Unit::nanoseconds, "from the start until the last thread is done"),
                      of_round("rate", Unit::per_second, "messages by time"),
                      of_round("switches", Unit::ratio, "context switches of all threads per message")},
       .factors = {number("groups", 1, "independent groups"),
                   number("pairs", 20, "senders of a group, and as many receivers: a thread each"),
                   number("messages", 100, "messages of each sender to each receiver in a round"),
                   {.name = "bytes",
                    .kind = FactorKind::quantitative,
                    .unit = Unit::bytes,
                    .standard = std::int64_t{100},
                    .summary = "size of a message, 8 to 4096"},
                   words("through", {"socket", "pipe"}, "a pair of local stream sockets, or a pipe, per receiver")},
       .members = exactly(1),
       .traits = {.waiting = Waiting::blocks, .reps = {.least = Reps{1}, .most = Reps{1}}}});
}

}  // namespace

void register_chat(Registry& registry) {
  add_groups(registry);
  registry.add<ChatRooms>(
      {.name = "chat/rooms",
       .summary = "A chat server and its users in one process, over TCP on the loopback interface (after VolanoMark).",
       .quantities = {of_round("rate", Unit::per_second, "messages sent and received by all users, by time"),
                      of_round("elapsed", Unit::nanoseconds, "from the start until the last user is done"),
                      of_round("sent", Unit::count, "messages sent: rooms x users x messages"),
                      of_round("received", Unit::count, "messages received and checked: users - 1 for each one sent"),
                      of_round("switches", Unit::ratio, "context switches of all threads per message of the rate")},
       .factors = {number("rooms", 10, "independent rooms"),
                   number("users", 20, "users per room: a connection and two threads each"),
                   number("messages", 100, "messages that each user sends in a round"),
                   words("pacing", {"turn", "free"}, "one user of a room sends at a time, or all at once"),
                   words("server", {"threads", "epoll"}, "two threads per connection, or a pool over all of them"),
                   number("pool", 2, "threads of the server over epoll"),
                   number("queue", 64, "messages that the server queues for each connection"),
                   words("nodelay", {"both", "client"}, "which ends of a connection have TCP_NODELAY")},
       .members = exactly(1),
       .traits = {.waiting = Waiting::blocks, .reps = {.least = Reps{1}, .most = Reps{1}}}});
}

}  // namespace assay
