// SPDX-License-Identifier: Apache-2.0
// Three flags for each finished point.
#include "run/series/finished_index.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "record/distances.hpp"
#include "record/journal/journal.hpp"
#include "record/layout/layouts.hpp"
#include "text/scale.hpp"

namespace assay {

namespace {

constexpr std::size_t most_spread = 16;

}  // namespace

bool can_be_anchor(const CampaignPlan& plan, const PointRecord& record) {
  const Variant* variant = variant_at(plan, record.point);
  return ran_its_course(record.outcome) && !record.results.empty() && (variant == nullptr || !variant->is_hard());
}

void AnchorSample::add(const PointRecord& record) {
  if (added_++ % stride_ != 0) {
    last_ = record;
    return;
  }
  if (spread_.size() == most_spread) {
    for (std::size_t i = 1; 2 * i < spread_.size(); ++i) spread_[i] = std::move(spread_[2 * i]);
    spread_.resize(most_spread / 2);
    stride_ *= 2;
  }
  spread_.push_back(record);
  last_.reset();
}

std::vector<const PointRecord*> AnchorSample::records() const {
  std::vector<const PointRecord*> all;
  for (const PointRecord& record : spread_) all.push_back(&record);
  if (last_) all.push_back(&*last_);
  return all;
}

namespace {

/// Members on CPUs of their own, or what was started on another CPU. Where ranks are, their host knows.
bool is_apart(const SeriesPlan& series, const PointRecord& record, const Result& result) {
  if (record.simulated || vehicle_of(series, record.point) == "mpi") return false;
  if (result.state.spread == Spread::own_cpus) return true;
  const Placement& placement = placement_of(series, record.point);
  return result.regime != Regime::solo && members_of(series, record.point) > 1 && placement.bound() &&
         !placement.shares_cpu();
}

}  // namespace

bool wakes_another_cpu(const SeriesPlan& series, const PointRecord& record, const Result& result) {
  return is_apart(series, record, result) && !polls_throughout(result);
}

bool polls_another_cpu(const SeriesPlan& series, const PointRecord& record, const Result& result) {
  return is_apart(series, record, result) && polls_throughout(result);
}

bool takes_memory(const SeriesPlan& series, const PointRecord& record) {
  return !record.simulated && traits_at(series.measurement, record.point).takes_memory;
}

void limit_term_on_virtual_machine(const SeriesPlan& series, PointRecord& record) {
  const bool is_limited = takes_memory(series, record);
  for (auto* results : {&record.results, &record.others})
    for (Result& result : *results)
      if (result.term == Term::session && (is_limited || is_apart(series, record, result)))
        result.term = Term::short_term;
}

void MeasuredPoints::add(const SeriesPlan& series, const PointRecord& record) {
  if (record.results.empty() || record.simulated) return;
  any_ = true;
  take_memory_ = take_memory_ || takes_memory(series, record);
  if (vehicle_of(series, record.point) == "mpi") return;  // where its ranks are, their host knows
  const Placement& placement = placement_of(series, record.point);
  const int members = members_of(series, record.point);
  wakes_ = wakes_ || std::ranges::any_of(record.results, [&](const Result& result) {
             return wakes_another_cpu(series, record, result);
           });
  for (const Result& result : record.results) {
    if (!polls_another_cpu(series, record, result)) continue;
    polls_ = true;
    add_distance(distance_of(record, result));
  }
  if (!placement.bound())
    unbound_ = std::max(unbound_, members);
  else if (placement.shares_cpu())
    bound_ = std::max(bound_, members);
}

void MeasuredPoints::add(const MeasuredPoints& others) {
  any_ = any_ || others.any_;
  wakes_ = wakes_ || others.wakes_;
  polls_ = polls_ || others.polls_;
  take_memory_ = take_memory_ || others.take_memory_;
  add_distance(others.nearest_);
  add_distance(others.farthest_);
  bound_ = std::max(bound_, others.bound_);
  unbound_ = std::max(unbound_, others.unbound_);
}

void MeasuredPoints::add_distance(double distance) {
  if (!(distance > 0)) return;
  nearest_ = nearest_ > 0 ? std::min(nearest_, distance) : distance;
  farthest_ = std::max(farthest_, distance);
}

std::string MeasuredPoints::distances() const {
  if (!(nearest_ > 0)) return {};
  const std::string least = fixed_text(nearest_, 0);
  const std::string most = fixed_text(farthest_, 0);
  return (least == most ? most : least + " to " + most) + " ns";
}

std::string MeasuredPoints::sharing(std::size_t usable_cpus) const {
  const int members = std::max(bound_, std::cmp_greater(unbound_, usable_cpus) ? unbound_ : 0);
  if (members == 0) return {};
  return std::to_string(members) + " members on fewer CPUs: time slicing is part of this result";
}

void FinishedIndex::add(const PointRecord& record, bool suffices) {
  const auto [known, is_new] = points_.try_emplace(key_of(record.series, record.point));
  if (is_new) known->second.planned = is_planned(record.point);
  known->second.suffices = suffices;
  known->second.failed = has_failed(record.outcome);
  known->second.measured = !record.results.empty();
  if (!known->second.planned) {
    if (is_new) removed_.push_back(record.point);
    return;
  }
  measured_.add(*series_, record);
  if (can_be_anchor(*plan_, record)) anchors_.add(record);
}

void FinishedIndex::reopen(const Point& point) {
  const auto known = points_.find(key_of(series_->name, point));
  if (known != points_.end()) known->second.suffices = false;
}

void FinishedIndex::clear() { *this = FinishedIndex(*plan_, *series_); }

bool FinishedIndex::suffices(const TextKey& point) const {
  const auto known = points_.find(point);
  return known != points_.end() && known->second.suffices;
}

FinishedIndex::Count FinishedIndex::count() const {
  Count count;
  for (const auto& [key, state] : points_) {
    if (!state.planned || !state.suffices) continue;
    ++count.points;
    if (state.failed) ++count.failed;
    if (state.measured) ++count.measured;
  }
  return count;
}

namespace {

bool is_computed_over(const CampaignPlan& plan) {
  const auto layout = usable_layout(plan.layout);
  return layout && layout->derive;
}

/// True when two placements are for teams of one size and of one class.
bool compares_placements(const SeriesPlan& series) {
  std::set<std::pair<std::string, std::size_t>> classes;
  for (const Placement& placement : series.placements)
    if (!placement.group.empty() && !classes.emplace(placement.group, placement.cpus.size()).second) return true;
  return false;
}

}  // namespace

bool keeps_records(const CampaignPlan& plan, const SeriesPlan& series) {
  return is_refined(series) || !series.derived.empty() || compares_placements(series) || is_computed_over(plan);
}

bool is_as_accurate(const PointRecord& record, const RuleSpec& rule) {
  if (!ran_its_course(record.outcome) || record.results.empty()) return true;
  if (!has_accuracy(rule)) return false;
  const Accuracy wanted = accuracy_of(rule);
  const Estimate& headline = record.results.front().headline;
  const double allowed = std::max(wanted.eps, wanted.floor / std::abs(headline.value));
  return headline.relative_half_width() <= allowed;
}

}  // namespace assay
