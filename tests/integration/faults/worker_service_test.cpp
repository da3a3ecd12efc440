// SPDX-License-Identifier: Apache-2.0
// A worker served in a forked child: every failure is a reply, nothing hangs, and no process is left.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "platform/clock/system_clock.hpp"
#include "platform/process/process.hpp"
#include "platform/process/self.hpp"
#include "platform/thread/guard.hpp"
#include "run/protocol/messages.hpp"
#include "run/worker/visit.hpp"
#include "run/worker/worker.hpp"
#include "support/programs/worker_measurements.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A child process that serves the faulty registry.
class ServedWorker {
 public:
  ServedWorker() : socket_(-1) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      become_worker();
      ::_exit(serve_as_worker(testing_support::faulty_registry(), ends[1]));
    }
    ::close(ends[1]);
    socket_ = LineSocket(ends[0]);
  }
  ServedWorker(const ServedWorker&) = delete;
  ServedWorker& operator=(const ServedWorker&) = delete;
  ~ServedWorker() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
  }

  int pid() const { return pid_; }
  void send(const std::string& line) { socket_.send(line); }
  void send(const Request& request) { send(encode(request, ++requests_)); }
  /// The next reply; nothing when the worker is gone.
  std::optional<NumberedReply> receive() {
    std::string line;
    const auto status = socket_.receive(line, seconds(60));
    EXPECT_NE(status, LineSocket::Status::timeout) << "it hangs";
    if (status != LineSocket::Status::line) return std::nullopt;
    NumberedReply reply = decode_reply(line);
    // On a busy machine anything may take long enough for a sign of life.
    return std::holds_alternative<AliveMessage>(reply.reply) ? receive() : std::optional(std::move(reply));
  }
  template <class Answer>
  Answer ask(const Request& request) {
    send(request);
    const auto reply = receive();
    if (!reply) throw std::runtime_error("the worker is gone");
    if (reply->answers != requests_) throw std::runtime_error("a reply to another request");
    return std::get<Answer>(reply->reply);
  }
  void hang_up() { end_sending(socket_.descriptor()); }
  /// Waits for the end, which must come by itself.
  std::string ending() {
    std::string line;
    LineSocket::Status last;
    do last = socket_.receive(line, seconds(60));
    while (last == LineSocket::Status::line);
    EXPECT_EQ(last, LineSocket::Status::closed) << "it does not end";
    if (last != LineSocket::Status::closed) ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return describe_exit(status);
  }

 private:
  int pid_;
  LineSocket socket_;
  std::int64_t requests_ = 0;
};

OpenMessage open_message(const std::string& vehicle, int members) {
  OpenMessage open;
  open.measurement = "test/faulty";
  open.vehicle = vehicle;
  open.members = members;
  return open;
}

OpenMessage faulty(const std::string& vehicle, const std::string& fault, const std::string& where, int rank) {
  OpenMessage open = open_message(vehicle, 3);
  open.point.set("fault", fault);
  open.point.set("where", where);
  open.point.set("rank", std::int64_t{rank});
  return open;
}

constexpr VisitOrder small_visit{Reps{3}, 1, 1, 4, false, seconds(60)};

/// Passes once no descendant of this process, not even an orphan that came here, is left.
void expect_nobody_left() {
  const MonotonicClock clock;
  const Instant start = clock.now();
  while (!children_of(own_pid()).empty() && clock.now() - start < seconds(60)) ::waitpid(-1, nullptr, WNOHANG);
  EXPECT_THAT(children_of(own_pid()), testing::IsEmpty());
}

TEST(WorkerServiceTest, DescribesEverythingRegistered) {
  ServedWorker worker;
  const auto described = worker.ask<Described>(DescribeMessage{});
  ASSERT_EQ(described.measurements.size(), 1U);
  EXPECT_EQ(described.measurements[0].name, "test/faulty");
  EXPECT_EQ(described.measurements[0].factors.size(), 3U);
  worker.hang_up();
  EXPECT_EQ(worker.ending(), "exited 0");
}

class VehicleTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Both, VehicleTest, testing::Values("thread", "process"));

TEST_P(VehicleTest, ServesVisitsOneAfterTheOther) {
  for (const int members : {1, 2, 3}) {
    ServedWorker worker;
    OpenMessage open = open_message(GetParam(), members);
    open.warm_up = microseconds(1);
    const auto opened = worker.ask<Opened>(open);
    EXPECT_EQ(opened.process, worker.pid());
    EXPECT_TRUE(opened.cpus.empty());
    EXPECT_GE(opened.warm_up_reps, 1);
    EXPECT_EQ(opened.warm_up.count, 100.0 * static_cast<double>(opened.warm_up_reps));
    EXPECT_GT(opened.clock_step.count, 0);
    for (int visit = 0; visit < 3; ++visit) {
      const auto yield = worker.ask<VisitYield>(small_visit);
      EXPECT_EQ(yield.batches.size(), 5U);
      EXPECT_EQ(yield.discarded, 1);
      EXPECT_EQ(yield.batches.at(0).members.size(), static_cast<std::size_t>(members));
      EXPECT_EQ(yield.batches.at(0).members.at(0).claims[0], 300);
    }
    worker.hang_up();
    EXPECT_EQ(worker.ending(), "exited 0");
    expect_nobody_left();
  }
}

