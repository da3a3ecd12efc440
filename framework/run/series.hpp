// SPDX-License-Identifier: Apache-2.0
// One point while it is being measured: its samples by quantity and regime, its incarnations, its budget.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"
#include "run/host.hpp"
#include "run/plan.hpp"
#include "stats/sample.hpp"

namespace assay {

/// An open point. Knows numbers only: no host, no clock, no file.
class OpenPoint {
 public:
  OpenPoint(const SeriesPlan& series, std::size_t series_index, Point point, const StoppingRule& rule);

  std::size_t series_index() const { return series_index_; }
  const Point& point() const { return point_; }
  const SeriesPlan& series() const { return *series_; }

  /// The incarnation that the next visit belongs to: dealt in turn over the incarnations wanted so far.
  int next_incarnation() const;
  /// Fixed once calibrated.
  Reps reps() const { return reps_; }
  void calibrated(Reps reps, Nanoseconds clock_step);
  bool is_calibrated() const { return reps_.count > 0; }

  /// Judges the batches of a visit and adds the kept ones to the samples; returns all of them judged, for the journal.
  std::vector<JudgedBatch> add(const VisitYield& yield, int incarnation, int visit, Nanoseconds at, Nanoseconds took);
  /// The rule's word on the primary quantity in its dominant regime; adds incarnations when between-process spread
  /// decides.
  Verdict check();
  /// The finished point with a result for each quantity and regime.
  PointRecord finish(const Verdict& verdict) const;
  /// A point that yields no number.
  PointRecord finish_without(Outcome outcome, const std::string& reason, const std::string& code = {}) const;
  int visits() const { return visits_; }
  Nanoseconds spent() const { return spent_; }

 private:
  using Key = std::pair<std::size_t, Regime>;  ///< quantity index, regime
  Regime dominant() const;
  Result result(const Key& key, const Sample& sample, const Verdict& primary) const;

  const SeriesPlan* series_;
  std::size_t series_index_;
  Point point_;
  const StoppingRule* rule_;
  std::map<Key, Sample> samples_;
  Reps reps_{0};
  Nanoseconds clock_step_{};
  int visits_ = 0;
  int incarnations_;
  Nanoseconds spent_{};
  Nanoseconds first_{};
  Nanoseconds last_{};
};

/// The derived values of a series over its finished points.
std::vector<DerivedRecord> derive(const SeriesPlan& series, const std::vector<PointRecord>& points);

}  // namespace assay
