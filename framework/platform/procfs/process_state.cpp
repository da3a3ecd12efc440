// SPDX-License-Identifier: Apache-2.0
// The state of a process, one reading for each part of it.
#include "platform/procfs/process_state.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <clocale>
#include <string_view>

namespace assay {
namespace {

ProcessState::Numbers cpus() {
  ProcessState::Numbers bits;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return bits;
  for (std::size_t cpu = 0; cpu < bits.size(); ++cpu) bits.set(cpu, CPU_ISSET(cpu, &set));
  return bits;
}

ProcessState::Numbers blocked_signals() {
  ProcessState::Numbers bits;
  sigset_t set;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &set);
  for (int number = 1; number < NSIG; ++number)
    bits.set(static_cast<std::size_t>(number), ::sigismember(&set, number) == 1);
  return bits;
}

std::string working_directory() {
  std::array<char, PATH_MAX> path{};
  return ::getcwd(path.data(), path.size()) == nullptr ? std::string() : std::string(path.data());
}

std::vector<std::uint64_t> own_limits() {
  std::vector<std::uint64_t> all;
  for (int resource = 0; resource < static_cast<int>(RLIM_NLIMITS); ++resource) {
    rlimit limit{};
    ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
    all.push_back(limit.rlim_cur);
  }
  return all;
}

ProcessState::File file_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

std::string words(const std::string& text) { return text.empty() ? "not available" : text; }

std::string words(const ProcessState::Numbers& bits) {
  std::string text;
  for (std::size_t bit = 0; bit < bits.size(); ++bit)
    if (bits.test(bit)) text += (text.empty() ? "" : "+") + std::to_string(bit);
  return text.empty() ? "none" : text;
}

std::string words(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

std::string words(const ProcessState::File& file) {
  return file == ProcessState::File{} ? "closed" : std::to_string(file.device) + ":" + std::to_string(file.number);
}

}  // namespace

ProcessState process_state() {
  const char* const locale = std::setlocale(LC_ALL, nullptr);
  ProcessState state{cpus(), blocked_signals(), working_directory(), locale == nullptr ? "" : locale, own_limits(), {}};
  for (std::size_t number = 0; number < state.files.size(); ++number)
    state.files[number] = file_of(static_cast<int>(number));
  return state;
}

std::string changes_between(const ProcessState& before, const ProcessState& after) {
  std::string text;
  const auto compare = [&](std::string_view name, const auto& was, const auto& is) {
    if (was == is) return;
    if (!text.empty()) text += ", ";
    text += std::string(name) + " (was " + words(was) + ", is " + words(is) + ")";
  };
  compare("CPUs", before.cpus, after.cpus);
  compare("blocked signals", before.blocked, after.blocked);
  compare("working directory", before.working_directory, after.working_directory);
  compare("locale", before.locale, after.locale);
  compare("limits", before.limits, after.limits);
  for (std::size_t number = 0; number < before.files.size(); ++number)
    compare("descriptor " + std::to_string(number), before.files[number], after.files[number]);
  return text;
}

}  // namespace assay
