// SPDX-License-Identifier: Apache-2.0
// Asks the cores of this machine, a thread on each of the CPUs taking its turns by a timetable.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "stats/core/core_survey.hpp"

namespace assay {

/// One turn: `a` works, or `a` and `b` at once; or the two pass flags to and fro.
struct SurveyTurn {
  Nanoseconds from{};  ///< since the survey's start
  Nanoseconds until{};
  int a = 0;   ///< CPU
  int b = -1;  ///< CPU; -1: none
  bool passes_flags = false;
};

/// Most CPUs of a survey: all their pairs can be looked at several times within seconds.
inline constexpr std::size_t most_surveyed = 16;

/// Which CPUs are asked where there are more than that: couples of neighbours in `cpus`, evenly spread, since those
/// that share a core are neighbours there. Ascending.
std::vector<int> surveyed_cpus(const std::vector<int>& cpus);

/// Turns of half a millisecond until `time` is over, in rounds over all pairs: each of a pair alone before or after any
/// turn of both, then flags. A single CPU has all turns. Turns that begin while others run are none.
std::vector<SurveyTurn> survey_timetable(const std::vector<int>& cpus, Nanoseconds time);

/// What the threads brought back.
struct SurveyYield {
  std::vector<CoreTurn> turns;
  std::vector<FlagTrip> trips;
  /// CPUs that could not be asked, each with the reason.
  std::vector<std::pair<int, std::string>> refused;
};

/// Watches the cores for `time` by the timetable of team/local/surveyor.hpp. Each thread is bound to its CPU
/// and sleeps outside its turns; the caller's sleeps until all have ended. A CPU that no thread can be bound to is left
/// out, with the reason. Throws PlatformError where threads cannot be created at all.
SurveyYield survey_cores(const std::vector<int>& cpus, Nanoseconds time);

}  // namespace assay
