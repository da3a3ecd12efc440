// SPDX-License-Identifier: Apache-2.0
// Between a series' design and its finished points.
#include "run/series_run.hpp"

#include "run/series.hpp"

namespace assay {

namespace {

const Result* dominant(const PointRecord& record, const std::string& quantity) {
  const Result* found = nullptr;
  for (const Result& result : record.results) {
    if (quantity.empty()) return &result;
    if (result.quantity == quantity && (!found || result.regime_share > found->regime_share)) found = &result;
  }
  return found;
}

std::string refined_quantity(const SeriesPlan& plan) {
  for (const FactorDomain& factor : plan.factors)
    if (factor.domain.refine) return factor.domain.quantity;
  return {};
}

}  // namespace

Response response_of(const PointRecord& record, const std::string& quantity) {
  const Result* result = ran_its_course(record.outcome) ? dominant(record, quantity) : nullptr;
  if (!result) return {};
  const Estimate& headline = result->headline;
  return {headline.interval.available(), headline.value, headline.relative_half_width()};
}

std::unique_ptr<Design> design_of(const SeriesPlan& plan) { return adaptive(plan.factors, plan.precision.max_points); }

SeriesRun::SeriesRun(const SeriesPlan& plan, const std::vector<Point>& known)
    : plan_(&plan),
      design_(known.empty() ? design_of(plan) : listed(known)),
      rule_(make_rule(plan.precision.rule)),
      refined_quantity_(refined_quantity(plan)) {}

std::vector<PointRequest> SeriesRun::ask() {
  auto requests = design_->ask();
  for (const PointRequest& request : requests) {
    if (request.sharpen == 1 || sharpened_.contains(request.sharpen)) continue;
    SeriesPlan plan = *plan_;
    // A rule without an accuracy of its own, `fixed`, measures as much as before.
    plan.precision.rule = sharpened(std::move(plan.precision.rule), request.sharpen);
    auto rule = make_rule(plan.precision.rule);
    sharpened_.emplace(request.sharpen, Sharpened{std::move(plan), std::move(rule)});
  }
  return requests;
}

bool SeriesRun::finish(const PointRecord& record) {
  const auto [known, is_new] = index_.emplace(to_text(record.point), finished_.size());
  if (is_new)
    finished_.push_back(record);
  else
    finished_[known->second] = record;
  design_->tell(record.point, response_of(record, refined_quantity_));
  return is_new;
}

bool SeriesRun::stands(const Point& point) {
  const auto known = index_.find(to_text(point));
  if (known == index_.end()) return false;
  design_->tell(point, response_of(finished_[known->second], refined_quantity_));
  return true;
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
