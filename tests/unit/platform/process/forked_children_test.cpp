// SPDX-License-Identifier: Apache-2.0
// Children, word of their deaths, and silence from signals.
#include "platform/process/forked_children.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <thread>

#include "platform/process/process.hpp"

namespace assay {
namespace {

struct Log {
  std::array<std::array<char, 64>, 4> how{};
  std::atomic<int> deaths{0};
};

// Calls are made in a signal handler: the log is plain memory.
std::function<void(std::size_t, const char*)> into(Log& log) {
  return [&log](std::size_t index, const char* how) {
    std::strncpy(log.how.at(index).data(), how, 63);
    ++log.deaths;
  };
}

bool is_blocked(int signal) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

bool is_pending(int signal) {
  sigset_t now;
  sigpending(&now);
  return sigismember(&now, signal) == 1;
}

TEST(ForkedChildren, EachDeathIsToldOnceWithItsReason) {
  Log log;
  ForkedChildren children(into(log));
  children.start([] { return 0; });
  children.start([] { return 5; });
  children.start([] {
    raise(SIGKILL);
    return 0;
  });
  children.wait();
  children.wait();
  EXPECT_EQ(log.deaths, 3);
  EXPECT_STREQ(log.how[0].data(), "exited 0");
  EXPECT_STREQ(log.how[1].data(), "exited 5");
  EXPECT_STREQ(log.how[2].data(), "killed by SIGKILL");
}

TEST(ForkedChildren, WordOfADeathInterruptsTheParent) {
  Log log;
  ForkedChildren children(into(log));
  children.start([] { return 1; });
  while (log.deaths == 0) sched_yield();
  EXPECT_STREQ(log.how[0].data(), "exited 1");
}

TEST(ForkedChildren, TheirOwnThreadHearsOfADeathWhoeverGetsTheSignal) {
  std::atomic<pid_t> heard_by{0};
  std::atomic<bool> listening{false};
  std::atomic<bool> is_over{false};
  ForkedChildren children([&](std::size_t, const char*) { heard_by = gettid(); });
  {
    const SignalShield shield(SIGCHLD);  // only the other thread can be picked
    std::thread other([&] {
      sigset_t all;
      sigemptyset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
      listening = true;
      while (!is_over) sched_yield();
    });
    while (!listening) sched_yield();
    children.start([] { return 1; });
    while (!is_pending(SIGCHLD)) sched_yield();
    is_over = true;
    other.join();
    EXPECT_EQ(heard_by, 0);
  }
  EXPECT_EQ(heard_by, gettid());
}

TEST(ForkedChildren, SomebodyElsesWaitIsNoticed) {
  Log log;
  ForkedChildren children(into(log));
  {
    const SignalShield shield(SIGCHLD);
    children.start([] { return 1; });
    ::wait(nullptr);
  }
  children.wait();
  EXPECT_EQ(log.deaths, 1);
  EXPECT_NE(std::strstr(log.how[0].data(), "another process"), nullptr);
}

TEST(ForkedChildren, TheLivingAreKilledAtTheEnd) {
  Log log;
  {
    ForkedChildren children(into(log));
    for (int i = 0; i < 2; ++i)
      children.start([] {
        for (;;) pause();
        return 0;
      });
    EXPECT_EQ(children_of(getpid()).size(), 2U);
  }
  EXPECT_TRUE(children_of(getpid()).empty());
  EXPECT_EQ(log.deaths, 2);
}

TEST(ForkedChildren, AChildStartsWithTheHandlerAndMaskOfBefore) {
  Log log;
  ForkedChildren children(into(log));
  children.start([] {
    struct sigaction now {};
    sigaction(SIGCHLD, nullptr, &now);
    return now.sa_handler == SIG_DFL && !is_blocked(SIGCHLD) ? 7 : 8;
  });
  children.wait();
  EXPECT_STREQ(log.how[0].data(), "exited 7");
}

TEST(ForkedChildren, TheSignalIsLetThroughOnlyMeanwhile) {
  Log log;
  const SignalShield shield(SIGCHLD);
  {
    ForkedChildren children(into(log));
    EXPECT_FALSE(is_blocked(SIGCHLD));
  }
  EXPECT_TRUE(is_blocked(SIGCHLD));
}

TEST(SignalShield, KeepsAllOrOneAwayAndRestores) {
  {
    const SignalShield shield;
    EXPECT_TRUE(is_blocked(SIGTERM));
    EXPECT_TRUE(is_blocked(SIGCHLD));
  }
  {
    const SignalShield shield(SIGUSR1);
    EXPECT_TRUE(is_blocked(SIGUSR1));
    EXPECT_FALSE(is_blocked(SIGTERM));
  }
  EXPECT_FALSE(is_blocked(SIGUSR1));
}

}  // namespace
}  // namespace assay
