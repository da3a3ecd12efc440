// SPDX-License-Identifier: Apache-2.0
// The plan against the limits of this process.
#include "run/worker/limit_warnings.hpp"

#include "base/typed.hpp"
#include "platform/machine/limits.hpp"
#include "run/worker/pool_size.hpp"

namespace assay {

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