TEST_P(VehicleTest, OnlyMembersLiveInAParkedWorker) {
  const bool threads = GetParam() == "thread";
  for (const int members : {1, 2, 3}) {
    ServedWorker worker;
    worker.ask<Opened>(open_message(GetParam(), members));
    for (int visit = 0; visit < 2; ++visit) {
      EXPECT_EQ(thread_count(worker.pid()), threads ? members : 1);
      const auto children = children_of(worker.pid());
      EXPECT_EQ(children.size(), threads ? 0U : static_cast<std::size_t>(members - 1));
      for (const int child : children) EXPECT_EQ(thread_count(child), 1);
      worker.ask<VisitYield>(small_visit);
    }
  }
  expect_nobody_left();
}

TEST_P(VehicleTest, TheReferenceIsMeasuredWhereItIsAskedFor) {
  ServedWorker worker;
  worker.ask<Opened>(open_message(GetParam(), 2));
  VisitOrder order = small_visit;
  EXPECT_FALSE(worker.ask<VisitYield>(order).reference);
  order.reference = true;
  const auto yield = worker.ask<VisitYield>(order);
  ASSERT_TRUE(yield.reference);
  EXPECT_GT(yield.reference->count, 0);
}

TEST_P(VehicleTest, BindingsAreToldByRank) {
  const int cpu = binding_of_self().back();
  ServedWorker worker;
  OpenMessage open = open_message(GetParam(), 2);
  open.placement = {"explicit", {cpu, cpu}};
  EXPECT_THAT(worker.ask<Opened>(open).cpus, testing::ElementsAre(cpu, cpu));
  const auto yield = worker.ask<VisitYield>(small_visit);
  for (const MemberReport& member : yield.batches.at(0).members) EXPECT_EQ(member.cpu_after, cpu);
}

TEST_P(VehicleTest, ABindingThatIsRefusedIsAFailure) {
  ServedWorker worker;
  OpenMessage open = open_message(GetParam(), 2);
  open.placement = {"explicit", {0, 100000}};
  EXPECT_EQ(worker.ask<FailedMessage>(open).outcome, Outcome::failed);
  EXPECT_EQ(worker.ending(), "exited 1");
  expect_nobody_left();
}

TEST_P(VehicleTest, WhatHasNoMeaningIsTold) {
  ServedWorker worker;
  const auto failed = worker.ask<FailedMessage>(faulty(GetParam(), "unsupported", "construct", 0));
  EXPECT_EQ(failed.outcome, Outcome::not_applicable);
  EXPECT_EQ(failed.why, "cannot be had");
  EXPECT_EQ(failed.code, "N4");
  EXPECT_EQ(worker.ending(), "exited 1");
  expect_nobody_left();
}

TEST_P(VehicleTest, ExceptionsBeforeTheFirstBatchAreTold) {
  for (const char* where : {"construct", "enter"})
    for (const int rank : {0, 2})
      for (const char* fault : {"throw", "throw-int"}) {
        ServedWorker worker;
        const auto failed = worker.ask<FailedMessage>(faulty(GetParam(), fault, where, rank));
        EXPECT_EQ(failed.outcome, Outcome::failed) << where << rank;
        const char* reason = std::string(fault) == "throw" ? "on purpose" : "not a std::exception";
        EXPECT_THAT(failed.why, HasSubstr(reason)) << where << rank;
        EXPECT_EQ(worker.ending(), "exited 1");
        expect_nobody_left();
      }
}

TEST_P(VehicleTest, ExceptionsInABatchEndTheWorkerThoughOthersWaitForEver) {
  for (const int rank : {0, 1, 2})
    for (const char* fault : {"throw", "throw-int"}) {
      ServedWorker worker;
      worker.ask<Opened>(faulty(GetParam(), fault, "run", rank));
      worker.send(Request(small_visit));
      const auto reply = worker.receive();
      ASSERT_TRUE(reply) << rank;
      const auto& failed = std::get<FailedMessage>(reply->reply);
      EXPECT_EQ(failed.outcome, Outcome::failed);
      EXPECT_THAT(failed.why, StartsWith("member " + std::to_string(rank) + ": "));
      // The first member may learn of another's failure before it waits itself, and answers then.
      if (rank == 0 || reply->answers != last_word) {
        EXPECT_EQ(reply->answers, 2);
      }
      EXPECT_THAT(worker.ending(), testing::AnyOf("exited 1", "killed by SIGKILL"));
      expect_nobody_left();
    }
}

