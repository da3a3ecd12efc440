// SPDX-License-Identifier: Apache-2.0
// A look into every process's environment; a kill and another look, until nothing is found.
#include "platform/process/leftovers.hpp"

#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"
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

}  // namespace assay
