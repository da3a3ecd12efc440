// SPDX-License-Identifier: Apache-2.0
// Processes end as they should or are no number; nothing stays when the one that asked for them is killed.
#include "process/make.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "file/temporary.hpp"
#include "support/environment/scratch.hpp"
#include "support/measurements/one_batch.hpp"
#include "support/programs/own_process.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

std::string complaint(const ProcessReport& report) {
  try {
    require_ended(report, 5);
  } catch (const Unsupported& error) {
    return std::string("unsupported: ") + error.what();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 2000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

TEST(MadeProcesses, EndAsTheyShouldByEveryWay) {
  for (const char* how : process_ways) {
    const auto one = test::run_named("process/make", {}, {{"how", std::string(how)}}, Reps{3});
    EXPECT_GT(one.value("time"), 0) << how;
    // The small program's clock runs within this member's.
    EXPECT_LT(one.batch.members[0].claims[0], one.batch.members[0].wall.count) << how;
  }
}

TEST(MadeProcesses, AreAsManyAsAskedFor) {
  Child child({"serve", std::to_string(::getpid())}, ChildSession::shared);
  for (const std::int64_t count : {0, 1, 20})
    EXPECT_EQ(child.ask<ProcessReport>(ProcessOrder{ProcessWay::fork_exit, count}).ended, count);
}

TEST(MadeProcesses, OneThatDidNotEndAsItShouldIsNoNumber) {
  EXPECT_EQ(complaint({.ended = 5}), "");
  EXPECT_EQ(complaint({.ended = 2, .status = 127 << 8}), "process 3 of 5 ended with exit status 127");
  EXPECT_EQ(complaint({.ended = 0, .status = SIGKILL}), "process 1 of 5 was killed by signal 9");
  EXPECT_THAT(complaint({.ended = 4, .error = EAGAIN}), HasSubstr("unsupported: the system does not create process 5"));
}

/// What the processes of the small program's are told by their exit status, without it.
TEST(SmallProgram, SaysWhetherSomethingWasOpenToWriteTo) {
  const std::string program = child_program();
  const auto status_of = [&](bool is_open) {
    const int status = test::in_own_process([&] {
      is_open ? static_cast<void>(::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO))
              : static_cast<void>(::close(STDOUT_FILENO));
      ::execl(program.c_str(), program.c_str(), nullptr);
    });
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(status_of(false), nothing_open);
  EXPECT_EQ(status_of(true), 0);
}

TEST(SmallProgram, IsFoundWhateverIsInItsPathForAShell) {
  const test::Scratch scratch;
  const auto folder = scratch.path() / "it's a \"$(folder)\"";
  std::filesystem::create_directory(folder);
  const auto program = folder / "assay-child";
  std::filesystem::copy_file(child_program(), program);
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  const std::string parent = std::to_string(::getpid());
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (ends[1] == child_descriptor)
      ::fcntl(child_descriptor, F_SETFD, 0);
    else
      ::dup2(ends[1], child_descriptor);
    ::execl(program.c_str(), program.c_str(), "serve", parent.c_str(), nullptr);
    ::_exit(1);
  }
  const ProcessOrder order{ProcessWay::shell, 2};
  ASSERT_EQ(::send(ends[0], &order, sizeof order, 0), static_cast<ssize_t>(sizeof order));
  ProcessReport report;
  EXPECT_EQ(::recv(ends[0], &report, sizeof report, 0), static_cast<ssize_t>(sizeof report));
  EXPECT_EQ(report.ended, 2) << "status " << report.status;
  ::close(ends[0]);
  ::close(ends[1]);
  int status = -1;
  ::waitpid(pid, &status, 0);
}

TEST(SmallProgram, LeavesNothingWhenTheOneItWorksForIsKilled) {
  const test::Scratch scratch;
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const int status = test::in_own_process([&] {
    const TemporaryFolder folder(scratch.path().string());
    ::close(::openat(folder.descriptor(), "left", O_CREAT | O_WRONLY, 0666));
    ::mkdirat(folder.descriptor(), "inner", 0700);
    ::close(::openat(folder.descriptor(), "inner/left", O_CREAT | O_WRONLY, 0666));
    const Child child({"serve", std::to_string(::getpid())}, ChildSession::shared);
    const pid_t process = child.process();
    EXPECT_EQ(::write(ends[1], &process, sizeof process), static_cast<ssize_t>(sizeof process));
    ::raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  pid_t process = 0;
  ASSERT_EQ(::read(ends[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
  EXPECT_TRUE(comes_true([&] { return std::filesystem::is_empty(scratch.path()); }));
  // Gone, or a zombie that was not waited for where this container has no process to do so.
  EXPECT_TRUE(comes_true([&] {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(stat), {}};
    return text.empty() || text.find(") Z ") != std::string::npos;
  }));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace assay
