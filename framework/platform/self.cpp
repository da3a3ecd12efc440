// SPDX-License-Identifier: Apache-2.0
// A process and its own end.
#include "platform/self.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace assay {
int own_pid() noexcept { return static_cast<int>(getpid()); }

void end_with_last_word(int socket, std::string_view line, int leader) noexcept {
  // A lost word is better than a process that waits here for ever: its end alone tells the supervisor enough.
  [[maybe_unused]] const auto sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (leader != getpid()) kill(leader, SIGKILL);
  _exit(1);
}

void end_sending(int socket) noexcept { shutdown(socket, SHUT_WR); }

void close_on_exec(int descriptor) noexcept { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

}  // namespace assay
