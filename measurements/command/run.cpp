// SPDX-License-Identifier: Apache-2.0
// Levels to child processes, and what became of them to claims; mkdtemp, a lock, and a look for folders without a
// holder of theirs.
#include "command/run.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/measurement.hpp"
#include "base/pattern.hpp"
#include "base/typed.hpp"
#include "base/value.hpp"
#include "file/temporary.hpp"

namespace assay {
namespace {

constexpr const char* prefix = "assay-scratch-";

/// A descriptor of the folder with the lock taken; -1 where another has it, or it is not ours.
int locked(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() && status.st_nlink > 0 &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return descriptor;
  ::close(descriptor);
  return -1;
}

void remove_tree(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

void remove_abandoned(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const int lock = locked(entry.path());
    if (lock < 0) continue;
    remove_tree(entry.path());
    ::close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const std::filesystem::path folder = temporary_folder();
  remove_abandoned(folder);
  for (int tries = 0; tries < 10; ++tries) {  // between the making and the lock another one may take it for abandoned
    std::string name = folder / (std::string(prefix) + "XXXXXX");
    if (::mkdtemp(name.data()) == nullptr)
      throw Unsupported("no folder can be made in " + folder.string() + ": " + std::generic_category().message(errno) +
                        "; set TMPDIR to one that can be written to");
    lock_ = locked(name);
    path_ = name;
    if (lock_ >= 0 && std::filesystem::exists(path_)) return;
    if (lock_ >= 0) ::close(lock_);
    remove_tree(name);
  }
  throw Unsupported("no folder in " + folder.string() + " can be locked; set TMPDIR to a local file system");
}

ScratchFolder::~ScratchFolder() {
  remove_tree(path_);
  ::close(lock_);
}

namespace {

constexpr std::string_view scratch_name = "scratch";

double bytes_in(long kibibytes) { return static_cast<double>(kibibytes) * 1024; }

bool names_scratch(const Setup& setup) {
  static constexpr const char* factors[] = {"command",     "prepare", "cleanup", "directory",
                                            "environment", "input",   "output"};
  return std::ranges::any_of(factors, [&](const char* factor) {
    return std::ranges::any_of(read_pattern(setup.word(factor)).names(),
                               [](const PatternPiece& name) { return name.text == scratch_name; });
  });
}

}  // namespace

struct CommandRun::Names {
  const Setup& setup;
  const ScratchFolder* scratch;

  std::string level(const std::string& name) const {
    if (name == scratch_name) return scratch->path();
    const Value& value = setup.value(name);
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr ? *word : to_text(value);
  }
  std::vector<std::string> words(const std::string& factor) const {
    const Pattern pattern = read_pattern(setup.word(factor));
    if (pattern.error) throw Unsupported(factor + ": " + pattern.error->what + "; " + pattern.error->remedy);
    return expand(pattern, [this](const std::string& name) { return level(name); });
  }
  std::string path(const std::string& factor) const {
    const auto found = words(factor);
    if (found.size() == 1) return found.front();
    throw Unsupported(factor + " is one path; put one with blanks in single quotes");
  }
};

CommandRun::CommandRun(Setup& setup)
    : scratch_(names_scratch(setup) ? std::make_unique<ScratchFolder>() : nullptr),
      exit_code_(setup.level<std::int64_t>("exit-code")),
      limit_{setup.level<double>("limit")} {
  const Names names{setup, scratch_.get()};
  prepare_ = program_for(names, "prepare");
  command_ = program_for(names, "command");
  cleanup_ = program_for(names, "cleanup");
  if (!command_) throw Unsupported("no command; write command = PROGRAM ARGUMENT...");
}

std::unique_ptr<TimedProgram> CommandRun::program_for(const Names& names, const std::string& factor) const {
  ProgramPlan plan;
  plan.words = names.words(factor);
  if (plan.words.empty()) return nullptr;
  plan.environment = names.words("environment");
  plan.directory = names.path("directory");
  plan.limit = limit_;
  if (factor == "command") {
    plan.input = names.path("input");
    plan.output = names.path("output");
  }
  return std::make_unique<TimedProgram>(std::move(plan));
}

Claims CommandRun::run(Member& member, Reps reps) {
  try {
    return run_all(member.stopwatch(), reps.count);
  } catch (...) {
    scratch_.reset();  // a worker that fails ends without destructors
    throw;
  }
}

Claims CommandRun::run_all(const Stopwatch& watch, std::int64_t reps) const {
  Nanoseconds wall_time{};
  double user_time = 0, system_time = 0, most_memory = 0, gave_way = 0, preempted = 0;
  for (std::int64_t i = 0; i < reps; ++i) {
    assist(prepare_, "preparation", watch);
    const ProgramEnd end = command_->run(watch);
    assist(cleanup_, "cleanup", watch);
    require_end(*command_, end, exit_code_, "command");
    wall_time += end.wall;
    user_time += end.user_time().count;
    system_time += end.system_time().count;
    most_memory = std::max(most_memory, end.memory());
    gave_way += static_cast<double>(end.usage.ru_nvcsw);
    preempted += static_cast<double>(end.usage.ru_nivcsw);
  }
  Claims claims(wall_time);
  claims.set(user, user_time).set(system, system_time).set(voluntary, gave_way).set(involuntary, preempted);
  if (most_memory > own_peak()) claims.set(memory, most_memory);
  return claims;
}

void CommandRun::assist(const std::unique_ptr<TimedProgram>& child, const std::string& role,
                        const Stopwatch& watch) const {
  if (child) require_end(*child, child->run(watch), 0, role);
}

void CommandRun::require_end(const TimedProgram& child, const ProgramEnd& end, std::int64_t expected,
                             const std::string& role) const {
  if (end.exit_code() == expected && !end.over_limit) return;
  std::string why = role + " '" + child.text() + "' ";
  why += end.over_limit ? "did not end within its limit of " + duration_text(limit_) + " and was killed"
                        : ending_of(end.status) + ", expected was exit code " + std::to_string(expected);
  if (const std::string errors = child.last_errors(); !errors.empty()) why += ": " + errors;
  throw std::runtime_error(why);
}

double own_peak() {
  std::ifstream status("/proc/self/status");
  constexpr std::string_view label = "VmHWM:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(label)) return bytes_in(std::strtol(line.c_str() + label.size(), nullptr, 10));
  return 0;
}

}  // namespace assay
