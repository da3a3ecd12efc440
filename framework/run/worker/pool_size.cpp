// SPDX-License-Identifier: Apache-2.0
// The pool of parked workers: memory, threads, descriptors.
#include "run/worker/pool_size.hpp"

#include <algorithm>

#include "base/typed.hpp"
#include "platform/machine/limits.hpp"
#include "platform/machine/machine.hpp"

namespace assay {

namespace {

constexpr std::size_t bytes_each = std::size_t{8} << 20;
constexpr std::size_t descriptors_each = 2;
constexpr std::size_t least = 8;

}  // namespace

std::size_t largest_team(const CampaignPlan& plan) {
  double largest = 1;
  for (const SeriesPlan& series : plan.series) {
    largest = std::max(largest, static_cast<double>(series.measurement.members.least));
    for (const FactorDomain& factor : series.factors)
      if (factor.name == "members")
        for (const Value& level : factor.domain.levels) largest = std::max(largest, number_of(level).value_or(1));
  }
  return static_cast<std::size_t>(largest);
}

std::size_t pool_size(const CampaignPlan& plan, const PoolLimits& limits) {
  const std::size_t threads_each = largest_team(plan) + 1;
  const std::size_t room = std::min(
      {limits.memory / 4 / bytes_each, limits.threads / 2 / threads_each, limits.descriptors / 2 / descriptors_each});
  return std::min(std::max(room, least), static_cast<std::size_t>(std::max(plan.max_workers, 1)));
}

std::size_t pool_size(const CampaignPlan& plan) {
  const Headroom headroom = process_headroom();
  return pool_size(plan, {available_memory(), headroom.threads, headroom.descriptors});
}

std::vector<std::string> limit_warnings(const CampaignPlan& plan) {
  std::vector<std::string> warnings;
  const auto cpu = cpu_time_left();
  if (cpu && (!plan.time_limit || *plan.time_limit > *cpu))
    warnings.push_back("each process may use " + duration_text(*cpu) +
                       " of CPU time (ulimit -t), after which the kernel ends it; " +
                       (plan.time_limit ? "the campaign's time limit is longer" : "the campaign has no time limit"));
  const std::size_t team = largest_team(plan);
  if (const std::size_t room = process_headroom().threads; team > room)
    warnings.push_back("the largest team has " + std::to_string(team) + " members, and there is room for " +
                       std::to_string(room) + " threads: " + thread_limit(team));
  return warnings;
}

}  // namespace assay
