// SPDX-License-Identifier: Apache-2.0
// A process and its own end.
#include "platform/process/self.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace assay {
namespace {

/// True when the kernel says of another process that it is on its way out or gone, though perhaps not awaited. Its
/// descriptors are closed before the signal of its death comes, so that who talks to it learns of it by a failure.
bool is_ending(int pid) noexcept {
  std::array<char, 32> path{"/proc/"};
  *std::to_chars(path.data() + 6, path.data() + 20, pid).ptr = '\0';
  const std::string_view folder(path.data());
  constexpr std::string_view file = "/stat";
  file.copy(path.data() + folder.size(), file.size());
  const int stat = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (stat < 0) return false;
  std::array<char, 512> text;
  const auto size = ::read(stat, text.data(), text.size());
  close(stat);
  std::string_view rest(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  rest.remove_prefix(std::min(rest.rfind(')'), rest.size()));
  for (int field = 2; field < 9 && !rest.empty(); ++field)
    rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
  unsigned flags = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), flags);
  constexpr unsigned exiting = 0x4;  // PF_EXITING of the kernel
  return (flags & exiting) != 0;
}

}  // namespace

int own_pid() noexcept { return static_cast<int>(getpid()); }

void end_with_last_word(int socket, std::string_view line, int leader) noexcept {
  // What fails since the leader dies is no reason: how the leader ends is.
  if (leader != getpid() && is_ending(leader)) _exit(1);
  // A lost word is better than a process that waits here forever: its end alone is enough for the supervisor.
  [[maybe_unused]] const auto sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (leader != getpid()) kill(leader, SIGKILL);
  _exit(1);
}

void end_sending(int socket) noexcept { shutdown(socket, SHUT_WR); }

void close_on_exec(int descriptor) noexcept { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

}  // namespace assay
