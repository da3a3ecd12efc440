// SPDX-License-Identifier: Apache-2.0
// Descriptors of all processes, and the switches of the kernel's own recorders.
#include "platform/procfs/kernel_observers.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "platform/file/machine_files.hpp"
#include "platform/procfs/procfs.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_named = 3;

enum class Descriptors { none_counts, one_counts, hidden };

Descriptors look_at(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  if (error) return error == std::errc::permission_denied ? Descriptors::hidden : Descriptors::none_counts;
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (fs::read_symlink(entry->path(), gone) == "anon_inode:[perf_event]") return Descriptors::one_counts;
  }
  return Descriptors::none_counts;
}

/// Whether a process or one of its ancestors is this one.
bool is_own(const std::string& proc, int pid) {
  const int self = static_cast<int>(::getpid());
  for (int steps = 0; pid > 1 && steps < 64; ++steps) {
    if (pid == self) return true;
    const auto stat = parse_stat(trimmed_file_or(proc + std::to_string(pid) + "/stat", {}));
    if (!stat) return false;
    pid = stat->parent;
  }
  return false;
}

void add_recorders(const std::string& root, std::vector<std::string>& found) {
  if (trimmed_file_or(root + "/proc/sys/kernel/sched_schedstats", {}) == "1")
    found.emplace_back("the scheduler keeps statistics (kernel.sched_schedstats)");
  for (const std::string place : {"/sys/kernel/tracing/", "/sys/kernel/debug/tracing/"}) {
    const std::string tracer = trimmed_file_or(root + place + "current_tracer", {});
    if (tracer.empty()) continue;
    if (tracer != "nop") found.push_back("the tracer '" + tracer + "' is on");
    const std::string events = trimmed_file_or(root + place + "events/enable", {});
    if (events == "1" || events == "X") found.emplace_back("events are traced (" + place + "events)");
    return;
  }
}

}  // namespace

KernelObservers kernel_observers(const std::string& root) {
  KernelObservers observers;
  const std::string proc = root + "/proc/";
  for (const int pid : process_ids(root)) {
    const std::string folder = proc + std::to_string(pid);
    const Descriptors seen = look_at(folder + "/fd");
    if (seen == Descriptors::hidden) ++observers.hidden;
    if (seen != Descriptors::one_counts || is_own(proc, pid)) continue;
    std::string name = trimmed_file_or(folder + "/comm", {});
    // Anyone may give a process any name.
    std::ranges::replace_if(
        name, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
    observers.found.push_back((name.empty() ? "a process" : name) + " (" + std::to_string(pid) +
                              ") counts performance events");
  }
  add_recorders(root, observers.found);
  return observers;
}

std::string to_text(const KernelObservers& observers) {
  std::string text;
  const std::size_t named = std::min(observers.found.size(), most_named);
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i + 1 == named && named == observers.found.size();
    text += (i == 0 ? "" : is_last ? ", and " : ", ") + observers.found[i];
  }
  if (observers.found.size() > named) text += ", and " + std::to_string(observers.found.size() - named) + " more";
  return text;
}

}  // namespace assay
