// SPDX-License-Identifier: Apache-2.0
// Room: whole commands timed side by side, without a campaign: `assay time`.
// A command that is run again and again, and how a run of it ended.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace assay {

/// What is run.
struct CommandPlan {
  std::vector<std::string> words{};  ///< program and arguments
  std::string input = "/dev/null";
  std::string output = "/dev/null";  ///< created or emptied by each run
  bool shows_output = false;         ///< both outputs are this process's own, in the place of `output`
};

/// What a run took, and how it ended.
struct CommandEnd {
  Nanoseconds wall{};
  Nanoseconds user{};
  Nanoseconds system{};
  double memory = 0;                 ///< largest resident set of one process, in bytes
  bool is_upper_bound = false;       ///< of `memory`: the child had no more, since what this process has is counted in
  std::optional<int> exit_code = 0;  ///< nothing where a signal ended it
  std::string ending{};              ///< "exited 3", "was killed by signal 9 (SIGKILL)"
  std::string errors{};              ///< the last lines of its error output in one line; only of runs that failed

  bool succeeded() const { return exit_code == 0; }
};

/// A command, found and ready: a test's idea of one, or a child process.
class RepeatedCommand {
 public:
  virtual ~RepeatedCommand() = default;
  /// One run, to its end. Throws Unsupported where it cannot be started.
  virtual CommandEnd run() = 0;
};

/// Finds a program. Throws Unsupported where there is none of that name.
using CommandMaker = std::function<std::unique_ptr<RepeatedCommand>(const CommandPlan& plan)>;

}  // namespace assay
