// SPDX-License-Identifier: Apache-2.0
// Room: samples of visits and their summaries and intervals.
// The clean observations of one (point, quantity, regime), ordered, with the levels of replication they came from.
#pragma once
#include <cstddef>
#include <vector>

namespace assay {

/// One batch's value of one quantity, per event.
struct Observation {
  double value = 0;
  int session = 0;      ///< outermost level of replication
  int incarnation = 0;  ///< process; counts through the sessions
  int visit = 0;        ///< counts through the campaign
  double at = 0;  ///< ns: when its visit began, by a clock of its session; 0 in all of them where time says nothing
};

/// The median of one incarnation's observations.
struct IncarnationMedian {
  int session = 0;
  int incarnation = 0;
  double value = 0;
  std::size_t n = 0;  ///< observations
};

/// Observations in order of arrival. Disturbed ones are only counted here; the journal has them.
class Sample {
 public:
  /// Adds a clean observation. Visits arrive in order: `visit` never decreases, else std::invalid_argument.
  void add(const Observation& observation);
  /// Counts a batch that was left out, by cause, never by value.
  void add_disturbed() { ++disturbed_; }

  std::size_t size() const { return observations_.size(); }
  bool empty() const { return observations_.empty(); }
  /// Number of distinct visits with at least one clean observation.
  int visits() const { return visits_; }
  /// Number of distinct incarnations with at least one clean observation.
  int incarnations() const { return static_cast<int>(incarnations_.size()); }
  std::size_t disturbed() const { return disturbed_; }
  /// disturbed / (clean + disturbed); 0 when there is none at all.
  double disturbed_share() const;

  const std::vector<Observation>& observations() const { return observations_; }
  /// The values alone, in order of arrival.
  std::vector<double> values() const;
  /// The values of each incarnation, in order of first appearance.
  std::vector<std::vector<double>> values_by_incarnation() const;
  /// What each incarnation found, in order of first appearance.
  std::vector<IncarnationMedian> by_incarnation() const;
  /// The medians alone of by_incarnation().
  std::vector<double> incarnation_medians() const;

 private:
  void note(const Observation& observation);

  std::vector<Observation> observations_;
  std::vector<IncarnationMedian> incarnations_;  ///< those seen, in order, without their medians
  int visits_ = 0;
  std::size_t disturbed_ = 0;
};

}  // namespace assay
