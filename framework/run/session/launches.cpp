// SPDX-License-Identifier: Apache-2.0
// Which series need launches, and of how many ranks.
#include "run/session/launches.hpp"

#include <algorithm>

#include "design/design.hpp"

namespace assay {
namespace {

constexpr int fewest_ranks = 2;

std::vector<Value> levels_of(const SeriesPlan& series, const std::string& name) {
  const auto found = std::ranges::find(series.factors, name, &FactorDomain::name);
  return found == series.factors.end() ? std::vector<Value>() : found->domain.levels;
}

std::int64_t extreme(const SeriesPlan& series, const std::string& name, std::int64_t standard, bool largest) {
  std::int64_t found = standard;
  bool is_first = true;
  for (const Value& level : levels_of(series, name)) {
    const auto* number = std::get_if<std::int64_t>(&level);
    if (number == nullptr) continue;
    found = is_first ? *number : (largest ? std::max(found, *number) : std::min(found, *number));
    is_first = false;
  }
  return found;
}

}  // namespace

bool is_launched(const SeriesPlan& series) {
  const auto is_mpi = [](const Value& level) { return level == Value(std::string("mpi")); };
  const auto vehicles = levels_of(series, "vehicle");
  return !vehicles.empty() && std::ranges::all_of(vehicles, is_mpi);
}

CampaignPlan launched_part(const CampaignPlan& plan) {
  CampaignPlan part = plan;
  std::erase_if(part.series, [](const SeriesPlan& series) { return !is_launched(series); });
  part.plugins.clear();
  part.sessions = 1;
  part.time_limit.reset();
  return part;
}

int ranks_needed(const CampaignPlan& plan) {
  std::int64_t most = fewest_ranks;
  for (const SeriesPlan& series : plan.series) {
    if (!is_launched(series)) continue;
    const std::int64_t members = extreme(series, "members", series.measurement.members.least, true);
    const std::int64_t threads = std::max<std::int64_t>(1, extreme(series, "threads", 1, false));
    most = std::max(most, (members + threads - 1) / threads);
  }
  return static_cast<int>(most);
}

}  // namespace assay
