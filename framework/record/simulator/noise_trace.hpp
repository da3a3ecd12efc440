// SPDX-License-Identifier: Apache-2.0
// Recorded noise: the detours that `os/noise-detours` saw, one after the other.
#pragma once
#include <string>
#include <vector>

#include "record/collective/replay.hpp"
#include "record/export/observation_log.hpp"
#include "record/grouping.hpp"
#include "record/table/table_choice.hpp"

namespace assay::simulator {

/// The measurement, and its quantities: how long a detour was, and how long the CPU was observed since the one before.
inline constexpr const char* detours_measurement = "os/noise-detours";
inline constexpr const char* detour_quantity = "detour";
inline constexpr const char* after_quantity = "after";

/// A trace of one CPU: the time that it was not observed, between batches, is left out.
struct RecordedNoise {
  std::string name;  ///< levels of its point
  collective::NoiseTrace trace;
  double lost = 0;  ///< share of the time
};

/// Those of all points for which the conditions hold. Throws ConfigError, at `where`, when there is none.
std::vector<RecordedNoise> recorded_noise(const std::vector<Record>& records, const ObservationLog& observations,
                                          const std::vector<RowCondition>& filter, const std::string& where);

}  // namespace assay::simulator
