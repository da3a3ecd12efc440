// SPDX-License-Identifier: Apache-2.0
// The steepest and the flattest line between what the reference read at most and at least, and a model compared with
// what was found afterwards.
#include "stats/clock/clock_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr double stamp_rounding = 1.5;      // of stamps, which are whole, and of a conversion
constexpr double least_drift_bound = 1e-7;  // see the header

// Offsets over time, from the first point: small numbers, whatever the clocks read.
class Offsets {
 public:
  explicit Offsets(std::span<const FitPoint> points) : points_(points), base_(points.front().least) {}

  struct At {
    double time;
    double offset;
  };
  At at(const ClockReading& reading) const {
    const auto since = static_cast<double>(reading.local.ns - base_.local.ns);
    return {since,
            static_cast<double>((reading.reference.ns - reading.local.ns) - (base_.reference.ns - base_.local.ns))};
  }
  At most(const FitPoint& point) const {
    const At found = at(point.most);
    return {found.time, found.offset + stamp_rounding};
  }
  At least(const FitPoint& point) const {
    const At found = at(point.least);
    return {found.time, found.offset - stamp_rounding};
  }

  /// The largest offset at a time of lines with this slope that are above no `most`.
  double highest(double slope, double time) const {
    double lowest = std::numeric_limits<double>::infinity();
    for (const FitPoint& point : points_) {
      const At bound = most(point);
      lowest = std::min(lowest, bound.offset + slope * (time - bound.time));
    }
    return lowest;
  }

  const ClockReading& base() const { return base_; }

 private:
  std::span<const FitPoint> points_;
  ClockReading base_;
};

struct Slopes {
  double flattest = -std::numeric_limits<double>::infinity();
  double steepest = std::numeric_limits<double>::infinity();
  bool exist() const { return flattest <= steepest; }
};

// A line passes below each `most` and above each `least`: every two of them bound its slope from one side.
Slopes slopes_of(std::span<const FitPoint> points) {
  const Offsets offsets(points);
  Slopes slopes;
  for (const FitPoint& above : points)
    for (const FitPoint& below : points) {
      const auto most = offsets.most(above);
      const auto least = offsets.least(below);
      const double rise = most.offset - least.offset;
      const double time = most.time - least.time;
      if (time > 0) slopes.steepest = std::min(slopes.steepest, rise / time);
      if (time < 0) slopes.flattest = std::max(slopes.flattest, rise / time);
      if (time == 0 && rise < 0) return {1, 0};
    }
  return slopes;
}

double half_width(const FitPoint& point) {
  return ((point.most.reference - point.least.reference) - (point.most.local - point.least.local)).count / 2;
}

void check(std::span<const FitPoint> points) {
  const auto not_later = [](const FitPoint& a, const FitPoint& b) {
    return std::max(a.most.local, a.least.local) >= std::min(b.most.local, b.least.local);
  };
  if (points.size() < 2 || std::adjacent_find(points.begin(), points.end(), not_later) != points.end())
    throw std::invalid_argument("a clock's drift needs two or more fit points, each later than the one before");
}

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

FitPoint fit_point(std::span<const Stamps> exchanges) {
  if (exchanges.empty()) throw std::invalid_argument("a fit point needs an exchange of stamps");
  const Stamps* most = &exchanges.front();
  const Stamps* least = most;
  Nanoseconds shortest = most->round_trip();
  for (const Stamps& stamps : exchanges) {
    if (stamps.received < stamps.sent) throw std::invalid_argument("the clock that stamps exchanges went backward");
    if (stamps.reference - stamps.sent < most->reference - most->sent) most = &stamps;
    if (stamps.reference - stamps.received > least->reference - least->received) least = &stamps;
    shortest = std::min(shortest, stamps.round_trip());
  }
  return {{most->sent, most->reference}, {least->received, least->reference}, shortest};
}

bool agree(std::span<const FitPoint> points) { return points.size() < 2 || slopes_of(points).exist(); }

ClockModel fitted_clock(std::span<const FitPoint> points) {
  check(points);
  const Slopes slopes = slopes_of(points);
  if (!slopes.exist()) throw std::invalid_argument("no line agrees with all fit points: a clock changed its rate");
  const Offsets offsets(points);
  ClockModel model;
  model.local_base = offsets.base().local;
  model.reference_base = offsets.base().reference;
  model.from = std::min(points.front().most.local, points.front().least.local);
  model.to = std::max(points.back().most.local, points.back().least.local);
  const auto open = [&](Instant local) {
    const double time = offsets.at({local, local}).time;
    return std::abs(offsets.highest(slopes.steepest, time) - offsets.highest(slopes.flattest, time)) / 2;
  };
  const double middle = (offsets.highest(slopes.steepest, 0) + offsets.highest(slopes.flattest, 0)) / 2;
  model.drift = (slopes.steepest + slopes.flattest) / 2;
  model.remainder = middle;
  double sharpest = std::numeric_limits<double>::infinity();
  for (const FitPoint& point : points) sharpest = std::min(sharpest, half_width(point));
  model.bound = {std::max({open(model.from), open(model.to), sharpest}) + stamp_rounding};
  model.drift_bound = std::max((slopes.steepest - slopes.flattest) / 2, least_drift_bound);
  model.round_trip = std::ranges::min_element(points, {}, &FitPoint::round_trip)->round_trip;
  return model;
}

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

ClockAgreement agrees(const ClockModel& before, const FitPoint& after) {
  constexpr Nanoseconds rounding{1.5};  // of stamps and of conversions
  // The model is ahead of the reference by so much at least, and so much at most.
  const Nanoseconds least = before.to_reference(after.most.local) - after.most.reference;
  const Nanoseconds most = before.to_reference(after.least.local) - after.least.reference;
  const Nanoseconds open = (most - least) / 2 + rounding;
  ClockAgreement agreement;
  agreement.miss = {std::abs((most + least).count) / 2};
  agreement.limit = before.bound_at(std::max(after.most.local, after.least.local)) + open;
  agreement.bound = std::max(before.bound, agreement.miss + open);
  agreement.accepted = agreement.miss <= agreement.limit;
  return agreement;
}

std::string refusal(const ClockAgreement& agreement) {
  if (agreement.accepted) return {};
  return "at the end of the period the model of this rank's clock was " + rounded(agreement.miss) +
         " off, where its bound and the comparison explain " + rounded(agreement.limit) +
         ": a clock was set or changed its rate";
}

}  // namespace assay
