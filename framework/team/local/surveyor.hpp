// SPDX-License-Identifier: Apache-2.0
// Asks the cores of this machine, a thread on each of the CPUs taking its turns.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "stats/core/core_survey.hpp"

namespace assay {

/// What the threads brought back.
struct SurveyYield {
  std::vector<CoreTurn> turns;
  std::vector<FlagTrip> trips;
  /// CPUs that could not be asked, each with the reason.
  std::vector<std::pair<int, std::string>> refused;
};

/// Watches the cores for `time` by the timetable of team/local/survey_timetable.hpp. Each thread is bound to its CPU
/// and sleeps outside its turns; the caller's sleeps until all have ended. A CPU that no thread can be bound to is left
/// out, with the reason. Throws PlatformError where threads cannot be created at all.
SurveyYield survey_cores(const std::vector<int>& cpus, Nanoseconds time);

}  // namespace assay
