// SPDX-License-Identifier: Apache-2.0
// Limits and usage as getrlimit, /proc and the control group report them, and sentences about what there is no room for
// and who refused it.
#include "limits/limits.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "api/measurement.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::size_t soft_limit(int resource) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return unlimited;
  return static_cast<std::size_t>(limit.rlim_cur);
}

// Those of one process, from the entries of its task folder.
std::size_t threads_of(const fs::path& process) {
  struct stat tasks {};
  return ::stat((process / "task").c_str(), &tasks) == 0 && tasks.st_nlink > 2 ? tasks.st_nlink - 2 : 1;
}

std::size_t threads_of_user(std::size_t own) {
  const std::string own_name = std::to_string(::getpid());
  std::size_t threads = 0;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    struct stat owner {};
    if (name.find_first_not_of("0123456789") != name.npos || ::stat(entry->path().c_str(), &owner) != 0) continue;
    if (owner.st_uid != ::geteuid()) continue;
    threads += std::max(threads_of(entry->path()), name == own_name ? own : 0);
  }
  return threads;
}

// 0 for "max" and for a file that is not there.
std::size_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : 0;
}

// The folder of this process' control group: of the unified hierarchy, or of the one that counts processes.
std::string group_folder() {
  std::ifstream groups("/proc/self/cgroup");
  std::string unified;
  for (std::string line; std::getline(groups, line);) {
    if (const auto at = line.find(":pids:"); at != line.npos) return "/sys/fs/cgroup/pids" + line.substr(at + 6);
    if (line.starts_with("0::")) unified = "/sys/fs/cgroup" + line.substr(3);
  }
  return unified;
}

}  // namespace

Usage descriptor_usage() {
  std::error_code error;
  const fs::directory_iterator open("/proc/self/fd", error);
  const auto entries = error ? 0 : std::distance(open, fs::directory_iterator());
  return {soft_limit(RLIMIT_NOFILE),
          static_cast<std::size_t>(std::max<std::ptrdiff_t>(entries - 1, 0))};  // not our own
}

Usage thread_usage(std::size_t own) {
  const std::size_t limit = ::geteuid() == 0 ? unlimited : soft_limit(RLIMIT_NPROC);
  return limit == unlimited ? Usage{} : Usage{limit, threads_of_user(own)};
}

Usage group_usage() {
  const std::string folder = group_folder();
  const std::size_t limit = folder.empty() ? 0 : number_in(folder + "/pids.max");
  return limit == 0 ? Usage{} : Usage{limit, number_in(folder + "/pids.current")};
}

Usage address_usage() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return {soft_limit(RLIMIT_AS), pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))};
}

std::size_t memory_left() {
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("MemAvailable:")) return std::stoull(line.substr(line.find(':') + 1)) << 10U;
  return unlimited;
}

namespace {

/// Rounded up.
std::string whole_mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (std::size_t{1} << 20U) - 1) >> 20U) + " MiB";
}

std::string advice(const std::string& raise, const std::string& smaller) {
  return "; raise it (" + raise + "), or choose fewer " + smaller;
}

}  // namespace

void require_descriptors(std::size_t needed, const std::string& who, const std::string& smaller) {
  const Usage usage = descriptor_usage();
  if (needed <= usage.left()) return;
  throw Unsupported(who + " need " + std::to_string(needed) + " descriptors, and this process may have " +
                    std::to_string(usage.limit) + " (ulimit -n), " + std::to_string(usage.used) + " of them in use" +
                    advice("ulimit -n " + std::to_string(usage.used + needed), smaller));
}

void require_threads(std::size_t needed, const std::string& who, const std::string& smaller) {
  const Usage usage = thread_usage();
  if (needed <= usage.left()) return;
  throw Unsupported(who + " need " + std::to_string(needed) + " threads, and this user may have " +
                    std::to_string(usage.limit) + " processes and threads (ulimit -u), " + std::to_string(usage.used) +
                    " of them in use" + advice("ulimit -u " + std::to_string(usage.used + needed), smaller));
}

void require_memory(std::size_t needed, std::size_t touched, const std::string& who, const std::string& smaller) {
  const Usage space = address_usage();
  if (needed > space.left())
    throw Unsupported(who + " need " + whole_mebibytes(needed) + " of address space, and this process may have " +
                      whole_mebibytes(space.limit) + " (ulimit -v, campaign.worker-memory), " +
                      whole_mebibytes(space.used) + " of them in use" +
                      advice("ulimit -v " + std::to_string((space.used + needed) >> 10U), smaller));
  if (const std::size_t left = memory_left(); touched > left)
    throw Unsupported(who + " need " + whole_mebibytes(touched) + " of memory, and the system has " +
                      whole_mebibytes(left) + " left (MemAvailable); choose fewer " + smaller);
}

namespace {

constexpr std::size_t no_stack_is_larger = std::size_t{1} << 40U;

std::size_t default_stack() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_getstacksize(&attributes, &bytes);
  ::pthread_attr_destroy(&attributes);
  return bytes;
}

/// Rounded down.
std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

std::string address_text(const Usage& address, std::size_t stack) {
  return "the address space is limited to " + mebibytes(address.limit) + " (ulimit -v, worker-memory), of which " +
         mebibytes(address.used) + " are in use, and each stack takes " + mebibytes(stack) +
         ": lower stack or the number of threads, or raise the limit";
}

// Limits that leave room now, and may have left none when the thread was refused.
std::string met_only_then(const ThreadLimits& limits) {
  std::string text;
  if (limits.user.limit != unlimited) text += ", or the user's (" + std::to_string(limits.user.limit) + ", ulimit -u)";
  if (limits.group.limit != unlimited)
    text += ", or the control group's (" + std::to_string(limits.group.limit) + ", pids.max)";
  return text.empty() ? text : text + ", met for a moment";
}

std::string limit_text(const Refusal& refusal, const ThreadLimits& limits) {
  const std::size_t stack = refusal.stack != 0 ? refusal.stack : limits.stack;
  if (stack > no_stack_is_larger)
    return "no address space has room for a stack of " + mebibytes(stack) + ": lower stack";
  if (limits.address.left() < stack) return address_text(limits.address, stack);
  if (limits.group.left() == 0)
    return "the control group may have " + std::to_string(limits.group.limit) +
           " processes and threads (pids.max): ask for fewer threads at a time, or raise it";
  if (limits.user.left() == 0)
    return "this user may have " + std::to_string(limits.user.limit) +
           " processes and threads (ulimit -u): ask for fewer threads at a time, or raise it";
  return "a limit of the system, on threads (kernel.threads-max, kernel.pid_max), mappings (vm.max_map_count) or "
         "memory" +
         met_only_then(limits) + ": ask for fewer threads at a time or smaller stacks";
}

}  // namespace

ThreadLimits thread_limits(std::size_t alive) {
  return {thread_usage(alive), group_usage(), address_usage(), default_stack()};
}

std::string refusal_text(const Refusal& refusal, const ThreadLimits& limits) {
  std::string text = "the system refused a thread beside " + std::to_string(refusal.alive) + " others";
  if (refusal.creator != 0) text += " to creator " + std::to_string(refusal.creator);
  text += " (pthread_create: " + std::generic_category().message(refusal.error) + "); ";
  if (refusal.error == EPERM) return text + "its scheduling policy needs a permission: use scheduling = inherited";
  return text + limit_text(refusal, limits);
}

void refuse(const Refusal& refusal) { throw Unsupported(refusal_text(refusal, thread_limits(refusal.alive))); }

}  // namespace assay
