// SPDX-License-Identifier: Apache-2.0
// What one session of a campaign is to do, and why one ends early.
#pragma once
#include <optional>

#include "run/plan.hpp"
#include "run/point/launch_share.hpp"
#include "run/series/continuation.hpp"
#include "run/series/history.hpp"

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

/// Why sessions end before every point is finished, in the words of the journal.
inline constexpr const char* by_time = "time-limit";
inline constexpr const char* by_signal = "signal";
inline constexpr const char* by_system = "tear-down";
inline constexpr const char* by_failures = "failures";
inline constexpr const char* by_launcher = "launcher";

}  // namespace assay
