// SPDX-License-Identifier: Apache-2.0
// A worker's life as its supervisor sees it, started by posix_spawn and ended as a whole group; and commands of the
// shell, which end the same way.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/file/descriptor.hpp"
#include "platform/process/leftovers.hpp"
#include "platform/process/process.hpp"
#include "platform/process/termination_signals.hpp"

namespace assay {
namespace {

constexpr int socket_in_child = 3;
constexpr Nanoseconds most_reaping = seconds(2);

/// Signals that end processes.
struct Named {
  int number;
  const char* name;
};
constexpr Named signals[] = {{SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                             {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},   {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"},
                             {SIGPIPE, "SIGPIPE"}, {SIGPROF, "SIGPROF"}, {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"},
                             {SIGSYS, "SIGSYS"},   {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGUSR1, "SIGUSR1"},
                             {SIGUSR2, "SIGUSR2"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};

/// A reading (or supervisor's) end and a writing (or child's) end.
struct Ends {
  Descriptor ours;
  Descriptor theirs;
};

/// The same file above the descriptors that are set up in the child, so that no step overwrites the source of a later
/// one.
Descriptor lifted(Descriptor low) {
  Descriptor high(::fcntl(low.value(), F_DUPFD_CLOEXEC, socket_in_child + 1));
  if (high.value() < 0) throw PlatformError("duplicating a descriptor for a child process", errno);
  return high;
}

Ends socket_pair() {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) throw PlatformError("socketpair", errno);
  Ends ends{Descriptor(pair[0]), Descriptor(pair[1])};
  ends.theirs = lifted(std::move(ends.theirs));
  return ends;
}

Ends output_pipe() {
  std::array<int, 2> pair{};
  if (::pipe2(pair.data(), O_CLOEXEC) != 0) throw PlatformError("pipe", errno);
  Ends ends{Descriptor(pair[0]), Descriptor(pair[1])};
  ::fcntl(ends.ours.value(), F_SETFL, O_NONBLOCK);
  ends.theirs = lifted(std::move(ends.theirs));
  return ends;
}

void check(int error, const std::string& what) {
  if (error != 0) throw PlatformError(what, error);
}

/// What happens to descriptors between fork and exec.
class FileActions {
 public:
  FileActions(int socket, int output) {
    check(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
    check(posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0), "opening /dev/null");
    duplicate(output, STDOUT_FILENO);
    duplicate(output, STDERR_FILENO);
    duplicate(socket, socket_in_child);
    check(posix_spawn_file_actions_addclosefrom_np(&actions_, socket_in_child + 1), "closing inherited descriptors");
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* value() const { return &actions_; }

 private:
  void duplicate(int from, int to) { check(posix_spawn_file_actions_adddup2(&actions_, from, to), "dup2"); }
  posix_spawn_file_actions_t actions_{};
};

/// Own process group, nothing blocked but what a shield holds back, every signal as by default.
class Attributes {
 public:
  explicit Attributes(bool shielded) {
    check(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    sigset_t blocked;
    sigset_t all;
    sigemptyset(&blocked);
    sigfillset(&all);
    if (shielded)
      for (const int number : requests_to_end) sigaddset(&blocked, number);
    posix_spawnattr_setsigmask(&attributes_, &blocked);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    const auto flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    check(posix_spawnattr_setflags(&attributes_, static_cast<short>(flags)), "posix_spawnattr_setflags");
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* value() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// Whether two entries "NAME=value" set the same name.
bool same_name(std::string_view a, std::string_view b) { return a.substr(0, a.find('=')) == b.substr(0, b.find('=')); }

/// The inherited environment with `extra` in it.
std::vector<std::string> merged_environment(const std::vector<std::string>& extra) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  for (const std::string& added : extra) {
    std::erase_if(entries, [&](const std::string& old) { return same_name(old, added); });
    entries.push_back(added);
  }
  return entries;
}

/// The texts as the array of pointers that exec takes; they must outlive it and are not written to.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

int spawn(const Launch& launch, const FileActions& actions) {
  std::vector<std::string> arguments = launch.arguments;
  arguments.insert(arguments.begin(), launch.program);
  std::vector<std::string> environment = merged_environment(launch.environment);
  const Attributes attributes(launch.shielded);
  pid_t pid = -1;
  check(::posix_spawn(&pid, launch.program.c_str(), actions.value(), attributes.value(), pointers(arguments).data(),
                      pointers(environment).data()),
        "starting '" + launch.program + "'");
  return pid;
}

/// Orphans of a group come to this process, and only so can their end be awaited. Who ignores SIGCHLD, as a parent may
/// have left it, has his children reaped by the kernel and never learns how they ended.
void be_a_parent() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  struct sigaction now {};
  if (::sigaction(SIGCHLD, nullptr, &now) != 0) return;
  if (now.sa_handler != SIG_IGN && (now.sa_flags & SA_NOCLDWAIT) == 0) return;
  ::signal(SIGCHLD, SIG_DFL);
}

/// How a group was reaped.
struct Reaped {
  std::optional<int> leader;  ///< its wait status
  bool all = false;
};

/// Reaps every child of ours in the group, which has been killed, for two seconds at most.
Reaped reap_group(int leader) {
  Reaped reaped;
  const MonotonicClock clock;
  const Instant start = clock.now();
  for (timespec pause{0, 20'000}; clock.now() - start < most_reaping;) {
    int status = 0;
    const pid_t pid = ::waitpid(-leader, &status, WNOHANG);
    if (pid == leader) reaped.leader = status;
    reaped.all = pid < 0 && errno != EINTR;
    if (reaped.all) return reaped;
    if (pid != 0) continue;
    ::nanosleep(&pause, nullptr);
    pause.tv_nsec = std::min(2 * pause.tv_nsec, 5'000'000L);
  }
  return reaped;
}

}  // namespace

std::string describe_exit(int wait_status) {
  if (WIFEXITED(wait_status)) return "exited " + std::to_string(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  const auto* const named = std::find_if(std::begin(signals), std::end(signals),
                                         [=](const Named& signal) { return signal.number == number; });
  return "killed by " + (named == std::end(signals) ? "signal " + std::to_string(number) : std::string(named->name));
}

ChildProcess::ChildProcess(const Launch& launch) : socket_(-1) {
  be_a_parent();
  Ends sockets = socket_pair();
  Ends pipe = output_pipe();
  const FileActions actions(sockets.theirs.value(), pipe.theirs.value());
  output_ = std::make_unique<OutputTail>(pipe.ours.release());
  socket_ = LineSocket(sockets.ours.release(), output_.get());
  pid_ = spawn(launch, actions);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::move(other.output_)),
      socket_(std::move(other.socket_)),
      ending_(std::move(other.ending_)),
      wait_status_(other.wait_status_),
      unkillable_(other.unkillable_) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) kill_group();
}

bool ChildProcess::wait(Nanoseconds patience) {
  constexpr timespec pause{0, 1'000'000};
  const auto has_ended = [&] {
    siginfo_t info{};
    const int error = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return error != 0 || info.si_pid != 0;
  };
  for (Nanoseconds waited{}; !has_ended(); waited += milliseconds(1)) {
    if (waited >= patience) return false;
    output_->drain();
    ::nanosleep(&pause, nullptr);
  }
  return true;
}

void ChildProcess::ask_to_end() const {
  if (ending_.empty()) ::kill(-pid_, SIGTERM);
}

void ChildProcess::send(int signal_number) noexcept {
  // Not reaped before kill_group: the id is still its own.
  if (pid_ > 0 && ending_.empty()) ::kill(pid_, signal_number);
}

std::string ChildProcess::kill_group() {
  if (!ending_.empty()) return ending_;
  // The unreaped leader keeps the group's id from being given away.
  ::kill(-pid_, SIGKILL);
  const Reaped reaped = reap_group(pid_);
  wait_status_ = reaped.leader;
  ending_ = wait_status_ ? describe_exit(*wait_status_) : "could not be killed";
  unkillable_ = !reaped.all;
  remove_queues(pid_);
  return ending_;
}

int ChildProcess::killed_by() const { return wait_status_ && WIFSIGNALED(*wait_status_) ? WTERMSIG(*wait_status_) : 0; }

std::string ChildProcess::output() {
  output_->drain();
  return output_->text();
}

bool ChildProcess::output_closed() {
  output_->drain();
  return output_->descriptor() < 0;
}

namespace {

/// The text in one line.
std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  return text;
}

}  // namespace

std::string run_shell(const std::string& command, Nanoseconds deadline) {
  // Only what it complains of is of interest.
  ChildProcess shell({"/bin/sh", {"-c", "exec >/dev/null\n" + command}, {}});
  const bool in_time = shell.wait(deadline);
  const std::string ending = shell.kill_group();
  if (in_time && shell.succeeded()) return {};
  const std::string errors = in_one_line(shell.output());
  return (in_time ? ending : "did not end before its deadline") + (errors.empty() ? "" : ": " + errors);
}

}  // namespace assay
