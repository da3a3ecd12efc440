// SPDX-License-Identifier: Apache-2.0
// How many workers may be parked at a time, and limits of the machine that a campaign is going to meet.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "run/plan.hpp"

namespace assay {

/// What limits the pool on this machine, now.
struct PoolLimits {
  std::size_t memory = 0;  ///< bytes available
  std::size_t threads = 0;
  std::size_t descriptors = 0;
};

/// Members of the largest team in the plan.
std::size_t largest_team(const CampaignPlan& plan);
/// A quarter of the memory at 8 MiB a worker, half of the threads at the plan's largest team with its bystander, and
/// half of the descriptors at two a worker; at least 8, but never more than the plan allows.
std::size_t pool_size(const CampaignPlan& plan, const PoolLimits& limits);
/// The same with the limits of this machine.
std::size_t pool_size(const CampaignPlan& plan);

/// One sentence for each limit that is lower than what the plan needs: CPU time against the time limit, threads
/// against the largest team.
std::vector<std::string> limit_warnings(const CampaignPlan& plan);

}  // namespace assay
