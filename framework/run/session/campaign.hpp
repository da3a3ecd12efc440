// SPDX-License-Identifier: Apache-2.0
// Running a campaign: its sessions, one after the other.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "run/plan.hpp"
#include "run/series/continuation.hpp"
#include "run/series/history.hpp"
#include "run/session/surroundings.hpp"

namespace assay {

/// Measures everything in the plan, in as many sessions as it requests, each at its time. Sessions are numbered
/// on from those that `history` knows, and measure the points that those measured. Given a continuation, the first of
/// them goes on with what that has left. Throws StorageError; anything that
/// goes wrong in a measurement becomes a record.
CampaignEnd run_campaign(const CampaignPlan& plan, History& history, const Surroundings& world,
                         Continuation* continuation = nullptr);

/// In rank 0 of a launch that was started from outside: goes on with the session that the order names, one incarnation
/// long (surroundings.launch says which). Throws StorageError.
CampaignEnd run_launch(const CampaignPlan& plan, History& history, const Surroundings& surroundings,
                       Continuation& continuation, const LaunchOrder& order);

/// Visits every point that is known before measuring, series by series.
void each_planned(const CampaignPlan& plan, const std::function<void(const SeriesPlan&, const Point&)>& visit);
/// The same as a list by series, for `assay plan`.
std::vector<std::pair<const SeriesPlan*, std::vector<Point>>> planned_points(const CampaignPlan& plan);

}  // namespace assay
