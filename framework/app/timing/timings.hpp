// SPDX-License-Identifier: Apache-2.0
// What was measured of commands, run by run.
#pragma once
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/sample.hpp"

namespace assay {

/// Samples of times are in milliseconds, so that reasons of verdicts read well.
inline constexpr double ns_in_ms = 1e6;
/// 1 - confidence of all intervals.
inline constexpr double times_alpha = 0.05;

/// One run that counts. Times are less the shell's start.
struct TimedRun {
  int round = 0;
  Nanoseconds wall{};
  Nanoseconds user{};
  Nanoseconds system{};
  double memory = 0;  ///< bytes
  bool is_upper_bound = false;
  std::optional<int> exit_code = 0;
};

/// What was measured of a command.
struct CommandTimes {
  std::vector<TimedRun> runs;
  Sample walls;          ///< in milliseconds, each run a visit of its own
  Nanoseconds spent{};   ///< of its runs and their preparation, the shell's start included
  Verdict verdict;       ///< of the framework's rule, at its last interim analysis
  Nanoseconds judged{};  ///< what was spent by then
};

/// The start of the shell, which is part of every run of a command in it.
struct ShellStart {
  Estimate wall{};  ///< in milliseconds
  Nanoseconds user{};
  Nanoseconds system{};
};

/// Everything that was measured.
struct Timings {
  std::vector<CommandTimes> commands;  ///< in the order of the request
  std::optional<ShellStart> shell;
  bool was_interrupted = false;
};

}  // namespace assay
