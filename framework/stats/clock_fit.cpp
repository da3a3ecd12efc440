// SPDX-License-Identifier: Apache-2.0
// Selection of exchanges, the line through them, and what it leaves open.
#include "stats/clock_fit.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay {
namespace {

constexpr double slow = 1.5;  // round trips over so many times the fastest tell too little
constexpr std::size_t fewest = 3;

bool faster(const FitPoint& a, const FitPoint& b) { return a.round_trip < b.round_trip; }

double since(Instant time, Instant base) { return static_cast<double>(time.ns - base.ns); }

std::vector<FitPoint> undelayed(std::span<const FitPoint> points) {
  std::vector<FitPoint> by_speed(points.begin(), points.end());
  std::sort(by_speed.begin(), by_speed.end(), faster);
  const std::size_t needed = std::min(fewest, by_speed.size());
  const Nanoseconds limit = std::max(by_speed.front().round_trip * slow, by_speed[needed - 1].round_trip);
  std::vector<FitPoint> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept),
               [&](const FitPoint& point) { return point.round_trip <= limit; });
  return kept;
}

// Offsets from the first point: small numbers, whatever the clocks read.
double offset(const FitPoint& point, const FitPoint& first) {
  return static_cast<double>((point.reference.ns - point.local.ns) - (first.reference.ns - first.local.ns));
}

// Centred sums, because times span far more than offsets do. Weights undo what a slow exchange leaves open.
void draw_line(const std::vector<FitPoint>& points, ClockModel& model) {
  const FitPoint& first = points.front();
  double total = 0;
  double x = 0;
  double y = 0;
  const auto weight = [](const FitPoint& point) { return std::pow(half_width(point, 0).count, -2); };
  for (const FitPoint& point : points) {
    total += weight(point);
    x += weight(point) * since(point.local, first.local);
    y += weight(point) * offset(point, first);
  }
  x /= total;
  y /= total;
  double xx = 0;
  double xy = 0;
  for (const FitPoint& point : points) {
    const double dx = since(point.local, first.local) - x;
    xx += weight(point) * dx * dx;
    xy += weight(point) * dx * (offset(point, first) - y);
  }
  model.local_base = first.local;
  model.reference_base = first.reference;
  model.drift = xy / xx;
  model.remainder = y - model.drift * x;
}

Nanoseconds distance(const FitPoint& point, const ClockModel& model) {
  const double expected = model.remainder + model.drift * since(point.local, model.local_base);
  const double found = since(point.reference, model.reference_base) - since(point.local, model.local_base);
  return {std::abs(found - expected)};
}

Nanoseconds left_open(const FitPoint& point, const ClockModel& model) {
  return half_width(point, model.drift) + distance(point, model);
}

}  // namespace

FitPoint fastest(std::span<const Stamps> exchanges) {
  if (exchanges.empty()) throw std::invalid_argument("a fit point needs an exchange of stamps");
  const Stamps* best = &exchanges.front();
  for (const Stamps& stamps : exchanges) {
    if (stamps.received < stamps.sent) throw std::invalid_argument("the clock that stamps exchanges went backward");
    if (stamps.round_trip() < best->round_trip()) best = &stamps;
  }
  return {{best->sent.ns + (best->received.ns - best->sent.ns) / 2}, best->reference, best->round_trip()};
}

Nanoseconds half_width(const FitPoint& point, double drift) {
  constexpr Nanoseconds rounding{1.5};  // of the middle, of the stamps, of a conversion
  return point.round_trip / 2 * (1 + std::abs(drift)) + rounding;
}

ClockModel fitted_clock(std::span<const FitPoint> points) {
  const auto not_later = [](const FitPoint& a, const FitPoint& b) { return a.local >= b.local; };
  if (points.size() < 2 || std::adjacent_find(points.begin(), points.end(), not_later) != points.end())
    throw std::invalid_argument("a clock's drift needs two or more fit points, each later than the one before");
  const std::vector<FitPoint> kept = undelayed(points);
  ClockModel model;
  draw_line(kept, model);
  const FitPoint& begin = kept.front();
  const FitPoint& end = kept.back();
  model.from = begin.local;
  model.to = end.local;
  for (const FitPoint& point : kept) {
    model.bound = std::max(model.bound, left_open(point, model));
    model.residual = std::max(model.residual, distance(point, model));
  }
  model.drift_bound = (left_open(begin, model) + left_open(end, model)) / (model.to - model.from);
  model.round_trip = std::min_element(kept.begin(), kept.end(), faster)->round_trip;
  return model;
}

}  // namespace assay
