// SPDX-License-Identifier: Apache-2.0
// A small program of fixed size, in whose place processes are made: what a fork costs grows with the process that
// forks. Usage: assay-child                  writes 12 bytes to standard output; this is what is executed
//        assay-child serve PARENT     makes the processes that are asked for through descriptor 3, until its other end
//                                     is closed or PARENT is gone
//        assay-child clean FOLDER     removes the folder and what is in it when the other end of 3 is closed
// Needs the C library only.
#include <dirent.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>

#include "process/ways.hpp"

namespace {

using assay::ProcessOrder;
using assay::ProcessReport;
using assay::ProcessWay;

constexpr char greeting[] = "hello world\n";
constexpr int not_executed = 127;
constexpr int wrong_use = 2;

/// What is executed.
struct Programs {
  char* self;
  char* command;  ///< of the shell
};

std::int64_t now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

int greet() {
  const auto written = ::write(STDOUT_FILENO, greeting, sizeof greeting - 1);
  if (written < 0 && errno == EBADF) return assay::nothing_open;
  return written == sizeof greeting - 1 ? 0 : 1;
}

[[noreturn]] void become_program(const Programs& programs) {
  ::close(STDOUT_FILENO);
  char* arguments[] = {programs.self, nullptr};
  ::execve(programs.self, arguments, environ);
  ::_exit(not_executed);
}

[[noreturn]] void become_shell(const Programs& programs) {
  static char name[] = "sh", option[] = "-c";
  ::close(STDOUT_FILENO);
  char* arguments[] = {name, option, programs.command, nullptr};
  ::execve("/bin/sh", arguments, environ);
  ::_exit(not_executed);
}

pid_t fork_exit(const Programs&) {
  const pid_t pid = ::fork();
  if (pid == 0) std::exit(assay::only_ended);
  return pid;
}

pid_t fork_exec(const Programs& programs) {
  const pid_t pid = ::fork();
  if (pid == 0) become_program(programs);
  return pid;
}

pid_t fork_shell(const Programs& programs) {
  const pid_t pid = ::fork();
  if (pid == 0) become_shell(programs);
  return pid;
}

pid_t vfork_exec(const Programs& programs) {
  const pid_t pid = ::vfork();
  if (pid == 0) become_program(programs);
  return pid;
}

pid_t spawned(const Programs& programs) {
  char* arguments[] = {programs.self, nullptr};
  posix_spawn_file_actions_t closing;
  ::posix_spawn_file_actions_init(&closing);
  ::posix_spawn_file_actions_addclose(&closing, STDOUT_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, programs.self, &closing, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&closing);
  errno = error;
  return error == 0 ? pid : -1;
}

// As fork, by the system call alone: the C library knows nothing of it, so that the child ends by a system call too.
pid_t cloned(const Programs&) {
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  const long pid = ::syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) ::_exit(assay::only_ended);
  return static_cast<pid_t>(pid);
}

/// In the order of ProcessWay.
struct Way {
  pid_t (*start)(const Programs&);
  int exit_status;
};
constexpr Way ways[] = {{fork_exit, assay::only_ended},    {fork_exec, assay::nothing_open},
                        {fork_shell, assay::nothing_open}, {vfork_exec, assay::nothing_open},
                        {spawned, assay::nothing_open},    {cloned, assay::only_ended}};

/// Makes a process and waits for its end; false, with the reason in the report, where it did not end as it should.
bool make_one(const Way& way, const Programs& programs, ProcessReport& report) {
  const pid_t pid = way.start(programs);
  if (pid < 0 || ::waitpid(pid, &report.status, 0) != pid) {
    report.error = errno;
    return false;
  }
  return WIFEXITED(report.status) && WEXITSTATUS(report.status) == way.exit_status;
}

ProcessReport make(const ProcessOrder& order, const Programs& programs) {
  const Way& way = ways[static_cast<int>(order.way)];
  ProcessReport report;
  if (!make_one(way, programs, report)) return report;  // untimed: after a sleep the first one takes longer
  const std::int64_t from = now();
  while (report.ended < order.count && make_one(way, programs, report)) ++report.ended;
  report.nanoseconds = now() - from;
  return report;
}

/// The path in quotes for a shell, whatever is in it; nothing where that is too long. On no heap: it would be forked
/// too.
char* quoted(const char* path) {
  static char text[4 * PATH_MAX];
  char* end = text;
  *end++ = '\'';
  for (; *path != '\0'; ++path) {
    if (end > std::end(text) - 8) return nullptr;
    if (*path == '\'') end = static_cast<char*>(std::memcpy(end, "'\\'", 3)) + 3;
    *end++ = *path;
  }
  *end++ = '\'';
  *end = '\0';
  return text;
}

int serve(char* self, const char* parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != std::atoi(parent)) return 0;  // gone before it was asked for
  ::fcntl(assay::child_descriptor, F_SETFD, FD_CLOEXEC);
  const Programs programs{self, quoted(self)};
  if (programs.command == nullptr) return 1;
  ProcessOrder order;
  while (::recv(assay::child_descriptor, &order, sizeof order, 0) == sizeof order) {
    const ProcessReport report = make(order, programs);
    if (::send(assay::child_descriptor, &report, sizeof report, MSG_NOSIGNAL) != sizeof report) return 1;
  }
  return 0;
}

/// Removes a folder with the files and folders in it, and returns 0 once it is gone. Names in it begin with no dot.
int remove_all(const char* folder) {
  if (::chdir(folder) != 0) return errno == ENOENT ? 0 : 1;
  DIR* const listing = ::opendir(".");
  if (listing == nullptr) return 1;
  while (const dirent* entry = ::readdir(listing))
    if (entry->d_name[0] != '.' && ::unlink(entry->d_name) != 0) remove_all(entry->d_name);
  ::closedir(listing);
  return ::chdir("..") == 0 && ::rmdir(folder) == 0 ? 0 : 1;
}

int clean(const char* folder) {
  char nothing;
  while (::recv(assay::child_descriptor, &nothing, sizeof nothing, 0) < 0 && errno == EINTR) continue;
  return remove_all(folder);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 1) return greet();
  if (count == 3 && std::strcmp(arguments[1], "serve") == 0) return serve(arguments[0], arguments[2]);
  if (count == 3 && std::strcmp(arguments[1], "clean") == 0) return clean(arguments[2]);
  return wrong_use;
}
