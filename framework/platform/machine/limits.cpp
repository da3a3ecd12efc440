// SPDX-License-Identifier: Apache-2.0
// The limits of the user, the control group, the process and the system as the kernel reports them.
#include "platform/machine/limits.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "platform/machine/cgroup.hpp"
#include "platform/process/process.hpp"
#include "platform/procfs/procfs.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::optional<std::size_t> size_in(std::string_view text) {
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
    const auto pid = size_in(entry->path().filename().native());
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

/// Bytes of address space that this process may still have.
std::size_t address_room() {
  const std::string sizes = process_file(static_cast<int>(getpid()), "statm");
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t limit = soft_limit(RLIMIT_AS);
  return limit == no_limit ? no_limit : room(limit, size_in(sizes).value_or(0) * page);
}

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

/// Address space that the stack of a thread takes, with its guard pages.
std::size_t bytes_of_stack() {
  const std::size_t stack = soft_limit(RLIMIT_STACK);
  constexpr std::size_t guard = std::size_t{64} << 10U;
  return (stack == no_limit ? std::size_t{2} << 20U : stack) + guard;
}

constexpr std::size_t absurd_stack = std::size_t{1} << 40U;

}  // namespace

Headroom process_headroom() {
  return {std::min(user_room(), group_room()), room(soft_limit(RLIMIT_NOFILE), open_descriptors())};
}

std::string thread_limit(std::size_t threads) {
  if (user_room() < threads)
    return "this user may have " + std::to_string(soft_limit(RLIMIT_NPROC)) + " processes and threads (ulimit -u)";
  if (group_room() < threads)
    return "the control group may have " + std::to_string(group_room()) + " more threads (pids.max)";
  if (bytes_of_stack() > absurd_stack) return "each stack is to have " + mebibytes(bytes_of_stack()) + " (ulimit -s)";
  if (address_room() / bytes_of_stack() < threads)
    return "the address space is limited to " + mebibytes(soft_limit(RLIMIT_AS)) +
           " (ulimit -v, campaign.worker-memory), and each stack takes " + mebibytes(bytes_of_stack()) + " (ulimit -s)";
  return "a limit of the system, on threads (kernel.threads-max, kernel.pid_max), mappings (vm.max_map_count) or "
         "memory";
}

std::string limit_behind(int error_number) {
  if (error_number == EMFILE)
    return "this process may have " + std::to_string(soft_limit(RLIMIT_NOFILE)) + " descriptors (ulimit -n)";
  if (error_number == ENFILE) return "the system has no more descriptors (fs.file-max)";
  return {};
}

std::optional<Nanoseconds> cpu_time_left() {
  const std::size_t limit = soft_limit(RLIMIT_CPU);
  if (limit == no_limit) return std::nullopt;
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::max(Nanoseconds{}, seconds(static_cast<double>(limit) - static_cast<double>(used.tv_sec)));
}

}  // namespace assay
