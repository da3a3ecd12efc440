// SPDX-License-Identifier: Apache-2.0
// Last words, half-closed sockets and the room for more processes.
#include "platform/process/self.hpp"
#include "platform/machine/limits.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/machine/cgroup.hpp"
#include "platform/process/process.hpp"

namespace assay {
namespace {

/// Both ends of a socket pair.
struct Pair {
  Pair() {
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) std::abort();
  }
  ~Pair() {
    for (const int end : ends) ::close(end);
  }
  std::string received() const {
    std::array<char, 100> text{};
    const auto length = ::recv(ends[0], text.data(), text.size(), MSG_DONTWAIT);
    return length < 0 ? "nothing" : std::string(text.data(), static_cast<std::size_t>(length));
  }
  std::array<int, 2> ends{};
};

std::string ending_of(int pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return describe_exit(status);
}

TEST(SelfTest, KnowsItsId) {
  EXPECT_EQ(own_pid(), ::getpid());
  const int child = ::fork();
  if (child == 0) ::_exit(own_pid() == ::getpid() ? 0 : 1);
  EXPECT_EQ(ending_of(child), "exited 0");
}

TEST(SelfTest, TheLastWordOfALeaderEndsIt) {
  const Pair pair;
  const int child = ::fork();
  if (child == 0) end_with_last_word(pair.ends[1], "farewell\n", own_pid());
  EXPECT_EQ(ending_of(child), "exited 1");
  EXPECT_EQ(pair.received(), "farewell\n");
}

TEST(SelfTest, TheLastWordOfAnotherKillsTheLeader) {
  const Pair pair;
  const int leader = ::fork();
  if (leader == 0) {
    const int own = own_pid();
    if (::fork() == 0) end_with_last_word(pair.ends[1], "farewell\n", own);
    for (;;) ::pause();
  }
  EXPECT_EQ(ending_of(leader), "killed by SIGKILL");
  EXPECT_EQ(pair.received(), "farewell\n");
}

TEST(SelfTest, NobodyHasALastWordOnALeaderThatIsEnding) {
  const Pair pair;
  const int leader = ::fork();
  if (leader == 0) ::_exit(3);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(leader), &ended, WEXITED | WNOWAIT), 0);
  const int child = ::fork();
  if (child == 0) end_with_last_word(pair.ends[1], "receiving: connection reset\n", leader);
  EXPECT_EQ(ending_of(child), "exited 1");
  ASSERT_EQ(::send(pair.ends[1], "silence\n", 8, 0), 8);
  EXPECT_EQ(pair.received(), "silence\n");
  EXPECT_EQ(ending_of(leader), "exited 3");
}

TEST(SelfTest, TheLastWordNeverWaits) {
  const Pair pair;
  const std::string filler(65536, 'x');
  while (::send(pair.ends[1], filler.data(), filler.size(), MSG_DONTWAIT) > 0) {
  }
  const int child = ::fork();
  if (child == 0) end_with_last_word(pair.ends[1], "farewell\n", own_pid());
  EXPECT_EQ(ending_of(child), "exited 1");
}

TEST(SelfTest, ALastWordToNobodyIsNoSignal) {
  Pair pair;
  ::shutdown(pair.ends[0], SHUT_RDWR);
  const int child = ::fork();
  if (child == 0) end_with_last_word(pair.ends[1], "farewell\n", own_pid());
  EXPECT_EQ(ending_of(child), "exited 1");
}

TEST(SelfTest, TheOtherSideCanStillAnswer) {
  const Pair pair;
  end_sending(pair.ends[1]);
  EXPECT_EQ(pair.received(), "") << "end of file";
  EXPECT_EQ(::send(pair.ends[0], "x", 1, MSG_NOSIGNAL), 1);
  char answer = 0;
  EXPECT_EQ(::recv(pair.ends[1], &answer, 1, MSG_DONTWAIT), 1);
  EXPECT_EQ(answer, 'x');
}

TEST(SelfTest, KeepsDescriptorsFromOtherPrograms) {
  const Pair pair;
  EXPECT_EQ(::fcntl(pair.ends[0], F_GETFD) & FD_CLOEXEC, 0);
  close_on_exec(pair.ends[0]);
  EXPECT_EQ(::fcntl(pair.ends[0], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(HeadroomTest, OpenDescriptorsTakeRoom) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{100, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::size_t room = process_headroom().descriptors;
  EXPECT_LT(room, 98U);
  EXPECT_GT(room, 0U);
  {
    const Pair pair;
    EXPECT_EQ(process_headroom().descriptors, room - 2);
  }
  const rlimit none{3, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_EQ(process_headroom().descriptors, 0U);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST(HeadroomTest, TheTightestControlGroupDecides) {
  namespace fs = std::filesystem;
  const fs::path mount = fs::path(testing::TempDir()) / ("threads." + std::to_string(own_pid()));
  const auto write = [&](const char* file, const char* text) {
    fs::create_directories((mount / file).parent_path());
    std::ofstream(mount / file) << text;
  };
  const CgroupView view{mount, "0::/a/b\n"};
  EXPECT_FALSE(thread_room(view));
  write("a/pids.max", "100\n");
  write("a/pids.current", "60\n");
  write("a/b/pids.max", "max\n");
  EXPECT_EQ(thread_room(view), 40);
  write("a/b/pids.max", "30\n");
  write("a/b/pids.current", "25\n");
  EXPECT_EQ(thread_room(view), 5);
  fs::remove_all(mount);
}

TEST(HeadroomTest, ThereIsRoomForAThread) { EXPECT_GT(process_headroom().threads, 0U); }

}  // namespace
}  // namespace assay
