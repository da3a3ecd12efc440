// SPDX-License-Identifier: Apache-2.0
// Sums over points.
#include "app/campaign/estimate.hpp"

#include <algorithm>
#include <string>

#include "run/session/campaign.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/number_format.hpp"

namespace assay {

namespace {

// Bounds for one point of a series.
struct PointCost {
  std::size_t incarnations;
  Nanoseconds least;
  Nanoseconds most;
};

PointCost point_cost(const Precision& precision) {
  const Budget budget = budget_of(precision.rule);
  const Nanoseconds opening = assumed_start + precision.warm_up;
  const int batches = precision.batches.value_or(first_visit_length);
  const MinimumEffort least = minimum_effort(precision.rule, precision.incarnations, batches);
  const auto visits = static_cast<double>(least.visits);
  const Nanoseconds most = opening * precision.rule.max_incarnations + budget.max_time;
  const Nanoseconds earliest =
      opening * std::min<double>(precision.incarnations, visits) + std::max(assumed_visit * visits, least.time);
  return {static_cast<std::size_t>(precision.incarnations), std::min(earliest, most), most};
}

// Adds up what points cost.
class Sum {
 public:
  Sum(const CampaignPlan& plan, std::size_t usable_cpus) : plan_(plan), usable_cpus_(usable_cpus) {
    cost_.refined = std::ranges::any_of(plan.series, is_refined);
  }
  void add(const SeriesPlan& series, const Point& point) {
    span_ = std::max(span_, series.precision.span);
    ++cost_.points;
    if (not_applicable(series, point, usable_cpus_)) {
      ++cost_.not_applicable;
      return;
    }
    const auto each = point_cost(series.precision);
    cost_.incarnations += each.incarnations;
    cost_.least += each.least;
    cost_.most += each.most;
  }
  CostEstimate total() const {
    CostEstimate cost = cost_;
    cost.least = std::max(cost.least, span_);
    cost.most = std::max(cost.most, span_);
    if (!plan_.time_limit) return cost;
    cost.least = std::min(cost.least, *plan_.time_limit);
    cost.most = std::min(cost.most, *plan_.time_limit);
    return cost;
  }

 private:
  const CampaignPlan& plan_;
  std::size_t usable_cpus_;
  CostEstimate cost_;
  Nanoseconds span_{};  // points are interleaved, so that the spans of all pass together
};

std::string how_many(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

CostEstimate estimate_cost(const CampaignPlan& plan, const PlannedPoints& planned, std::size_t usable_cpus) {
  Sum sum(plan, usable_cpus);
  for (const auto& [series, points] : planned)
    for (const Point& point : points) sum.add(*series, point);
  return sum.total();
}

CostEstimate estimate_cost(const CampaignPlan& plan, std::size_t usable_cpus) {
  Sum sum(plan, usable_cpus);
  each_planned(plan, [&](const SeriesPlan& series, const Point& point) { sum.add(series, point); });
  return sum.total();
}

std::string to_text(const CostEstimate& cost) {
  std::string text = (cost.refined ? "at least " : "") + how_many(cost.points, "point");
  if (cost.not_applicable > 0) text += " (" + std::to_string(cost.not_applicable) + " not applicable)";
  text += ", " + how_many(cost.incarnations, "incarnation") + ", ";
  if (cost.least == cost.most) return text + "about " + rough_duration(cost.least);
  return text + rough_duration(cost.least) + " to " + rough_duration(cost.most);
}

}  // namespace assay
