// SPDX-License-Identifier: Apache-2.0
// posix_spawn and wait4 with two clock reads around them.
#include "command/timed_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/measurement.hpp"

namespace assay {
namespace {

constexpr std::size_t most_errors = 400;  // bytes of error output in a message

std::string reason(int error) { return std::generic_category().message(error); }

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

std::vector<std::string> merged_environment(const std::vector<std::string>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::ranges::none_of(added, [&](const auto& one) { return name_of(one) == name_of(*entry); }))
      all.emplace_back(*entry);
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// The first on the path, found once: searching is no part of the task. Absolute, since the child changes its folder.
std::string program_of(const std::string& name, const std::vector<std::string>& environment) {
  if (name.find('/') != name.npos) return name;
  std::string_view path;
  for (const std::string& entry : environment)
    if (name_of(entry) == "PATH") path = std::string_view(entry).substr(5);
  while (!path.empty()) {
    const std::size_t length = std::min(path.find(':'), path.size());
    const std::string found = std::string(path.substr(0, length)) + "/" + name;
    if (is_program(found)) return std::filesystem::absolute(found);
    path.remove_prefix(std::min(length + 1, path.size()));
  }
  throw Unsupported("'" + name + "' is not on the path; install it, or write the path of the program");
}

void require(bool is_there, const std::string& what, const std::string& path) {
  if (!is_there) throw Unsupported(what + " '" + path + "' cannot be used: " + reason(errno));
}

void check(int error, const std::string& what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

Nanoseconds nanoseconds_in(const timeval& time) {
  return {(static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec)) * 1e3};
}

}  // namespace

Nanoseconds ProgramEnd::user_time() const { return nanoseconds_in(usage.ru_utime); }
Nanoseconds ProgramEnd::system_time() const { return nanoseconds_in(usage.ru_stime); }
double ProgramEnd::memory() const { return static_cast<double>(usage.ru_maxrss) * 1024; }

std::optional<int> ProgramEnd::exit_code() const {
  return WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

TimedProgram::TimedProgram(ProgramPlan plan)
    : plan_(std::move(plan)), environment_(merged_environment(plan_.environment)) {
  if (plan_.words.empty() || plan_.words.front().empty()) throw Unsupported("the command has no words");
  for (const std::string& entry : plan_.environment)
    if (entry.find('=') == entry.npos || entry.front() == '=')
      throw Unsupported("environment: '" + entry + "' is not of the form NAME=VALUE");
  program_ = program_of(plan_.words.front(), environment_);
  require(::access(plan_.directory.c_str(), X_OK) == 0, "the folder", plan_.directory);
  arguments_list_ = pointers(plan_.words);
  environment_list_ = pointers(environment_);
  errors_ = ::memfd_create("assay-errors", MFD_CLOEXEC);
  if (errors_ < 0) check(errno, "memfd_create");
  // Appending, it does not matter to the child that the file is emptied between two runs.
  ::fcntl(errors_, F_SETFL, O_APPEND);
  prepare_actions();
}

void TimedProgram::prepare_actions() {
  check(::posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
  check(::posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
  ::posix_spawn_file_actions_addchdir_np(&actions_, plan_.directory.c_str());
  ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, plan_.input.c_str(), O_RDONLY, 0);
  if (!plan_.shows_output) {
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, plan_.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0666);
    ::posix_spawn_file_actions_adddup2(&actions_, errors_, STDERR_FILENO);
  }
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  ::posix_spawnattr_setpgroup(&attributes_, 0);
  ::posix_spawnattr_setsigmask(&attributes_, &none);
  ::posix_spawnattr_setsigdefault(&attributes_, &all);
  const int group = plan_.shares_group ? 0 : POSIX_SPAWN_SETPGROUP;
  ::posix_spawnattr_setflags(&attributes_, static_cast<short>(group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
}

TimedProgram::~TimedProgram() {
  ::posix_spawn_file_actions_destroy(&actions_);
  ::posix_spawnattr_destroy(&attributes_);
  ::close(errors_);
}

ProgramEnd TimedProgram::run(const Stopwatch& watch) {
  check(::ftruncate(errors_, 0) == 0 ? 0 : errno, "ftruncate");
  ProgramEnd end;
  pid_t process = -1;
  const auto from = watch.start();
  const int error = ::posix_spawn(&process, program_.c_str(), &actions_, &attributes_, arguments_list_.data(),
                                  environment_list_.data());
  if (error == 0) wait_until(process, end);
  end.wall = watch.between(from, watch.stop());
  if (error != 0)
    throw Unsupported("'" + text() + "' cannot be started in folder '" + plan_.directory + "' with input '" +
                      plan_.input + "' and output '" + plan_.output + "': " + reason(error));
  if (!plan_.shares_group) ::kill(-process, SIGKILL);  // what it left running would run beside the next
  return end;
}

// With a limit the end is awaited by a descriptor of the process, which is two system calls more.
void TimedProgram::wait_until(int process, ProgramEnd& end) const {
  if (plan_.limit > Nanoseconds{}) {
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    const int refusal = descriptor < 0 ? errno : 0;
    const auto ns = static_cast<std::int64_t>(std::llround(plan_.limit.count));
    const timespec limit{ns / 1'000'000'000, ns % 1'000'000'000};
    pollfd ended{descriptor, POLLIN, 0};
    int ready = 0;
    do ready = refusal != 0 ? 0 : ::ppoll(&ended, 1, &limit, nullptr);
    while (ready < 0 && errno == EINTR);
    end.over_limit = ready == 0;
    if (end.over_limit) ::kill(-process, SIGKILL);
    if (descriptor >= 0) ::close(descriptor);
    if (refusal != 0) {
      ::waitpid(process, nullptr, 0);
      throw Unsupported("a limit cannot be enforced here (pidfd_open: " + reason(refusal) + "); leave it out");
    }
  }
  while (::wait4(process, &end.status, 0, &end.usage) < 0)
    if (errno != EINTR) check(errno, "wait4");
}

std::string TimedProgram::text() const {
  std::string all;
  for (const std::string& word : plan_.words) all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string TimedProgram::last_errors() const {
  struct stat status {};
  if (::fstat(errors_, &status) != 0 || status.st_size == 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string text(std::min(size, most_errors), '\0');
  const ssize_t got = ::pread(errors_, text.data(), text.size(), static_cast<off_t>(size - text.size()));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  // Whole lines, unless there is but one.
  if (const auto line_end = text.find('\n'); size > most_errors && line_end + 1 < text.size())
    text.erase(0, line_end + 1);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\t', ' ');
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at)) text.replace(at, 1, " / ");
  return text;
}

std::string ending_of(int status) {
  if (WIFEXITED(status)) return "exited " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  const char* name = ::sigabbrev_np(number);
  return "was killed by signal " + std::to_string(number) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

}  // namespace assay
