// SPDX-License-Identifier: Apache-2.0
// A look into every process's environment; a kill and another look, until nothing is found.
// The process that waits to do so is a fork that keeps nothing of its parent but its code.
#include "platform/process/leftovers.hpp"

#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
#include "platform/process/process.hpp"
#include "platform/procfs/procfs.hpp"

namespace assay {

void remove_queues(int pid) noexcept {
  constexpr int most = 64;  // names are taken in order, and given back at once: one exists at a time
  for (int number = 0; number < most; ++number) {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "/assay-%d-%d", pid, number);
    if (::mq_unlink(name.data()) != 0 && errno == ENOENT) return;
  }
}

namespace {

/// Whether an environment, entries that each end in NUL, holds an entry that is `wanted`, or begins with it.
bool holds(std::string_view environment, std::string_view wanted, bool as_prefix) {
  while (!environment.empty()) {
    const std::string_view entry = environment.substr(0, environment.find('\0'));
    if (as_prefix ? entry.starts_with(wanted) : entry == wanted) return true;
    environment.remove_prefix(std::min(entry.size() + 1, environment.size()));
  }
  return false;
}

bool is_alive(int pid) {
  const auto stat = process_stat(pid);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

std::string name_of(int pid) {
  const auto stat = process_stat(pid);
  return (stat ? stat->name : "?") + " (process " + std::to_string(pid) + ")";
}

}  // namespace

std::string new_run_tag() {
  std::string tag = read_file("/proc/sys/kernel/random/uuid", 100);
  while (!tag.empty() && tag.back() == '\n') tag.pop_back();
  return tag;
}

std::vector<int> processes_marked(const std::string& mark, bool any_worker) {
  const std::string entry = std::string(run_variable) + "=" + mark + (any_worker ? "." : "");
  std::vector<int> found;
  for (const int pid : process_ids())
    if (pid != ::getpid() && holds(process_file(pid, "environ"), entry, any_worker) && is_alive(pid))
      found.push_back(pid);
  return found;
}

std::vector<std::string> end_marked(const std::string& mark, bool any_worker) {
  constexpr timespec pause{0, 5'000'000};
  std::vector<std::string> names;
  for (int looks = 0; looks < 200; ++looks) {
    const std::vector<int> marked = processes_marked(mark, any_worker);
    if (marked.empty()) break;
    for (const int pid : marked) {
      const std::string name = name_of(pid);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      ::kill(pid, SIGKILL);
    }
    ::nanosleep(&pause, nullptr);
    for (const int pid : marked) ::waitpid(pid, nullptr, WNOHANG);
  }
  return names;
}

namespace {

constexpr int kept = 3;  ///< the descriptor of the socket in the sentinel

/// Holds nothing open that others wait for the end of, and no directory; hears no signal that was meant for others.
void leave_everything(int socket) {
  ::setsid();
  ::prctl(PR_SET_NAME, "assay-sentinel");
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  ::dup2(socket, kept);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, standard);
  ::close_range(kept + 1, ~0U, 0);
  [[maybe_unused]] const int moved = ::chdir("/");
}

/// A positive number adds a group, a negative one takes it away.
std::set<int> groups_at_the_end() {
  std::set<int> groups;
  for (;;) {
    int said = 0;
    const ssize_t count = ::recv(kept, &said, sizeof said, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count != sizeof said) return groups;
    if (said > 0)
      groups.insert(said);
    else
      groups.erase(-said);
  }
}

[[noreturn]] void stand_guard(int socket, const std::string& tag) {
  leave_everything(socket);
  [[maybe_unused]] const auto said = ::send(kept, "", 1, MSG_NOSIGNAL);
  const std::set<int> groups = groups_at_the_end();
  for (const int group : groups) ::kill(-group, SIGKILL);
  end_marked(tag, true);
  // They have ended by now, and no other process has their names.
  for (const int worker : groups) remove_queues(worker);
  ::_exit(0);
}

void tell(int socket, int what) noexcept {
  // A sentinel that is gone or does not listen is no reason to wait: workers still die with their parent.
  [[maybe_unused]] const auto sent = ::send(socket, &what, sizeof what, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

Sentinel::Sentinel(const std::string& tag) {
  if (const int threads = thread_count(::getpid()); threads > 1)
    throw std::logic_error("a sentinel in a process of " + std::to_string(threads) + " threads");
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0)
    throw PlatformError("socketpair", errno);
  socket_ = Descriptor(pair[0]);
  Descriptor theirs(pair[1]);
  pid_ = ::fork();
  if (pid_ < 0) throw PlatformError("fork", errno);
  if (pid_ == 0) stand_guard(theirs.value(), tag);
  theirs.close();
  // It holds nothing of this process any more once it has said so.
  char ready = 0;
  [[maybe_unused]] const auto heard = ::recv(socket_.value(), &ready, sizeof ready, 0);
}

Sentinel::~Sentinel() {
  socket_.close();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Sentinel::watch(int group) noexcept { tell(socket_.value(), group); }

void Sentinel::forget(int group) noexcept { tell(socket_.value(), -group); }

}  // namespace assay
