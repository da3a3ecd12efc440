// SPDX-License-Identifier: Apache-2.0
// System calls are as many as claimed, and what they return is looked at.
#include "os/system_call.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <sched.h>
#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "os/own_variable.hpp"
#include "support/environment/scratch.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/measurements/point_setup.hpp"
#include "work/around.hpp"

namespace assay {
namespace {

/// Calls of this kind ("syscr", "syscw") that this process has made, as the kernel counts them.
std::int64_t calls_counted(const std::string& kind) {
  std::ifstream file("/proc/self/io");
  std::string word;
  std::int64_t number = 0;
  while (file >> word >> number)
    if (word == kind + ":") return number;
  return -1;
}

Point calling(const char* call, const std::string& directory = "temporary") {
  Point point;
  point.set("call", std::string(call));
  point.set("directory", directory);
  return point;
}

struct CallAlone {
  std::atomic<std::int64_t> beats{0};
  Member member{0, 1, Stopwatch(), beats};
};

TEST(SystemCalls, AllRunAndReturnWhatTheyShould) {
  for (const std::string& call : SystemCall::words())
    EXPECT_GT(test::run_named("os/system_call", {}, {{"call", call}}, Reps{100}).value("time"), 0) << call;
}

TEST(SystemCalls, ReadsAndWritesAreAsManyAsRepetitions) {
  if (calls_counted("syscr") < 0) GTEST_SKIP() << "this kernel does not count calls (/proc/self/io)";
  CallAlone alone;
  for (const auto& [call, kind] : {std::pair{"read-zero", "syscr"}, std::pair{"write-null", "syscw"}}) {
    test::PointSetup setup(calling(call), 1);
    SystemCall measurement(setup);
    const std::int64_t before = calls_counted(kind);
    const std::int64_t of_looking = calls_counted(kind) - before;
    const std::int64_t from = calls_counted(kind);
    measurement.run(alone.member, Reps{500});
    EXPECT_EQ(calls_counted(kind) - from - of_looking, 500) << call;
  }
}

TEST(SystemCalls, ACallThatFailsIsNoNumber) {
  const test::Scratch scratch;
  CallAlone alone;
  for (const char* call : {"stat", "open-close"}) {
    test::PointSetup setup(calling(call, scratch.path().string()), 1);
    SystemCall measurement(setup);
    EXPECT_NO_THROW(measurement.run(alone.member, Reps{3}));
    for (const auto& folder : std::filesystem::directory_iterator(scratch.path()))
      std::filesystem::remove(folder.path() / "file");
    EXPECT_THROW(measurement.run(alone.member, Reps{3}), std::logic_error) << call;
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(SystemCalls, AFolderThatIsNotThereIsNamed) {
  test::PointSetup setup(calling("stat", "/nowhere/at/all"), 1);
  try {
    SystemCall measurement(setup);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/at/all"));
  }
}

class SystemCallsAtOnce : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Team, SystemCallsAtOnce, testing::Values("thread", "process"),
                         [](const auto& vehicle) { return vehicle.param; });

// A window in which each member ran: on a busy machine not every one is.
test::OneBatch window_of_all(const test::Crowd& crowd, const test::Levels& levels) {
  for (int window = 0;; ++window) {
    test::OneBatch one = test::run_named("os/system_call_contended", crowd, levels, Reps{1});
    const auto has_made = [](const MemberReport& member) { return member.claims.has(SystemCallContended::time); };
    if (window == 100 || std::ranges::all_of(one.batch.members, has_made)) return one;
  }
}

TEST_P(SystemCallsAtOnce, MembersCallOnTheirOwnOrOnOneObject) {
  for (const std::string& call : SystemCall::words())
    for (const std::string object : {"own", "shared"}) {
      if (object == "shared" && !SystemCall::has_object(call)) continue;
      SCOPED_TRACE(call + " " + object);
      const auto one = window_of_all({GetParam(), 2}, {{"call", call}, {"object", object}});
      EXPECT_GT(one.value("time"), 0);
      EXPECT_GT(one.value("rate"), 0);
      EXPECT_GE(one.value("fairness"), 0.5 - 1e-12);
      EXPECT_LE(one.value("fairness"), 1 + 1e-12);
      for (const MemberReport& member : one.batch.members) EXPECT_GT(member.claims[0], 0) << "each has made calls";
    }
}

TEST(SystemCallsOnOne, WhatTakesNoObjectHasNoneToShare) {
  EXPECT_THROW(test::run_named("os/system_call_contended", {}, {{"object", std::string("shared")}}, Reps{1}),
               Unsupported);
}

TEST(TimedAround, TheBaseLiesBetweenTheHalvesOfTheWhole) {
  class Counting final : public Clock {
   public:
    Instant now() const override { return {done}; }
    std::int64_t done = 0;
  } clock;
  std::atomic<std::int64_t> beats{0};
  const Member member(0, 1, Stopwatch::simulated(clock), beats);
  for (const auto& [reps, order] : {std::pair{1, "ba"}, std::pair{2, "abba"}, std::pair{5, "aabbbbbaaa"}}) {
    std::string done;
    const AroundTimes times = timed_around(
        member, Reps{reps},
        [&] {
          done += 'a';
          clock.done += 10;
        },
        [&] {
          done += 'b';
          clock.done += 3;
        });
    EXPECT_EQ(done, order);
    EXPECT_EQ(times.whole.count, 10 * reps);
    EXPECT_EQ(times.net().count, 7 * reps);
  }
}

TEST(OwnVariables, AreAddedToHoweverTheyAreFound) {
  for (const char* how : {"thread-local", "key", "common", "atomic"})
    EXPECT_GE(test::run_named("os/own_variable", {}, {{"how", std::string(how)}}, Reps{10000}).value("time"), 0) << how;
}

TEST(PerCpuCounters, CountEveryAdditionOrSayWhatIsMissing) {
  try {
    // Long enough to be interrupted.
    const auto one = test::run_named("os/own_variable", {}, {{"how", std::string("rseq")}}, Reps{50'000'000});
    EXPECT_GT(one.value("time"), 0);
  } catch (const Unsupported& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("restartable"));
  }
}

// A sequence that a signal interrupts begins again: else its addition would be lost.
TEST(PerCpuCounters, LoseNothingWhenSignalsInterrupt) {
  std::unique_ptr<PerCpuCounter> counter;
  try {
    counter = make_per_cpu_counter();
  } catch (const Unsupported& refusal) {
    GTEST_SKIP() << refusal.what();
  }
  static volatile std::sig_atomic_t signals = 0;
  signals = 0;
  const auto before = std::signal(SIGALRM, [](int) { signals = signals + 1; });
  constexpr itimerval often{.it_interval = {.tv_sec = 0, .tv_usec = 100}, .it_value = {.tv_sec = 0, .tv_usec = 100}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  CallAlone alone;
  constexpr Reps each{1'000'000};
  std::int64_t expected = 0;
  for (; signals < 300; expected += each.count) counter->add(alone.member, each);
  constexpr itimerval never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  std::signal(SIGALRM, before);
  EXPECT_EQ(counter->sum(), expected);
}

// Threads that are moved while they add: nothing is lost, though no addition is atomic.
TEST(PerCpuCounters, LoseNothingWhenThreadsChangeTheirCpus) {
  std::unique_ptr<PerCpuCounter> counter;
  try {
    counter = make_per_cpu_counter();
  } catch (const Unsupported& refusal) {
    GTEST_SKIP() << refusal.what();
  }
  constexpr Reps each{1'000};
  constexpr int rounds = 2'000;
  const std::vector<int> cpus = binding_of_self();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      std::atomic<std::int64_t> beats{0};
      const Member member(0, 1, Stopwatch(), beats);
      for (int round = 0; round < rounds; ++round) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpus[static_cast<std::size_t>(round) % cpus.size()], &one);
        ::sched_setaffinity(0, sizeof one, &one);
        counter->add(member, each);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter->sum(), 4 * rounds * each.count);
}

}  // namespace
}  // namespace assay
