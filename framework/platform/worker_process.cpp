// SPDX-License-Identifier: Apache-2.0
// A process about itself and about others: the image it runs, the start of a worker, threads and children in procfs.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "base/error.hpp"
#include "platform/append_file.hpp"
#include "platform/descriptor.hpp"
#include "platform/process.hpp"

namespace assay {
namespace {

/// The parent's death before this call goes unnoticed by the kernel: hence the second look.
void die_with_parent() {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::raise(SIGKILL);
}

/// When memory runs out, the worker is to go, never its supervisor. Not vital: failing changes no result.
void volunteer_for_out_of_memory() {
  const Descriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score.value() >= 0) [[maybe_unused]]
    const auto written = ::write(score.value(), "1000", 4);
}

void ignore(int signal_number) {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  ::sigaction(signal_number, &action, nullptr);
}

int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// A file of procfs; empty when the process is gone.
std::string process_file(int pid, const char* name) {
  try {
    return read_file("/proc/" + std::to_string(pid) + "/" + name, std::size_t{1} << 20);
  } catch (const PlatformError&) {
    return {};
  }
}

/// What follows `label` and white space in the text.
std::string_view after(std::string_view text, std::string_view label) {
  const std::size_t found = text.find(label);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + label.size());
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

/// Whether the process lives and has that parent. The command's name, in parentheses, may hold anything.
bool is_live_child(int pid, int parent) {
  const std::string stat = process_file(pid, "stat");
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || name_end + 4 > stat.size()) return false;
  const char state = stat[name_end + 2];
  return state != 'Z' && state != 'X' && number_in(std::string_view(stat).substr(name_end + 4)) == parent;
}

}  // namespace

std::string own_program() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) throw PlatformError("readlink of /proc/self/exe", errno);
  std::string program(path.data(), static_cast<std::size_t>(length));
  return ::access(program.c_str(), X_OK) == 0 ? program : "/proc/self/exe";
}

void become_worker() {
  die_with_parent();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  volunteer_for_out_of_memory();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGPIPE}) ignore(number);
}

int thread_count(int pid) { return number_in(after(process_file(pid, "status"), "\nThreads:")); }

std::vector<int> children_of(int pid) {
  std::vector<int> children;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error))
    if (const int id = number_in(entry->path().filename().native()); id > 0 && is_live_child(id, pid))
      children.push_back(id);
  std::sort(children.begin(), children.end());
  return children;
}

}  // namespace assay
