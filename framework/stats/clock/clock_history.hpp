// SPDX-License-Identifier: Apache-2.0
// What was learned of two clocks over time, as far back as they kept their rates.
#pragma once
#include <span>
#include <vector>

#include "stats/clock/clock_fit.hpp"

namespace assay {

/// The fit points of one pair of clocks. The longer they have been compared the better their drift is known, so that
/// earlier points stay as long as one line agrees with all: where none does, or the first is over 100 s old, the older
/// ones go. No more than 64 are kept, of two neighbours the sharper one.
class ClockHistory {
 public:
  /// Takes one in that is later than all others. Throws std::invalid_argument for one that is not.
  void add(const FitPoint& point);
  /// Forgets all but this: a clock was set, or has another rate.
  void restart(const FitPoint& point) { points_.assign(1, point); }

  std::span<const FitPoint> points() const { return points_; }
  /// Whether there are enough for a line.
  bool tells_drift() const { return points_.size() >= 2; }
  /// As fitted_clock(). Throws std::invalid_argument for fewer than two points.
  ClockModel model() const { return fitted_clock(points_); }

 private:
  std::vector<FitPoint> points_;
};

}  // namespace assay
