// SPDX-License-Identifier: Apache-2.0
// What a campaign will cost, before anything is measured.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/point.hpp"
#include "base/units.hpp"
#include "run/plan.hpp"

namespace assay {

/// The points of each series that are known before measuring, as planned_points gives them.
using PlannedPoints = std::vector<std::pair<const SeriesPlan*, std::vector<Point>>>;

/// Numbers of points and processes, and bounds of the time. `least` is for points that all converge as early as
/// their rule allows, `most` for points that all spend their budgets. Refined series may add points.
struct CostEstimate {
  std::size_t points = 0;
  std::size_t not_applicable = 0;  ///< of these: known to have no number
  std::size_t incarnations = 0;
  Nanoseconds least{};
  Nanoseconds most{};
  bool refined = false;
};

/// Time that starting a worker process is taken to cost in estimates.
inline constexpr Nanoseconds assumed_start = milliseconds(20);
/// Time that a visit is taken to cost in estimates, besides what its budget says.
inline constexpr Nanoseconds assumed_visit = milliseconds(1);

/// Sums over the points; bounded by the plan's time limit.
CostEstimate estimate_cost(const CampaignPlan& plan, const PlannedPoints& planned, std::size_t usable_cpus);
/// The same over all points that are known before measuring, none of which is kept.
CostEstimate estimate_cost(const CampaignPlan& plan, std::size_t usable_cpus);

/// "42 points (2 not applicable), 200 incarnations, 5 s to 4 min 10 s"; "at least" in front where refinement may add
/// points.
std::string to_text(const CostEstimate& cost);

}  // namespace assay
