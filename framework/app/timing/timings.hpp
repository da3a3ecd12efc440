// SPDX-License-Identifier: Apache-2.0
// What was measured of commands, run by run, how much is left, and the loop that runs them in rounds of random order
// until each of them suffices.
#pragma once
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/timing/repeated_command.hpp"
#include "app/timing/time_request.hpp"
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

/// The start of the shell, which is part of every run of a command in it; measured in turn with these.
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

/// What is known before a run.
struct TimeProgress {
  std::string command{};             ///< what is run next
  int warmup = 0;                    ///< which warm-up run it is, from 1 on; 0: it counts
  int warmups = 0;                   ///< of each command
  int rounds = 0;                    ///< done
  std::optional<int> most_rounds{};  ///< where their number was given
  Nanoseconds spent{};               ///< on runs that count and their preparation
  Nanoseconds left{};                ///< 0: not known
  std::optional<Estimate> median{};  ///< of the command, in milliseconds

  /// Of the time; 0 where it is not known how much is left.
  double share() const { return left > Nanoseconds{} ? spent / (spent + left) : 0; }
};

/// Is told before each run; what it is handed computes the progress, which takes longer than some commands do.
using TimeProgressTold = std::function<void(const std::function<TimeProgress()>& progress)>;

/// How long the runs that are still needed take: up to the least number and time, with a limit of time also up to the
/// width of the interval that is asked for, which shrinks with the root of the time. A command that was not run yet
/// is taken for the mean of the others. 0 where none was.
Nanoseconds time_left(const TimeRequest& request, const std::vector<CommandTimes>& commands);

/// A command ended otherwise than it should. what() says which, how, and what to do.
class CommandFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs each command its least number of times and for 2.4 s at least, and, where the request has a limit of time,
/// until the default rule has converged, or to the limits of the request. Commands that have enough leave the rounds.
/// Durations are those that the commands report, so that no clock is read here. Throws ConfigError where a program is
/// missing, before anything is measured, and CommandFailed; cleanups are run in any case. `progress` may be empty.
Timings take_timings(const TimeRequest& request, const CommandMaker& make, const std::function<bool()>& is_interrupted,
                     const TimeProgressTold& progress = {});

/// The rule that decides when a command has enough.
RuleSpec rule_of(const TimeRequest& request);

}  // namespace assay
