// SPDX-License-Identifier: Apache-2.0
// A fork that keeps nothing of its parent but its code.
#include "platform/process/sentinel.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <set>
#include <stdexcept>

#include "base/error.hpp"
#include "platform/process/leftovers.hpp"
#include "platform/process/process.hpp"

namespace assay {
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
