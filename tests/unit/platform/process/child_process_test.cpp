// SPDX-License-Identifier: Apache-2.0
// A shell in the worker's place: talked to, killed with all its descendants, and asked what it inherited; and how
// commands of the shell end.
#include <fcntl.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "platform/process/process.hpp"
#include "support/environment/scratch.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using Status = LineSocket::Status;

ChildProcess shell(const std::string& script, const std::vector<std::string>& environment = {}) {
  return ChildProcess({"/bin/sh", {"-c", script}, environment});
}

/// The next line that the process says; the status's number where there is none.
std::string said(ChildProcess& process) {
  std::string line;
  const Status status = process.socket().receive(line, std::nullopt);
  return status == Status::line ? line : "no line: " + std::to_string(static_cast<int>(status));
}

/// Whether any process of the group is left, zombies included.
bool group_exists(int group) { return ::kill(-group, 0) == 0 || errno != ESRCH; }

TEST(DescribeExit, InWords) {
  EXPECT_EQ(describe_exit(test::in_child([] { return 0; })), "exited 0");
  EXPECT_EQ(describe_exit(test::in_child([] { return 3; })), "exited 3");
  EXPECT_EQ(describe_exit(test::in_child([] { return ::raise(SIGKILL); })), "killed by SIGKILL");
  EXPECT_EQ(describe_exit(SIGSEGV), "killed by SIGSEGV");
  EXPECT_EQ(describe_exit(SIGABRT | 0x80), "killed by SIGABRT");  // the bit of a core file
  EXPECT_EQ(describe_exit(test::in_child([] { return ::raise(SIGRTMIN + 3); })),
            "killed by signal " + std::to_string(SIGRTMIN + 3));
}

TEST(ChildProcess, TalksOverDescriptor3) {
  ChildProcess process = shell("read line <&3; echo \"you said: $line\" >&3");
  EXPECT_TRUE(process.socket().send("hello"));
  EXPECT_EQ(said(process), "you said: hello");
  std::string line;
  EXPECT_EQ(process.socket().receive(line, std::nullopt), Status::closed);
}

TEST(ChildProcess, EndIsToldInWords) {
  ChildProcess process = shell("exit 3");
  std::string line;
  EXPECT_EQ(process.socket().receive(line, std::nullopt), Status::closed);
  // The socket closes before the process is a zombie, so that the kill may still come first.
  EXPECT_THAT(process.kill_group(), testing::AnyOf("exited 3", "killed by SIGKILL"));
}

TEST(ChildProcess, OwnDeathIsToldFromTheKill) {
  ChildProcess process = shell("exec 3<&-; exit 3");
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(process.pid()), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(process.kill_group(), "exited 3");
  EXPECT_EQ(process.kill_group(), "exited 3");
}

TEST(ChildProcess, HangingOneIsKilled) {
  ChildProcess process = shell("echo ready >&3; while :; do sleep 1000; done");
  EXPECT_EQ(said(process), "ready");
  EXPECT_EQ(process.kill_group(), "killed by SIGKILL");
  EXPECT_FALSE(group_exists(process.pid()));
}

TEST(ChildProcess, KillTakesEveryDescendantOfTheGroup) {
  ChildProcess process = shell("sh -c 'sleep 1000 & sleep 1000 & echo ready >&3; wait' & wait");
  EXPECT_EQ(said(process), "ready");
  EXPECT_EQ(process.kill_group(), "killed by SIGKILL");
  EXPECT_FALSE(group_exists(process.pid()));
}

TEST(ChildProcess, KillTakesDescendantsOfALeaderThatIsGone) {
  ChildProcess process = shell("sleep 1000 & echo ready >&3");
  EXPECT_EQ(said(process), "ready");
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(process.pid()), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(group_exists(process.pid()));
  EXPECT_EQ(process.kill_group(), "exited 0");
  EXPECT_FALSE(group_exists(process.pid()));
}

TEST(ChildProcess, DestructorKillsTheGroup) {
  int group = 0;
  {
    ChildProcess process = shell("sleep 1000 & echo ready >&3; wait");
    EXPECT_EQ(said(process), "ready");
    group = process.pid();
    EXPECT_TRUE(group_exists(group));
  }
  EXPECT_FALSE(group_exists(group));
}

