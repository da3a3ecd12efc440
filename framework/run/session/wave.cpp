// SPDX-License-Identifier: Apache-2.0
// Room for incarnations, and whose visit is due.
#include "run/session/wave.hpp"

#include <algorithm>
#include <utility>

namespace assay {

std::size_t Wave::reserved() const {
  std::size_t sum = 0;
  for (const OpenPoint& point : points_) sum += static_cast<std::size_t>(point.incarnations());
  return sum;
}

int Wave::wanted(const SeriesPlan& series) const {
  const std::size_t most = std::max<std::size_t>(1, host_->capacity());
  return static_cast<int>(std::min(most, static_cast<std::size_t>(std::max(1, series.precision.incarnations))));
}

bool Wave::fits(const SeriesPlan& series) const {
  if (points_.empty()) return true;
  if (plan_->schedule == Schedule::consecutive) return false;
  return reserved() + static_cast<std::size_t>(wanted(series)) <= host_->capacity();
}

int Wave::most_incarnations(const OpenPoint& point) const {
  const auto room = static_cast<std::ptrdiff_t>(host_->capacity()) - static_cast<std::ptrdiff_t>(reserved());
  const auto most = point.incarnations() + std::max<std::ptrdiff_t>(0, room);
  return static_cast<int>(std::min<std::ptrdiff_t>(most, point.series().precision.rule.max_incarnations));
}

std::vector<OpenPoint*> Wave::compared_with(const OpenPoint& point) {
  std::vector<OpenPoint*> others;
  if (point.point().find(variant_factor_name) == nullptr) return others;
  const Point rest = point.point().without(variant_factor_name);
  for (OpenPoint& other : points_)
    if (&other != &point && other.series_index() == point.series_index() &&
        other.point().without(variant_factor_name) == rest)
      others.push_back(&other);
  return others;
}

bool Wave::has(const OpenPoint* point) const {
  return std::ranges::any_of(points_, [point](const OpenPoint& one) { return &one == point; });
}

OpenPoint& Wave::open(OpenPoint point) { return points_.emplace_back(std::move(point)); }

void Wave::remove(const OpenPoint& point) {
  points_.remove_if([&](const OpenPoint& other) { return &other == &point; });
}

std::vector<OpenPoint*> Wave::due(Nanoseconds time, Nanoseconds& until) {
  std::vector<OpenPoint*> points;
  for (OpenPoint& point : points_) {
    const Nanoseconds wait = point.due() - time;
    if (wait > Nanoseconds{})
      until = std::min(until, wait);
    else
      points.push_back(&point);
  }
  return points;
}

std::vector<OpenPoint*> Wave::extended() {
  std::vector<OpenPoint*> points;
  for (OpenPoint& point : points_)
    if (point.is_extended()) points.push_back(&point);
  return points;
}

Nanoseconds Wave::time_left() const {
  Nanoseconds sum{};
  for (const OpenPoint& point : points_) sum += point.time_left();
  return sum;
}

Nanoseconds Wave::spent() const {
  Nanoseconds sum{};
  for (const OpenPoint& point : points_) sum += point.spent();
  return sum;
}

}  // namespace assay
