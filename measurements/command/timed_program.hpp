// SPDX-License-Identifier: Apache-2.0
// A program run as a child process, timed from before it is started until it is reaped.
#pragma once
#include <spawn.h>
#include <sys/resource.h>

#include <optional>
#include <string>
#include <vector>

#include "api/stopwatch.hpp"
#include "base/units.hpp"

namespace assay {

/// What to run, all names in place.
struct ProgramPlan {
  std::vector<std::string> words{};        ///< program and arguments
  std::vector<std::string> environment{};  ///< NAME=VALUE, beside what is inherited
  std::string directory = ".";
  std::string input = "/dev/null";
  std::string output = "/dev/null";  ///< created or emptied by each run
  Nanoseconds limit{};               ///< after which the child's process group is killed; 0: none
  bool shows_output = false;         ///< it writes to what this process writes to, errors too; `output` is not used
  bool shares_group = false;  ///< it stays in this process' group: keys of a terminal end both; nothing is killed
};

/// How a run ended.
struct ProgramEnd {
  Nanoseconds wall{};  ///< from before posix_spawn to the return of wait4
  int status = 0;      ///< as of wait4
  bool over_limit = false;
  rusage usage{};  ///< of the child and of the children that it waited for

  Nanoseconds user_time() const;
  Nanoseconds system_time() const;
  double memory() const;                 ///< largest resident set of one process, in bytes
  std::optional<int> exit_code() const;  ///< nothing where a signal ended it
};

/// Runs one program again and again. Everything that can be prepared is: a run is posix_spawn, which shares the memory
/// of this process until the program begins (its size does not matter), and wait4. The child has a process group of its
/// own, an empty signal mask, no ignored signals, and its error output in a file without a name, that of its last run.
class TimedProgram {
 public:
  /// Finds the program: a bare name on the PATH of the child's environment, a name with a slash from its folder, only
  /// when it is run. Throws Unsupported where there is none, or the folder or input is missing.
  explicit TimedProgram(ProgramPlan plan);
  ~TimedProgram();
  TimedProgram(const TimedProgram&) = delete;
  TimedProgram& operator=(const TimedProgram&) = delete;

  /// One run; what it left in its process group has been killed when this returns. Throws Unsupported where the program
  /// cannot be started, or no limit can be kept.
  ProgramEnd run(const Stopwatch& watch);

  /// The command as text, for messages.
  std::string text() const;
  /// The last lines of the last run's error output in one line; empty where there was none.
  std::string last_errors() const;

 private:
  void prepare_actions();
  void wait_until(int process, ProgramEnd& end) const;

  ProgramPlan plan_;
  std::vector<std::string> environment_;
  std::vector<char*> arguments_list_;
  std::vector<char*> environment_list_;
  std::string program_;
  int errors_ = -1;
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// "exited 3", "was killed by signal 9".
std::string ending_of(int status);

}  // namespace assay
