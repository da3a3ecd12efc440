// SPDX-License-Identifier: Apache-2.0
// Limits and usage as getrlimit, /proc and the control group report them.
#include "limits/usage.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

}  // namespace assay
