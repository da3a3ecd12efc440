// SPDX-License-Identifier: Apache-2.0
// What a worker does to itself, and what procfs reports about threads and children.
#include <gmock/gmock-more-matchers.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "platform/file/append_file.hpp"
#include "platform/process/process.hpp"
#include "platform/process/program.hpp"
#include "platform/thread/shared_memory.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::Contains;
using testing::Not;

/// A child that sleeps until it is killed.
int sleeping_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::atomic<std::uint32_t> never{0};
    wait_while_equal(never, 0);
  }
  return child;
}

void end(int child) {
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(BecomeWorker, IgnoresTerminalAndSchedulerSignals) {
  EXPECT_EQ(test::exit_of_child([] {
              become_worker();
              for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE}) ::raise(number);
              return 0;
            }),
            0);
}

TEST(BecomeWorker, LeavesNoCore) {
  EXPECT_EQ(test::exit_of_child([] {
              become_worker();
              rlimit limit{1, 1};
              ::getrlimit(RLIMIT_CORE, &limit);
              return limit.rlim_cur == 0 && limit.rlim_max == 0 ? 0 : 1;
            }),
            0);
}

TEST(BecomeWorker, GoesFirstWhenMemoryRunsOut) {
  EXPECT_EQ(test::exit_of_child([] {
              become_worker();
              return read_file("/proc/self/oom_score_adj", 100) == "1000\n" ? 0 : 1;
            }),
            0);
}

TEST(BecomeWorker, DiesWithItsParent) {
  // The grandchild comes to this process when its parent is gone, and reports how it ended.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const int status = test::in_child([&] {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      become_worker();
      const pid_t self = ::getpid();
      if (::write(ready[1], &self, sizeof self) != sizeof self) ::_exit(1);
      const std::atomic<std::uint32_t> never{0};
      wait_while_equal(never, 0);
    }
    pid_t known = 0;
    if (::read(ready[0], &known, sizeof known) != sizeof known) return 1;
    return ::write(ready[1], &known, sizeof known) == sizeof known ? 0 : 2;
  });
  ASSERT_EQ(status, 0);
  pid_t grandchild = 0;
  ASSERT_EQ(::read(ready[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  int ending = 0;
  ASSERT_EQ(::waitpid(grandchild, &ending, 0), grandchild);
  EXPECT_EQ(describe_exit(ending), "killed by SIGKILL");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(OwnProgram, IsThisImage) {
  EXPECT_TRUE(std::filesystem::equivalent(own_program(), "/proc/self/exe"));
  EXPECT_EQ(own_program().front(), '/');
}

TEST(ThreadCount, CountsThreads) {
  const int before = thread_count(::getpid());
  EXPECT_GE(before, 1);
  std::atomic<std::uint32_t> word{0};
  std::thread second([&] { wait_while_equal(word, 0); });
  EXPECT_EQ(thread_count(::getpid()), before + 1);
  word = 1;
  wake_all(word);
  second.join();
}

TEST(ThreadCount, OfNobodyIsZero) {
  const int child = sleeping_child();
  EXPECT_EQ(thread_count(child), 1);
  end(child);
  EXPECT_EQ(thread_count(child), 0);
  EXPECT_EQ(thread_count(-1), 0);
}

TEST(ChildrenOf, ListsLiveChildren) {
  const int first = sleeping_child();
  const int second = sleeping_child();
  const auto children = children_of(::getpid());
  EXPECT_THAT(children, Contains(first));
  EXPECT_THAT(children, Contains(second));
  EXPECT_TRUE(std::is_sorted(children.begin(), children.end()));
  EXPECT_THAT(children_of(first), testing::IsEmpty());
  end(first);
  EXPECT_THAT(children_of(::getpid()), Not(Contains(first)));
  end(second);
}

TEST(ChildrenOf, ZombiesDoNotLive) {
  const int child = sleeping_child();
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_THAT(children_of(::getpid()), Not(Contains(child)));
  ::waitpid(child, nullptr, 0);
}

TEST(ChildrenOf, NameOfTheCommandDoesNotConfuse) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NAME, "a) S 1 (b");
    const std::atomic<std::uint32_t> never{0};
    wait_while_equal(never, 0);
  }
  test::await_sleep(child, child);
  EXPECT_THAT(children_of(::getpid()), Contains(child));
  end(child);
}

}  // namespace
}  // namespace assay