TEST_P(VehicleTest, ExceptionsInTheWarmUpAreTold) {
  for (const int rank : {0, 2}) {
    ServedWorker worker;
    OpenMessage open = faulty(GetParam(), "throw", "run", rank);
    open.warm_up = microseconds(1);
    worker.send(Request(open));
    const auto reply = worker.receive();
    ASSERT_TRUE(reply) << rank;
    EXPECT_THAT(std::get<FailedMessage>(reply->reply).why, HasSubstr("on purpose"));
    worker.ending();
    expect_nobody_left();
  }
}

TEST_P(VehicleTest, ADeadFirstMemberClosesTheSocket) {
  for (const auto& [fault, how] : {std::pair("exit", "exited 7"), std::pair("segv", "killed by SIGSEGV"),
                                   std::pair("abort", "killed by SIGABRT")}) {
    ServedWorker worker;
    worker.ask<Opened>(faulty(GetParam(), fault, "run", 0));
    worker.send(Request(small_visit));
    EXPECT_FALSE(worker.receive()) << fault;
    EXPECT_EQ(worker.ending(), how);
    expect_nobody_left();
  }
}

TEST_P(VehicleTest, ADeadOtherMemberEndsTheWorker) {
  for (const char* fault : {"exit", "segv", "abort"}) {
    ServedWorker worker;
    worker.ask<Opened>(faulty(GetParam(), fault, "run", 2));
    worker.send(Request(small_visit));
    const auto reply = worker.receive();
    // A thread takes the process along; a process leaves one that can tell.
    EXPECT_EQ(reply.has_value(), GetParam() == "process") << fault;
    const std::string why = reply ? std::get<FailedMessage>(reply->reply).why : "member 2: is gone with the process";
    EXPECT_THAT(why, StartsWith("member 2: ")) << fault;
    worker.ending();
    expect_nobody_left();
  }
}

TEST(WorkerServiceTest, EndOfFileAtOnceIsAnOrderlyEnd) {
  ServedWorker worker;
  worker.hang_up();
  EXPECT_EQ(worker.ending(), "exited 0");
}

/// What a fresh worker answers to a line, after which it has to end with code 1.
FailedMessage refusal(const std::vector<std::string>& lines) {
  ServedWorker worker;
  std::optional<NumberedReply> reply;
  for (const std::string& line : lines) {
    worker.send(line);
    reply = worker.receive();
    if (!reply) return {Outcome::open, "no reply", {}};
  }
  EXPECT_EQ(worker.ending(), "exited 1");
  return std::get<FailedMessage>(reply->reply);
}

TEST(WorkerServiceTest, MalformedRequestsAreRefused) {
  for (const char* line : {"", "nonsense", "{}", "[]", R"({"protocol":99,"number":1,"kind":"describe","body":{}})"})
    EXPECT_EQ(refusal({line}).outcome, Outcome::failed) << line;
}

TEST(WorkerServiceTest, RequestsInTheWrongOrderAreRefused) {
  EXPECT_THAT(refusal({encode(Request(small_visit), 1)}).why, HasSubstr("before anything is open"));
  const std::string open = encode(Request(open_message("thread", 1)), 1);
  EXPECT_THAT(refusal({open, open}).why, HasSubstr("opened twice"));
}

TEST(WorkerServiceTest, UnknownMeasurementsAndVehiclesAreRefused) {
  OpenMessage open = open_message("thread", 1);
  open.measurement = "test/nothing";
  EXPECT_THAT(refusal({encode(Request(open), 1)}).why, HasSubstr("test/nothing"));
  EXPECT_EQ(refusal({encode(Request(open_message("carrier-pigeon", 2)), 1)}).outcome, Outcome::unsupported);
}

TEST(WorkerServiceTest, TheCounterIsRefusedWhereItIsNotTrusted) {
  OpenMessage open = open_message("thread", 1);
  open.counter_clock = true;
  if (probe_counter().trusted) {
    ServedWorker worker;
    EXPECT_GT(worker.ask<Opened>(open).clock_step.count, 0);
    return;
  }
  const FailedMessage failed = refusal({encode(Request(open), 1)});
  EXPECT_EQ(failed.outcome, Outcome::unsupported);
  EXPECT_THAT(failed.why, HasSubstr("not trusted"));
}

TEST(WorkerServiceTest, ThePaddingIsTold) {
  ::setenv(padding_variable, std::string(160, 'x').c_str(), 1);
  ServedWorker worker;
  EXPECT_EQ(worker.ask<Opened>(open_message("thread", 1)).stack_padding, 160);
  ::unsetenv(padding_variable);
}

TEST(WorkerServiceTest, TheCopyOfItsLoopsIsTold) {
  ServedWorker worker;
  OpenMessage open = open_message("thread", 1);
  open.loop_copy = 3;
  EXPECT_EQ(worker.ask<Opened>(open).loop_copy, 3);
}

TEST(WorkerServiceTest, TheBystanderIsTheOnlyOtherThread) {
  ServedWorker worker;
  OpenMessage open = open_message("thread", 1);
  open.bystander = true;
  worker.ask<Opened>(open);
  EXPECT_EQ(thread_count(worker.pid()), 2);
}

}  // namespace
}  // namespace assay
