// SPDX-License-Identifier: Apache-2.0
// The open points of a session, which share the pool of workers.
#pragma once
#include <cstddef>
#include <list>
#include <vector>

#include "base/units.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/point/open_point.hpp"

namespace assay {

/// No larger than the host has room for, but for a single point. Borrows plan and host.
class Wave {
 public:
  Wave(const CampaignPlan& plan, const Host& host) : plan_(&plan), host_(&host) {}

  bool empty() const { return points_.empty(); }
  std::size_t size() const { return points_.size(); }
  OpenPoint& front() { return points_.front(); }
  const std::list<OpenPoint>& points() const { return points_; }

  /// True when another point of the series can be opened beside those that are.
  bool fits(const SeriesPlan& series) const;
  /// The incarnations that a point of the series begins with.
  int wanted(const SeriesPlan& series) const;
  /// The incarnations that a point may come to have.
  int most_incarnations(const OpenPoint& point) const;
  /// The same point of other variants. Variants are compared with each other: to be under the same conditions of the
  /// machine they have to be measured in turn to the end, not each until it suffices for itself.
  std::vector<OpenPoint*> compared_with(const OpenPoint& point);
  bool has(const OpenPoint* point) const;
  OpenPoint& open(OpenPoint point);
  void remove(const OpenPoint& point);

  /// The points whose next visit is due; none: `until` becomes the time until the first is, unless it was less.
  std::vector<OpenPoint*> due(Nanoseconds time, Nanoseconds& until);
  /// Those that go on beyond their budgets.
  std::vector<OpenPoint*> extended();
  /// On all of them.
  Nanoseconds spent() const;
  /// What the budgets of all of them still allow.
  Nanoseconds time_left() const;

 private:
  std::size_t reserved() const;

  const CampaignPlan* plan_;
  const Host* host_;
  std::list<OpenPoint> points_;
};

}  // namespace assay
