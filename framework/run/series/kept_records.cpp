// SPDX-License-Identifier: Apache-2.0
// What is computed over the points of a series, by its plan.
#include "run/series/kept_records.hpp"

#include <set>

#include "record/layout/layouts.hpp"

namespace assay {
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

}  // namespace assay
