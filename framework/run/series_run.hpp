// SPDX-License-Identifier: Apache-2.0
// A series while its campaign runs: its design, its rule, and the points that are finished.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "design/design.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// What a design may learn of a finished point: the headline of its first result, when it converged or its budget
/// ended.
Response response_of(const PointRecord& record);

/// The design of a series, factorial or adaptive.
std::unique_ptr<Design> design_of(const SeriesPlan& plan);

/// Asks the design, tells it, and keeps the finished points for derived values. Borrows the plan.
class SeriesRun {
 public:
  /// Measures the points that earlier sessions know; where there are none, those that the series' design asks for.
  SeriesRun(const SeriesPlan& plan, const std::vector<Point>& known);

  const SeriesPlan& plan() const { return *plan_; }
  const StoppingRule& rule() const { return *rule_; }
  std::vector<Point> ask() { return design_->ask(); }
  /// Keeps a finished point and tells the design.
  void finish(const PointRecord& record);
  SeriesRecord record() const;
  std::vector<DerivedRecord> derived() const;
  /// What the reader should know: levels refused and facts the design found. Nothing after the first session.
  std::vector<NoteRecord> notes(int session) const;

 private:
  const SeriesPlan* plan_;
  std::unique_ptr<Design> design_;
  std::unique_ptr<StoppingRule> rule_;
  std::vector<PointRecord> finished_;
};

}  // namespace assay
