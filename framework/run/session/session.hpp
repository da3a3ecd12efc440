// SPDX-License-Identifier: Apache-2.0
// Room: the loop: which point is visited next, until when, with which checks in between.
// One session of a campaign: generations of points, waves that fit the pool of workers, rounds of visits in
// random order; what it is to do, and how it ends.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "run/plan.hpp"
#include "run/point/launch_share.hpp"
#include "run/series/continuation.hpp"
#include "run/series/history.hpp"
#include "run/series/series_run.hpp"
#include "run/session/surroundings.hpp"

namespace assay {

/// What a session is to do: all points of the plan, or those that earlier sessions measured, or what one left.
struct SessionOrder {
  const CampaignPlan& plan;
  const History& earlier;
  int session = 0;
  std::optional<Nanoseconds> time_limit;
  Continuation* continuation = nullptr;  ///< what an earlier session left, where this one continues it
  const LaunchPlace* launch = nullptr;   ///< where members are ranks of it; borrowed
};

/// Measures every point once. Throws StorageError; anything that goes wrong in a measurement becomes a record.
CampaignEnd run_session(const SessionOrder& order, const Surroundings& world);

/// Why sessions end before every point is finished, in the words of the journal.
inline constexpr const char* by_time = "time-limit";
inline constexpr const char* by_signal = "signal";
inline constexpr const char* by_system = "tear-down";
inline constexpr const char* by_failures = "failures";
inline constexpr const char* by_launcher = "launcher";

/// The reason of the points that such an end leaves behind; `failures`: how many there were.
std::string why_left(const std::string& reason, const std::string& failures);

/// Writes the derived values of the series and of the campaign's layout, and what the reader should know of the series
/// and was not reported before. Throws StorageError.
void write_conclusions(const std::vector<SeriesRun>& series, const SessionOrder& order, const Surroundings& world);

}  // namespace assay
