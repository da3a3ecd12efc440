// SPDX-License-Identifier: Apache-2.0
// Between a series' design and its finished points.
#include "run/series_run.hpp"

#include "run/series.hpp"

namespace assay {

Response response_of(const PointRecord& record) {
  if (!ran_its_course(record.outcome) || record.results.empty()) return {};
  const Estimate& headline = record.results.front().headline;
  return {headline.interval.available(), headline.value, headline.relative_half_width()};
}

std::unique_ptr<Design> design_of(const SeriesPlan& plan) { return adaptive(plan.factors, plan.precision.max_points); }

SeriesRun::SeriesRun(const SeriesPlan& plan, const std::vector<Point>& known)
    : plan_(&plan), design_(known.empty() ? design_of(plan) : listed(known)), rule_(make_rule(plan.precision.rule)) {}

void SeriesRun::finish(const PointRecord& record) {
  finished_.push_back(record);
  design_->tell(record.point, response_of(record));
}

SeriesRecord SeriesRun::record() const {
  return {plan_->name, plan_->measurement.name, plan_->measurement.quantities, rule_->text()};
}

std::vector<DerivedRecord> SeriesRun::derived() const { return derive(*plan_, finished_); }

std::vector<NoteRecord> SeriesRun::notes(int session) const {
  std::vector<NoteRecord> notes;
  if (session > 0) return notes;  // the first session has told them
  for (const std::string& text : plan_->refused) notes.push_back({"series " + plan_->name + ": " + text});
  for (const std::string& text : design_->findings()) notes.push_back({"series " + plan_->name + ": " + text});
  return notes;
}

}  // namespace assay
