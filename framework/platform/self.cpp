// SPDX-License-Identifier: Apache-2.0
// A process and its own end; the limits of the user, the control group and the process as procfs and sysfs tell them.
#include "platform/self.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "platform/cgroup.hpp"
#include "platform/process.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

std::size_t room(std::size_t limit, std::size_t used) { return limit > used ? limit - used : 0; }

std::size_t soft_limit(int resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return static_cast<std::size_t>(limit.rlim_cur);
}

/// Threads of all processes of the calling user.
std::size_t threads_of_user() {
  std::size_t threads = 0;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const auto pid = number_in(entry->path().filename().native());
    struct stat status {};
    if (!pid || stat(entry->path().c_str(), &status) != 0 || status.st_uid != geteuid()) continue;
    threads += static_cast<std::size_t>(std::max(1, thread_count(static_cast<int>(*pid))));
  }
  return threads;
}

std::size_t user_room() {
  const std::size_t limit = soft_limit(RLIMIT_NPROC);
  // The kernel does not hold the superuser to this limit.
  return limit == no_limit || geteuid() == 0 ? no_limit : room(limit, threads_of_user());
}

std::size_t group_room() {
  const auto threads = thread_room(own_cgroups());
  return threads ? static_cast<std::size_t>(*threads) : no_limit;
}

std::size_t open_descriptors() {
  std::error_code error;
  const fs::directory_iterator begin("/proc/self/fd", error);
  if (error == std::errc::too_many_files_open) return no_limit;
  return error ? 0 : static_cast<std::size_t>(std::distance(begin, fs::directory_iterator()));
}

}  // namespace

int own_pid() noexcept { return static_cast<int>(getpid()); }

void end_with_last_word(int socket, std::string_view line, int leader) noexcept {
  // A lost word is better than a process that waits here for ever: its end alone tells the supervisor enough.
  [[maybe_unused]] const auto sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (leader != getpid()) kill(leader, SIGKILL);
  _exit(1);
}

void end_sending(int socket) noexcept { shutdown(socket, SHUT_WR); }

void close_on_exec(int descriptor) noexcept { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

Headroom process_headroom() {
  return {std::min(user_room(), group_room()), room(soft_limit(RLIMIT_NOFILE), open_descriptors())};
}

}  // namespace assay
