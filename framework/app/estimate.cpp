// SPDX-License-Identifier: Apache-2.0
// Sums over points.
#include "app/estimate.hpp"

#include <algorithm>
#include <string>

#include "base/typed.hpp"
#include "stats/least.hpp"

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
  const Least least = least_of(precision.rule, precision.incarnations, batches);
  const auto visits = static_cast<double>(least.visits);
  const Nanoseconds most = opening * precision.rule.max_incarnations + budget.max_time;
  const Nanoseconds earliest =
      opening * std::min<double>(precision.incarnations, visits) + std::max(assumed_visit * visits, least.time);
  return {static_cast<std::size_t>(precision.incarnations), std::min(earliest, most), most};
}

bool is_refined(const SeriesPlan& series) {
  return std::any_of(series.factors.begin(), series.factors.end(),
                     [](const FactorDomain& factor) { return factor.domain.refine.has_value(); });
}

std::string counted(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

CostEstimate estimate_cost(const CampaignPlan& plan, const PlannedPoints& planned, std::size_t usable_cpus) {
  CostEstimate cost;
  Nanoseconds span{};  // points are interleaved, so that the spans of all pass together
  for (const auto& [series, points] : planned) {
    const auto each = point_cost(series->precision);
    cost.refined = cost.refined || is_refined(*series);
    if (!points.empty()) span = std::max(span, series->precision.span);
    for (const Point& point : points) {
      ++cost.points;
      if (not_applicable(*series, point, usable_cpus)) {
        ++cost.not_applicable;
        continue;
      }
      cost.incarnations += each.incarnations;
      cost.least += each.least;
      cost.most += each.most;
    }
  }
  cost.least = std::max(cost.least, span);
  cost.most = std::max(cost.most, span);
  if (plan.time_limit) {
    cost.least = std::min(cost.least, *plan.time_limit);
    cost.most = std::min(cost.most, *plan.time_limit);
  }
  return cost;
}

std::string to_text(const CostEstimate& cost) {
  std::string text = (cost.refined ? "at least " : "") + counted(cost.points, "point");
  if (cost.not_applicable > 0) text += " (" + std::to_string(cost.not_applicable) + " not applicable)";
  text += ", " + counted(cost.incarnations, "incarnation") + ", ";
  if (cost.least == cost.most) return text + "about " + rough_duration(cost.least);
  return text + rough_duration(cost.least) + " to " + rough_duration(cost.most);
}

}  // namespace assay
