// SPDX-License-Identifier: Apache-2.0
// Runs commands in rounds of random order until each of them suffices.
#pragma once
#include <functional>
#include <stdexcept>

#include "app/timing/repeated_command.hpp"
#include "app/timing/time_progress.hpp"
#include "app/timing/time_request.hpp"
#include "app/timing/timings.hpp"
#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// A command ended otherwise than it should. what() says which, how, and what to do.
class CommandFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs each command its least number of times and for 3 s at least, and, where the request has a limit of time, until
/// the default rule has converged, or to the limits of the request. Commands that have enough leave the rounds.
/// Durations are those that the commands report, so that no clock is read here. Throws ConfigError where a program is
/// missing, before anything is measured, and CommandFailed; cleanups are run in any case. `progress` may be empty.
Timings take_timings(const TimeRequest& request, const CommandMaker& make, const std::function<bool()>& is_interrupted,
                     const TimeProgressTold& progress = {});

/// The rule that decides when a command has enough.
RuleSpec rule_of(const TimeRequest& request);

}  // namespace assay
