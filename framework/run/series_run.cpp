// SPDX-License-Identifier: Apache-2.0
// Between a series' design and its finished points.
#include "run/series_run.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "run/identity.hpp"
#include "run/series.hpp"
#include "run/symmetry.hpp"
#include "stats/rule_text.hpp"

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

// True when a result is as narrow as a rule asks, whatever rule it was measured by. What has no number would have none
// again.
bool is_as_accurate(const PointRecord& record, const RuleSpec& rule) {
  if (!ran_its_course(record.outcome) || record.results.empty()) return true;
  const RuleSpec resolved = parse_rule(make_rule(rule)->text(), {});
  const auto eps = eps_of(resolved);
  if (!eps) return false;
  const Estimate& headline = record.results.front().headline;
  const double allowed = std::max(*eps, resolved.floor.value_or(0) / std::abs(headline.value));
  return headline.relative_half_width() <= allowed;
}

// Answers to requests, each the first that was not used of those to its point.
class Replay {
 public:
  explicit Replay(std::vector<Finished>& finished) : finished_(finished) {
    for (std::size_t i = 0; i < finished.size(); ++i) answers_[to_text(finished[i].record.point)].push_back(i);
  }
  // Takes note of a request; false when nothing answers it.
  bool has_answer(const PointRequest& request) {
    const std::string point = to_text(request.point);
    asked_.insert(point);
    const auto found = answers_.find(point);
    if (found == answers_.end() || found->second.empty()) return false;
    due_.emplace(found->second.front(), request);
    found->second.pop_front();
    return true;
  }
  // The request whose answer comes first in the journal.
  std::optional<std::pair<PointRequest, const Finished*>> next() {
    if (due_.empty()) return std::nullopt;
    const auto first = due_.begin();
    std::pair<PointRequest, const Finished*> found{std::move(first->second), &finished_[first->first]};
    due_.erase(first);
    return found;
  }
  void consume(const PointRequest& request, const Finished& answer) {
    first_visits_[to_text(request.point)] = answer.next_visit;
  }
  void remove_asked() {
    std::erase_if(finished_, [&](const Finished& one) { return asked_.contains(to_text(one.record.point)); });
  }
  const std::map<std::string, int>& first_visits() const { return first_visits_; }

 private:
  std::vector<Finished>& finished_;
  std::map<std::string, std::deque<std::size_t>> answers_;  ///< by text of the point
  std::map<std::size_t, PointRequest> due_;
  std::set<std::string> asked_;
  std::map<std::string, int> first_visits_;
};

bool is_measured(const PointRecord& point) { return !point.results.empty() && !point.simulated; }

/// How members of measured points shared CPUs; empty when they did not.
std::string sharing(const SeriesPlan& plan, const std::vector<PointRecord>& points, std::size_t usable_cpus) {
  for (const PointRecord& point : points) {
    if (!is_measured(point)) continue;
    if (!can_spin(plan, point.point, usable_cpus))
      return std::to_string(members_of(plan, point.point)) +
             " members on fewer CPUs: time slicing is part of this result";
  }
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
  auto requests = std::exchange(left_, {});
  for (PointRequest& request : design_->ask()) requests.push_back(std::move(request));
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
  const bool is_new = keep(record);
  design_->tell(record.point, response_of(record, refined_quantity_));
  return is_new;
}

bool SeriesRun::keep(const PointRecord& record) {
  const auto [known, is_new] = index_.emplace(to_text(record.point), finished_.size());
  if (is_new)
    finished_.push_back(record);
  else
    finished_[known->second] = record;
  return is_new;
}

bool SeriesRun::stands(const Point& point) {
  const auto known = index_.find(to_text(point));
  if (known == index_.end()) return false;
  design_->tell(point, response_of(finished_[known->second], refined_quantity_));
  return true;
}

std::map<std::string, int> SeriesRun::replay(std::vector<Finished>& finished) {
  Replay replay(finished);
  std::vector<PointRequest> left;
  for (;;) {
    for (PointRequest& request : ask()) {
      if (!replay.has_answer(request)) left.push_back(std::move(request));
    }
    const auto answered = replay.next();
    if (!answered) break;
    const auto& [request, answer] = *answered;
    if (answer->same_rule || is_as_accurate(answer->record, plan(request.sharpen).precision.rule)) {
      replay.consume(request, *answer);
      finish(answer->record);
    } else {
      left.push_back(request);
      keep(answer->record);
    }
  }
  left_ = std::move(left);
  replay.remove_asked();
  return replay.first_visits();
}

SeriesRecord SeriesRun::record() const {
  return {plan_->name, plan_->measurement.name, plan_->measurement.quantities, rule_->text(), version_of(*plan_)};
}

std::vector<DerivedRecord> SeriesRun::derived() const {
  auto records = derive(*plan_, finished_);
  for (DerivedRecord& record : symmetry(*plan_, finished_)) records.push_back(std::move(record));
  return records;
}

SeriesGroup SeriesRun::group() const {
  SeriesGroup group{record(), finished_, derived()};
  in_order(group.points);
  return group;
}

std::vector<NoteRecord> SeriesRun::notes(std::size_t usable_cpus) const {
  std::vector<NoteRecord> notes;
  for (const std::string& text : plan_->refused) notes.push_back({"series " + plan_->name + ": " + text});
  for (const std::string& text : design_->findings()) notes.push_back({"series " + plan_->name + ": " + text});
  if (const std::string shared = sharing(*plan_, finished_, usable_cpus); !shared.empty())
    notes.push_back({"series " + plan_->name + ": " + shared + " (G-SHARE)"});
  if (plan_->precision.incarnations == 1 && std::ranges::any_of(finished_, is_measured))
    notes.push_back(
        {"series " + plan_->name + ": one process per point: layout effects up to 10 % cannot be seen (G-ONEPROC)"});
  return notes;
}

}  // namespace assay
