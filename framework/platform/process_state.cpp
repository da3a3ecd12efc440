// SPDX-License-Identifier: Apache-2.0
// The state of a process, one reading for each part of it.
#include "platform/process_state.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <filesystem>
#include <system_error>

namespace assay {
namespace {

std::string cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return "not available";
  std::string text;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) text += (text.empty() ? "" : "+") + std::to_string(cpu);
  return text;
}

std::string blocked_signals() {
  sigset_t set;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &set);
  std::string text;
  for (int number = 1; number < NSIG; ++number)
    if (::sigismember(&set, number) == 1) text += (text.empty() ? "" : "+") + std::to_string(number);
  return text.empty() ? "none" : text;
}

std::string working_directory() {
  std::error_code error;
  const auto path = std::filesystem::current_path(error);
  return error ? "not available" : path.string();
}

std::string locale() {
  const char* name = std::setlocale(LC_ALL, nullptr);
  return name == nullptr ? "not available" : name;
}

std::string limits() {
  std::string text;
  for (int resource = 0; resource < static_cast<int>(RLIM_NLIMITS); ++resource) {
    rlimit limit{};
    ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
    text += (text.empty() ? "" : " ") + std::to_string(limit.rlim_cur);
  }
  return text;
}

std::string descriptor(int number) {
  struct stat status {};
  if (::fstat(number, &status) != 0) return "closed";
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

}  // namespace

ProcessState process_state() {
  ProcessState state{{"CPUs", cpus()},
                     {"blocked signals", blocked_signals()},
                     {"working directory", working_directory()},
                     {"locale", locale()},
                     {"limits", limits()}};
  for (int number = 0; number <= 3; ++number)
    state.emplace_back("descriptor " + std::to_string(number), descriptor(number));
  return state;
}

std::string changes_between(const ProcessState& before, const ProcessState& after) {
  std::string text;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i].second != after.at(i).second)
      text +=
          (text.empty() ? "" : ", ") + before[i].first + " (was " + before[i].second + ", is " + after[i].second + ")";
  return text;
}

}  // namespace assay
