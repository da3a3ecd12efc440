// SPDX-License-Identifier: Apache-2.0
// What a session has yet to measure: the series, the points that wait for a place in a wave, and those that are open in
// it and share the pool of workers.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <vector>

#include "base/point.hpp"
#include "base/rng.hpp"
#include "base/units.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "run/point/open_point.hpp"
#include "run/series/series_run.hpp"
#include "run/session/surroundings.hpp"

namespace assay {

/// A point that waits to be opened.
struct WaitingPoint {
  std::size_t series = 0;
  Point point;
  double sharpen = 1;
  bool is_added = false;  ///< to others that the session began with
};

class Wave;

/// Asks the designs and puts what they ask for in a random order, so that which points share a wave does not depend on
/// their levels. Of designs that yield parts no more than one part waits; the series have shares of it by what they
/// have left. Points that were in flight when a session was lost come after all others. Borrows the order.
class Agenda {
 public:
  /// Finishes a point that needs no visit, or defers it; false when it needs some now.
  using Settle = std::function<bool(std::size_t series, const PointRequest& request)>;

  Agenda(const SessionOrder& order, const Rng& rng);

  /// The points of this series are asked for elsewhere.
  void pass_over(std::size_t series) { passed_over_.insert(series); }

  std::vector<SeriesRun>& series() { return series_; }
  const std::vector<SeriesRun>& series() const { return series_; }

  /// Takes what the designs ask for now; of those that yield parts only when nothing waits. A point that is settled may
  /// make its design ask for more.
  void collect(const Settle& settle);
  /// The same for the designs that yield parts, of which the points are known whatever is still to come.
  void collect_known(const Settle& settle);
  /// What is asked for once more while it is measured waits until it is finished.
  void defer(std::size_t series, const PointRequest& request) {
    deferred_.push_back({series, request.point, request.sharpen, true});
  }
  /// Those of them that are not measured any more wait for a place.
  void take_up_deferred(const Wave& wave);
  /// Once nothing else waits: what was in flight before.
  void take_up_lost() { waiting_.swap(lost_); }

  bool empty() const { return waiting_.empty(); }
  const WaitingPoint& next() const { return waiting_.front(); }
  WaitingPoint take();
  /// True when no point has to wait for the wave to end: none is left, or what was added to those that the session
  /// began with.
  bool is_exhausted() const { return left() == 0 && (waiting_.empty() || waiting_.front().is_added); }
  /// All points that are known to be to come.
  std::size_t points() const;
  /// The same by series, of those that have any.
  std::map<std::size_t, std::size_t> points_by_series() const;

 private:
  using Asked = std::function<bool(const SeriesRun&)>;
  void collect(const Settle& settle, const Asked& asked);
  bool collect_from(std::size_t series, std::size_t most, const Settle& settle, std::vector<WaitingPoint>& fresh);
  std::size_t left() const;

  const SessionOrder& order_;
  Rng rng_;
  std::vector<SeriesRun> series_;
  std::set<std::size_t> passed_over_;
  std::deque<WaitingPoint> waiting_;
  std::deque<WaitingPoint> lost_;
  std::deque<WaitingPoint> deferred_;
  int generations_ = 0;
};

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
  bool has(std::size_t series, const Point& point) const;
  OpenPoint& open(OpenPoint point);
  void remove(const OpenPoint& point);

  /// The points whose next visit is due; none: `until` becomes the time until the first is, unless it was less.
  std::vector<OpenPoint*> due(Nanoseconds time, Nanoseconds& until);
  /// Those that may use time in which no visit is due: each with a visit that ends before the next one is.
  std::vector<OpenPoint*> idle(Nanoseconds until);
  /// Those that go on beyond their budgets, or have converged and go on.
  std::vector<OpenPoint*> extended() { return those(&OpenPoint::is_extended); }
  std::vector<OpenPoint*> sharpened() { return those(&OpenPoint::is_sharpened); }
  /// On all of them.
  Nanoseconds spent() const;
  /// What the budgets of all that have not converged still allow.
  Nanoseconds time_left() const;

 private:
  std::size_t reserved() const;
  std::vector<OpenPoint*> those(bool (OpenPoint::*are)() const);

  const CampaignPlan* plan_;
  const Host* host_;
  std::list<OpenPoint> points_;
};

}  // namespace assay
