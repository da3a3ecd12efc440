// SPDX-License-Identifier: Apache-2.0
// Which fit points stay.
#include "stats/clock/clock_history.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay {
namespace {

constexpr std::size_t most_points = 64;
constexpr Nanoseconds longest_history = seconds(100);

Nanoseconds width(const FitPoint& point) {
  return (point.most.reference - point.least.reference) - (point.most.local - point.least.local);
}

// The first and the last stay: they are what bounds the drift.
std::vector<FitPoint> thinned(const std::vector<FitPoint>& points) {
  std::vector<FitPoint> kept{points.front()};
  std::size_t next = 1;
  for (; next + 2 < points.size(); next += 2)
    kept.push_back(width(points[next]) <= width(points[next + 1]) ? points[next] : points[next + 1]);
  kept.insert(kept.end(), points.begin() + static_cast<std::ptrdiff_t>(next), points.end());
  return kept;
}

}  // namespace

void ClockHistory::add(const FitPoint& point) {
  const auto begins = std::min(point.most.local, point.least.local);
  if (!points_.empty() && std::max(points_.back().most.local, points_.back().least.local) >= begins)
    throw std::invalid_argument("a fit point that is not later than those before");
  points_.push_back(point);
  const auto is_old = [&](const FitPoint& one) { return point.most.local - one.most.local > longest_history; };
  std::erase_if(points_, is_old);
  while (!agree(points_))
    points_.erase(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>((points_.size() + 1) / 2));
  if (points_.size() > most_points) points_ = thinned(points_);
}

}  // namespace assay
