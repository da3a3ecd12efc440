// SPDX-License-Identifier: Apache-2.0
// What a session has yet to measure: the series, and the points that wait for a place in a wave.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/point.hpp"
#include "base/rng.hpp"
#include "run/series/series_run.hpp"
#include "run/session/session_order.hpp"

namespace assay {

/// A point that waits to be opened.
struct WaitingPoint {
  std::size_t series = 0;
  Point point;
  double sharpen = 1;
};

/// Asks the designs and puts what they ask for in a random order, so that which points share a wave does not depend on
/// their levels. Of designs that yield parts no more than one part waits; the series have shares of it by what they
/// have left. Points that were in flight when a session was lost come after all others. Borrows the order.
class Agenda {
 public:
  /// Finishes a point that needs no visit; false when it needs some.
  using Settle = std::function<bool(std::size_t series, const Point& point)>;

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
  /// Once nothing else waits: what was in flight before.
  void take_up_lost() { waiting_.swap(lost_); }

  bool empty() const { return waiting_.empty(); }
  const WaitingPoint& next() const { return waiting_.front(); }
  WaitingPoint take();
  /// True when there is no point that would have to wait for the wave to end.
  bool is_exhausted() const { return waiting_.empty() && left() == 0; }
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
  int generations_ = 0;
};

}  // namespace assay
