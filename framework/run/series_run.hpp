// SPDX-License-Identifier: Apache-2.0
// A series while its campaign runs: its design, its rule, and the points that are finished.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "design/design.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"

namespace assay {

/// What a design may learn of a finished point, when it converged or its budget ended: the headline of a quantity in
/// the regime that most of its observations have; without a name, of the first result.
Response response_of(const PointRecord& record, const std::string& quantity = {});

/// The design of a series, factorial or adaptive.
std::unique_ptr<Design> design_of(const SeriesPlan& plan);

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
  /// Keeps a finished point in place of an earlier record of it, and tells the design. True when there was none.
  bool finish(const PointRecord& record);
  /// For a point that will not be measured again although it was asked for: tells the design its record. False when
  /// there is none.
  bool stands(const Point& point);
  SeriesRecord record() const;
  std::vector<DerivedRecord> derived() const;
  /// What the reader should know: levels refused and facts the design found. Nothing after the first session.
  std::vector<NoteRecord> notes(int session) const;

 private:
  struct Sharpened {
    SeriesPlan plan;
    std::unique_ptr<StoppingRule> rule;
  };

  const SeriesPlan* plan_;
  std::unique_ptr<Design> design_;
  std::unique_ptr<StoppingRule> rule_;
  std::string refined_quantity_;           ///< empty: the primary one
  std::map<double, Sharpened> sharpened_;  ///< by factor
  std::vector<PointRecord> finished_;
  std::map<std::string, std::size_t> index_;  ///< of finished points, by text
};

}  // namespace assay
