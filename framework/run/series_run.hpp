// SPDX-License-Identifier: Apache-2.0
// A series while its campaign runs: its design, its rule, and the points that are finished.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "design/design.hpp"
#include "record/grouping.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// What a design may learn of a finished point, when it converged or its budget ended: the headline of a quantity in
/// the regime that most of its observations have; without a name, of the first result.
Response response_of(const PointRecord& record, const std::string& quantity = {});

/// The design of a series, factorial or adaptive.
std::unique_ptr<Design> design_of(const SeriesPlan& plan);

/// A point that an earlier session finished.
struct Finished {
  PointRecord record;
  int next_visit = 0;      ///< visits from this one on came later
  bool same_rule = false;  ///< the rule was the same then, whatever its budgets
};

/// Asks the design, tells it, and keeps the finished points for derived values. Borrows the plan.
class SeriesRun {
 public:
  /// Measures the points that earlier sessions know; where there are none, those that the series' design asks for.
  SeriesRun(const SeriesPlan& plan, const std::vector<Point>& known);

  const SeriesPlan& plan() const { return *plan_; }
  /// The plan and the rule of points that are asked for with `sharpen` times the relative accuracy; ask() returned it.
  const SeriesPlan& plan(double sharpen) const { return sharpen == 1 ? *plan_ : sharpened_.at(sharpen).plan; }
  const StoppingRule& rule(double sharpen) const { return sharpen == 1 ? *rule_ : *sharpened_.at(sharpen).rule; }
  std::vector<PointRequest> ask();
  /// Takes up what an interrupted session left: asks the design and tells it these finished points in their order, as
  /// they were asked for and told then, so that it decides as before. What they do not answer is asked for next. Points
  /// that are asked for are taken out of the list: the others are not in the plan. Returns the first visit, by text of
  /// the point, that belongs to what is asked of it now, where it answered before.
  std::map<std::string, int> replay(std::vector<Finished>& finished);
  /// Keeps a finished point in place of an earlier record of it, and tells the design. True when there was none.
  bool finish(const PointRecord& record);
  /// For a point that will not be measured again although it was asked for: tells the design its record. False when
  /// there is none.
  bool stands(const Point& point);
  /// The latest records of the points that have one.
  const std::vector<PointRecord>& finished() const { return finished_; }
  SeriesRecord record() const;
  /// The values asked for, and the tests of symmetry that the placements allow.
  std::vector<DerivedRecord> derived() const;
  /// What tables have of the series: its record, its finished points and its derived values.
  SeriesGroup group() const;
  /// What the reader should know: levels refused, facts the design found, members that took turns on `usable_cpus` CPUs
  /// or shared one, and a single process per point.
  std::vector<NoteRecord> notes(std::size_t usable_cpus) const;

 private:
  struct Sharpened {
    SeriesPlan plan;
    std::unique_ptr<StoppingRule> rule;
  };

  bool keep(const PointRecord& record);

  const SeriesPlan* plan_;
  std::unique_ptr<Design> design_;
  std::unique_ptr<StoppingRule> rule_;
  std::vector<PointRequest> left_;         ///< asked for and not answered in a replay
  std::string refined_quantity_;           ///< empty: the primary one
  std::map<double, Sharpened> sharpened_;  ///< by factor
  std::vector<PointRecord> finished_;
  std::map<std::string, std::size_t> index_;  ///< of finished points, by text
};

}  // namespace assay
