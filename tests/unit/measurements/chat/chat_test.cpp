// SPDX-License-Identifier: Apache-2.0
// The chat over real connections: counts, faults of peers, limits, and what is left behind.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <vector>

#include "chat/hall.hpp"
#include "chat/message.hpp"
#include "limits/limits.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/programs/own_process.hpp"
#include "support/programs/workers.hpp"
#include "thread/threads.hpp"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Threads and descriptors of this process. One that was joined is in the task folder for a moment.
struct Belongings {
  std::size_t threads = threads_alive();
  std::size_t descriptors = descriptor_usage().used;
  ~Belongings() {
    EXPECT_TRUE(test::comes_true([this] { return threads_alive() == threads; }));
    EXPECT_EQ(descriptor_usage().used, descriptors);
  }
};

ServerPlan server_of(bool by_events, std::size_t queue = 64) {
  return {.by_events = by_events, .pool = 2, .queue = queue};
}

/// The sockets of the chat's server (or clients), by their ports.
std::vector<int> sockets_of(std::uint16_t port, bool servers) {
  std::vector<int> found;
  for (int number = 3; number < 256; ++number) {
    sockaddr_in own{};
    sockaddr_in peer{};
    socklen_t size = sizeof own;
    if (::getsockname(number, reinterpret_cast<sockaddr*>(&own), &size) != 0) continue;
    size = sizeof peer;
    if (::getpeername(number, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (ntohs(servers ? own.sin_port : peer.sin_port) == port) found.push_back(number);
  }
  return found;
}

/// Sockets that the kernel keeps after their connections with this port at either end (state 06).
int waiting_to_go(std::uint16_t port) {
  std::ifstream table("/proc/net/tcp");
  std::string line;
  char end[8];
  std::snprintf(end, sizeof end, ":%04X", port);
  int count = 0;
  while (std::getline(table, line)) count += line.find(end) != line.npos && line.find(" 06 ") != line.npos;
  return count;
}

TEST(Chat, SendsAndReceivesExactlyWhatIsOwedRoundAfterRound) {
  const Belongings before;
  for (const bool by_events : {false, true})
    for (const bool in_turns : {false, true}) {
      ChatHall hall({.rooms = 3, .users = 4, .messages = 5, .in_turns = in_turns}, server_of(by_events));
      for (int round = 0; round < 3; ++round) {
        const Round done = hall.run(Stopwatch());
        EXPECT_EQ(done.sent, 3U * 4 * 5);
        EXPECT_EQ(done.received, 3U * 4 * 5 * 3);
        EXPECT_GT(done.elapsed, Nanoseconds{});
      }
    }
}

TEST(Chat, GoesOnWithQueuesThatAreAlwaysFull) {
  const Belongings before;
  for (const bool by_events : {false, true}) {
    ChatHall hall({.rooms = 1, .users = 8, .messages = 400, .in_turns = false}, server_of(by_events, 1));
    EXPECT_EQ(hall.run(Stopwatch()).received, 8U * 7 * 400);
  }
}

TEST(Chat, TwoUsersAndOneMessageAreAChat) {
  ChatHall hall({.rooms = 1, .users = 2, .messages = 1, .in_turns = true}, server_of(false));
  EXPECT_EQ(hall.run(Stopwatch()).received, 2U);
}

TEST(Chat, LeavesNoConnectionsThatTheKernelHasToKeep) {
  std::uint16_t port = 0;
  {
    ChatHall hall({.rooms = 2, .users = 10, .messages = 2, .in_turns = false}, server_of(false));
    hall.run(Stopwatch());
    port = hall.port();
    EXPECT_EQ(sockets_of(port, true).size(), 20U);
  }
  EXPECT_EQ(waiting_to_go(port), 0);
}

TEST(Chat, EndsUnusedAsItEndsUsed) {
  const Belongings before;
  for (const bool by_events : {false, true})
    ChatHall({.rooms = 2, .users = 3, .messages = 1, .in_turns = true}, server_of(by_events));
}

/// What a round throws after `fault` has had the sockets; nothing is left afterwards.
std::string failure_after(bool by_events, bool of_server, const std::function<void(int)>& fault) {
  const Belongings before;
  ChatHall hall({.rooms = 1, .users = 3, .messages = 200, .in_turns = true}, server_of(by_events));
  hall.run(Stopwatch());
  fault(sockets_of(hall.port(), of_server).at(1));
  try {
    hall.run(Stopwatch());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

void write_message(int socket, const ChatMessage& message) { send_message(socket, message); }

TEST(Chat, ALostConnectionFailsTheRoundAndNothingHangs) {
  for (const bool by_events : {false, true})
    for (const bool of_server : {false, true})
      EXPECT_THAT(failure_after(by_events, of_server, [](int socket) { ::shutdown(socket, SHUT_RDWR); }),
                  testing::AnyOf(HasSubstr("closed"), HasSubstr("sending"), HasSubstr("receiving")));
}

TEST(Chat, AMessageNobodyIsOwedFailsTheRound) {
  ChatMessage stray;
  stray.room = 5;
  for (const bool by_events : {false, true}) {
    EXPECT_THAT(failure_after(by_events, true, [&](int socket) { write_message(socket, stray); }),
                HasSubstr("misrouted"));
    ChatMessage repeated;
    repeated.sender = 0;
    repeated.round = 1;
    repeated.sequence = 0;
    EXPECT_THAT(failure_after(by_events, true,
                              [&](int socket) {
                                write_message(socket, repeated);
                                write_message(socket, repeated);
                              }),
                HasSubstr("duplicated"));
  }
}

std::string refusal_of(const Conversation& conversation, const ServerPlan& plan = {}) {
  try {
    ChatHall hall(conversation, plan);
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

TEST(Chat, RefusesWhatIsNoChat) {
  EXPECT_THAT(refusal_of({.rooms = 0}), HasSubstr("rooms"));
  EXPECT_THAT(refusal_of({.users = 1}), HasSubstr("users"));
  EXPECT_THAT(refusal_of({.messages = 0}), HasSubstr("messages"));
  EXPECT_THAT(refusal_of({}, {.queue = 0}), HasSubstr("queue"));
  EXPECT_THAT(refusal_of({}, {.by_events = true, .pool = 0}), HasSubstr("pool"));
  EXPECT_THAT(refusal_of({.rooms = 4'000'000'000, .users = 4'000'000'000}), HasSubstr("fewer"));
}

TEST(ChatLimits, TooFewDescriptorsAreToldBeforeAnythingIsStarted) {
  EXPECT_EQ(test::in_own_process([] {
              test::limit(RLIMIT_NOFILE, 100);
              const Belongings before;
              EXPECT_THAT(refusal_of({.rooms = 10, .users = 20}),
                          AllOf(HasSubstr("401"), HasSubstr("100"), HasSubstr("-n")));
            }),
            0);
}

TEST(ChatLimits, TooFewProcessesAreToldBeforeAnythingIsStarted) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the superuser: a user of its own is to be limited";
  constexpr int nobody_else = 64'323;
  EXPECT_EQ(test::in_own_process([] {
              ASSERT_EQ(::setgid(nobody_else) + ::setuid(nobody_else), 0);
              test::limit(RLIMIT_NPROC, 50);
              EXPECT_THAT(refusal_of({.rooms = 1, .users = 20}),
                          AllOf(HasSubstr("80"), HasSubstr("50"), HasSubstr("-u")));
              EXPECT_EQ(refusal_of({.rooms = 1, .users = 4}), "");
            }),
            0);
}

TEST(ChatLimits, TooLittleAddressSpaceIsToldBeforeAnythingIsStarted) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer itself needs more than this limit allows";
  EXPECT_EQ(test::in_own_process([] {
              test::limit(RLIMIT_AS, rlim_t{address_usage().used + (std::size_t{20} << 20U)});
              EXPECT_THAT(refusal_of({.rooms = 10, .users = 20}),
                          AllOf(HasSubstr("-v"), HasSubstr("campaign.worker-memory")));
            }),
            0);
}

TEST(ChatRooms, ClaimsRateCountsAndSwitches) {
  const Belongings before;
  for (const char* server : {"threads", "epoll"}) {
    const auto one = test::run_named("chat/rooms", {},
                                     {{"rooms", std::int64_t{2}},
                                      {"users", std::int64_t{3}},
                                      {"messages", std::int64_t{4}},
                                      {"server", std::string(server)}},
                                     Reps{1});
    EXPECT_EQ(one.value("sent"), 24);
    EXPECT_EQ(one.value("received"), 48);
    EXPECT_DOUBLE_EQ(one.value("rate"), 72 / one.value("elapsed") * 1e9);
    EXPECT_GT(one.value("switches"), 0);
    EXPECT_GT(one.batch.members[0].voluntary, 0) << "the switches of the chat's threads are the member's";
  }
}

}  // namespace
}  // namespace assay