TEST(ChildProcess, MovedOneIsKilledOnce) {
  ChildProcess first = shell("echo a line >&3; echo complaint >&2; echo more >&3; sleep 1000");
  EXPECT_EQ(said(first), "a line");
  const int group = first.pid();
  {
    ChildProcess second(std::move(first));
    EXPECT_EQ(second.pid(), group);
    EXPECT_EQ(said(second), "more");
    EXPECT_EQ(second.output(), "complaint\n");
    EXPECT_TRUE(group_exists(group));
  }
  EXPECT_FALSE(group_exists(group));
}

TEST(ChildProcess, KillIgnoredSignalsDoNotHelp) {
  ChildProcess process = shell("trap '' TERM INT HUP; echo ready >&3; while :; do :; done");
  EXPECT_EQ(said(process), "ready");
  EXPECT_EQ(process.kill_group(), "killed by SIGKILL");
}

TEST(ChildProcess, OutputIsKeptInItsOrder) {
  ChildProcess process = shell("echo result; echo complaint >&2; echo done >&3");
  EXPECT_EQ(said(process), "done");
  EXPECT_EQ(process.output(), "result\ncomplaint\n");
  process.kill_group();
  EXPECT_TRUE(process.output_closed());
  EXPECT_EQ(process.output(), "result\ncomplaint\n");
}

TEST(ChildProcess, SpamNeitherBlocksNorPilesUp) {
  ChildProcess process = shell("head -c 1000000 /dev/zero | tr '\\0' x; echo end >&2; echo done >&3");
  EXPECT_EQ(said(process), "done");
  const std::string output = process.output();
  EXPECT_LE(output.size(), OutputTail::most);
  EXPECT_THAT(output, testing::MatchesRegex("\\[9[0-9]* bytes before this were left out\\]\nx*xend\n"));
}

TEST(ChildProcess, OutputStaysOpenWhileSomebodyHasLeftTheGroup) {
  ChildProcess process = shell("setsid sh -c 'echo $$ >&3; exec sleep 1000' & wait");
  const int escaped = std::stoi(said(process));
  process.kill_group();
  EXPECT_FALSE(process.output_closed());
  ::kill(escaped, SIGKILL);
  ::waitpid(escaped, nullptr, 0);
  EXPECT_TRUE(process.output_closed());
}

TEST(ChildProcess, ShieldedOnesAreNotEndedByARequestBeforeTheyListen) {
  ChildProcess process({"/bin/sh", {"-c", "kill -TERM $$; kill -INT $$; echo here >&3; read -r line <&3"}, {}, true});
  EXPECT_EQ(said(process), "here");
}

TEST(ChildProcess, ChildrenAreReapedEvenIfOursAreIgnored) {
  EXPECT_EQ(test::exit_of_child([] {
              ::signal(SIGCHLD, SIG_IGN);
              ::signal(SIGPIPE, SIG_IGN);
              ChildProcess process = shell("exec 3<&-; exit 3");
              process.wait(seconds(60));
              return process.kill_group() == "exited 3" ? 0 : 1;
            }),
            0);
}

TEST(ChildProcess, InputIsEmpty) {
  ChildProcess process = shell("cat >&3; echo end >&3");
  EXPECT_EQ(said(process), "end");
}

TEST(ChildProcess, LeadsAGroupOfItsOwn) {
  ChildProcess process = shell("echo ready >&3; sleep 1000");
  EXPECT_EQ(said(process), "ready");
  EXPECT_EQ(::getpgid(process.pid()), process.pid());
}

TEST(ChildProcess, InheritsNoOtherDescriptor) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // not close-on-exec, as a shell may hand it down
  const int high = ::fcntl(leaked, F_DUPFD, 100);
  ChildProcess process = shell("for fd in /proc/$$/fd/*; do printf '%s ' ${fd##*/} >&3; done; echo >&3");
  const std::string list = said(process);
  EXPECT_EQ((" " + list).find(" " + std::to_string(high) + " "), std::string::npos) << list;
  EXPECT_THAT(" " + list, HasSubstr(" 0 1 2 3 "));
  ::close(leaked);
  ::close(high);
}

