// SPDX-License-Identifier: Apache-2.0
// A process about itself and about others: the start of a worker, threads and children in procfs.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "platform/file/append_file.hpp"
#include "platform/file/descriptor.hpp"
#include "platform/process/process.hpp"
#include "platform/process/termination_signals.hpp"
#include "platform/procfs/procfs.hpp"

namespace assay {
namespace {

/// When memory runs out, the worker is to go, never its supervisor. Not vital: failing changes no result.
void volunteer_for_out_of_memory() {
  const Descriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score.value() >= 0) [[maybe_unused]]
    const auto written = ::write(score.value(), "1000", 4);
}

/// Never raises a limit: a lower one that was inherited stands.
void limit(int resource, rlim_t most) {
  rlimit now{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  now.rlim_cur = now.rlim_max = std::min(most, now.rlim_cur);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

void ignore(int signal_number) {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  ::sigaction(signal_number, &action, nullptr);
}

int leading_number(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// What follows `label` and white space in the text.
std::string_view after(std::string_view text, std::string_view label) {
  const std::size_t found = text.find(label);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + label.size());
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

}  // namespace

/// The parent's death before this call goes unnoticed by the kernel: hence the second look.
void die_with_parent() {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::raise(SIGKILL);
}

void become_worker(const WorkerLimits& limits) {
  die_with_parent();
  if (!limits.keep_cores) limit(RLIMIT_CORE, 0);
  volunteer_for_out_of_memory();
  ignore(SIGPIPE);
  sigset_t held_back;
  sigemptyset(&held_back);
  for (const int number : requests_to_end) {
    ignore(number);
    sigaddset(&held_back, number);
  }
  ::sigprocmask(SIG_UNBLOCK, &held_back, nullptr);
  if (limits.memory) limit(RLIMIT_AS, *limits.memory);
}

int thread_count(int pid) { return leading_number(after(process_file(pid, "status"), "\nThreads:")); }

std::vector<int> children_of(int pid) {
  std::vector<int> children;
  for (const int id : process_ids()) {
    const auto stat = process_stat(id);
    if (stat && stat->parent == pid && stat->state != 'Z' && stat->state != 'X') children.push_back(id);
  }
  return children;
}

}  // namespace assay
