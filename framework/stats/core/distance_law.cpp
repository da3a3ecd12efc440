// SPDX-License-Identifier: Apache-2.0
// From slopes to what may be believed of them.
#include "stats/core/distance_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

// Polled flags went with a power of 0.2 to 0.9 of their distance, and futexes with 0.1 to 0.2.
constexpr std::size_t tells_law = 12;  // visits
constexpr double no_accident = 3;      // standard errors
constexpr double highest_power = 1.5;  // what takes one distance more than the reference has a power of one
constexpr double most_off = 0.01;      // of the value
constexpr double most_trips = 4;       // that an action has: what takes longer than that goes with something else

/// By what is not known of a slope, of the values of most visits: 95 %.
double off_by(const RankLine& line) { return std::fabs(line.middle) * 2 * line.error; }

/// What of a median time is waiting for the distance, in round trips of it.
double trips_in(std::span<const PlaneDot> visits, double power, double distance) {
  std::vector<double> times;
  for (const PlaneDot& visit : visits) times.push_back(visit.y);
  return power * std::exp(median(std::move(times))) / distance;
}

}  // namespace

DistanceLaw distance_law(std::span<const PlaneDot> visits, double distance) {
  if (visits.size() < tells_law) return {};
  const auto [further, slower] = rank_plane(visits);
  if (!further || further->slope < no_accident * further->error || off_by(*further) > most_off) return {};
  if (further->slope > highest_power || trips_in(visits, further->slope, distance) > most_trips) return {};
  DistanceLaw law{further->slope, std::nullopt, off_by(*further)};
  if (slower && off_by(*slower) <= most_off) {
    law.clock_power = std::clamp(slower->slope, 0.0, 1.0);
    law.unknown = std::hypot(law.unknown, off_by(*slower));
  }
  return law;
}

}  // namespace assay
