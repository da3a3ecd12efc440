// SPDX-License-Identifier: Apache-2.0
// How far the timing of commands is, and how much is left.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/timing/time_request.hpp"
#include "app/timing/timings.hpp"
#include "base/units.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

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

}  // namespace assay