TEST(ChildProcess, StartsEvenWithStandardDescriptorsClosed) {
  EXPECT_EQ(test::exit_of_child([] {
              for (int descriptor = 0; descriptor < 32; ++descriptor) ::close(descriptor);
              ChildProcess process = shell("echo complaint >&2; echo hello >&3");
              if (said(process) != "hello") return 1;
              return process.output() == "complaint\n" ? 0 : 2;
            }),
            0);
}

TEST(ChildProcess, SignalsAreAsByDefault) {
  EXPECT_EQ(test::exit_of_child([] {
              ::signal(SIGTERM, SIG_IGN);
              sigset_t all;
              sigfillset(&all);
              ::sigprocmask(SIG_BLOCK, &all, nullptr);
              ChildProcess process = shell("kill -TERM $$; echo survived >&3");
              std::string line;
              if (process.socket().receive(line, std::nullopt) != Status::closed) return 1;
              siginfo_t info{};
              ::waitid(P_PID, static_cast<id_t>(process.pid()), &info, WEXITED | WNOWAIT);
              return process.kill_group() == "killed by SIGTERM" ? 0 : 2;
            }),
            0);
}

TEST(ChildProcess, EnvironmentIsExtendedAndReplaced) {
  ::setenv("ASSAY_TEST_OLD", "old", 1);
  ::setenv("ASSAY_TEST_KEPT", "kept", 1);
  ChildProcess process =
      shell("echo $ASSAY_TEST_OLD $ASSAY_TEST_KEPT $ASSAY_TEST >&3", {"ASSAY_TEST_OLD=replaced", "ASSAY_TEST=added"});
  EXPECT_EQ(said(process), "replaced kept added");
  // A second entry of the name would be the one that some programs read.
  ChildProcess counting =
      shell("tr '\\0' '\\n' </proc/$$/environ | grep -c ^ASSAY_TEST_OLD= >&3", {"ASSAY_TEST_OLD=new"});
  EXPECT_EQ(said(counting), "1");
  ::unsetenv("ASSAY_TEST_OLD");
  ::unsetenv("ASSAY_TEST_KEPT");
}

TEST(ChildProcess, MissingProgramIsAPlatformError) {
  try {
    ChildProcess process({"/no/such/program", {}, {}});
    FAIL() << "started";
  } catch (const PlatformError& error) {
    EXPECT_EQ(error.error_number(), ENOENT);
    EXPECT_THAT(error.what(), HasSubstr("/no/such/program"));
  }
}

TEST(ChildProcess, FailedStartsLeakNoDescriptor) {
  const int before = ::open("/dev/null", O_RDONLY);
  ::close(before);
  for (int i = 0; i < 10; ++i) EXPECT_THROW(ChildProcess({"/no/such/program", {}, {}}), PlatformError);
  const int after = ::open("/dev/null", O_RDONLY);
  ::close(after);
  EXPECT_EQ(before, after);
}

TEST(RunShell, SaysNothingWhenAllWentWell) { EXPECT_EQ(run_shell("true; echo shown nowhere", seconds(20)), ""); }

TEST(RunShell, TellsHowACommandFailed) {
  EXPECT_EQ(run_shell("echo no such governor >&2; echo at all >&2; exit 3", seconds(20)),
            "exited 3: no such governor at all");
  EXPECT_EQ(run_shell("kill -9 $$", seconds(20)), "killed by SIGKILL");
}

TEST(RunShell, EndsWhatPassesItsDeadline) {
  EXPECT_EQ(run_shell("sleep 1000", milliseconds(30)), "did not end before its deadline");
}

TEST(RunShell, EndsWhatTheCommandLeavesBehind) {
  const test::Scratch folder;
  const std::string file = folder / "pid";
  EXPECT_EQ(run_shell("sleep 1000 & echo $! > '" + file + "'", seconds(20)), "");
  EXPECT_EQ(run_shell("kill -0 $(cat '" + file + "') 2>/dev/null && exit 1; exit 0", seconds(20)), "");
}

}  // namespace
}  // namespace assay
