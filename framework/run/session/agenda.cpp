// SPDX-License-Identifier: Apache-2.0
// Parts and generations, mixed; room for incarnations, and whose visit is due.
#include "run/session/agenda.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace assay {
namespace {

/// Of `most` points the share of a series that has `own` of the `all` that are left: never none.
std::size_t share(std::size_t most, std::size_t own, std::size_t all) {
  if (all <= most) return own;
  return static_cast<std::size_t>(
      std::ceil(static_cast<double>(most) * static_cast<double>(own) / static_cast<double>(all)));
}

}  // namespace

Agenda::Agenda(const SessionOrder& order, const Rng& rng) : order_(order), rng_(rng) {
  for (const SeriesPlan& series : order.plan.series)
    series_.emplace_back(order.plan, series, order.earlier.points(series.name),
                         rng.substream("order/" + series.name).seed());
}

std::size_t Agenda::left() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < series_.size(); ++i) sum += passed_over_.contains(i) ? 0 : series_[i].left();
  return sum;
}

std::size_t Agenda::points() const {
  std::size_t sum = waiting_.size() + lost_.size() + deferred_.size();
  for (std::size_t i = 0; i < series_.size(); ++i) sum += passed_over_.contains(i) ? 0 : series_[i].to_come();
  return sum;
}

std::map<std::size_t, std::size_t> Agenda::points_by_series() const {
  std::map<std::size_t, std::size_t> counts;
  for (const auto* list : {&waiting_, &lost_, &deferred_})
    for (const WaitingPoint& one : *list) ++counts[one.series];
  for (std::size_t i = 0; i < series_.size(); ++i)
    if (const std::size_t count = passed_over_.contains(i) ? 0 : series_[i].to_come(); count > 0) counts[i] += count;
  return counts;
}

void Agenda::take_up_deferred(const Wave& wave) {
  const auto is_free = [&](const WaitingPoint& one) { return !wave.has(one.series, one.point); };
  std::ranges::copy_if(deferred_, std::back_inserter(waiting_), is_free);
  std::erase_if(deferred_, is_free);
}

WaitingPoint Agenda::take() {
  WaitingPoint next = std::move(waiting_.front());
  waiting_.pop_front();
  return next;
}

void Agenda::collect(const Settle& settle) {
  collect(settle, [](const SeriesRun&) { return true; });
}

void Agenda::collect_known(const Settle& settle) {
  collect(settle, [](const SeriesRun& series) { return series.left() > 0; });
}

void Agenda::collect(const Settle& settle, const Asked& asked) {
  std::vector<WaitingPoint> fresh;
  for (bool again = true; again;) {
    again = false;
    const std::size_t room = waiting_.empty() && fresh.size() < part_size ? part_size - fresh.size() : 0;
    const std::size_t all = left();
    for (std::size_t i = 0; i < series_.size(); ++i)
      if (asked(series_[i]) && collect_from(i, share(room, series_[i].left(), all), settle, fresh)) again = true;
    // A whole part may have been measured before.
    if (fresh.empty() && waiting_.empty() && left() > 0) again = true;
  }
  if (fresh.empty()) return;
  Rng rng = rng_.substream("generation/" + std::to_string(generations_++));
  for (WaitingPoint& one : rng.shuffled(std::move(fresh))) waiting_.push_back(std::move(one));
}

/// True when one of the points was settled.
bool Agenda::collect_from(std::size_t series, std::size_t most, const Settle& settle,
                          std::vector<WaitingPoint>& fresh) {
  bool settled = false;
  if (passed_over_.contains(series)) return settled;
  for (PointRequest& request : series_[series].ask(most)) {
    if (settle(series, request))
      settled = true;
    else if (order_.earlier.losses(order_.plan.series[series].name, request.point) > 0)
      lost_.push_back({series, std::move(request.point), request.sharpen});
    else
      fresh.push_back({series, std::move(request.point), request.sharpen, generations_ > 0});
  }
  return settled;
}

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

bool Wave::has(std::size_t series, const Point& point) const {
  return std::ranges::any_of(
      points_, [&](const OpenPoint& one) { return one.series_index() == series && one.point() == point; });
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

std::vector<OpenPoint*> Wave::idle(Nanoseconds until) {
  std::vector<OpenPoint*> points;
  for (OpenPoint& point : points_)
    if (point.may_sharpen() && point.next_cost() <= until) points.push_back(&point);
  return points;
}

std::vector<OpenPoint*> Wave::those(bool (OpenPoint::*are)() const) {
  std::vector<OpenPoint*> points;
  for (OpenPoint& point : points_)
    if ((point.*are)()) points.push_back(&point);
  return points;
}

Nanoseconds Wave::time_left() const {
  Nanoseconds sum{};
  for (const OpenPoint& point : points_)
    if (!point.is_sharpened()) sum += point.time_left();
  return sum;
}

Nanoseconds Wave::spent() const {
  Nanoseconds sum{};
  for (const OpenPoint& point : points_) sum += point.spent();
  return sum;
}

}  // namespace assay
