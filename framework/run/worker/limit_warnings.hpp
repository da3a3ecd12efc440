// SPDX-License-Identifier: Apache-2.0
// Limits that a campaign is going to meet, reported before it starts.
#pragma once
#include <string>
#include <vector>

#include "run/plan.hpp"

namespace assay {

/// One sentence for each limit that is lower than what the plan asks for: CPU time against the time limit, threads
/// against the largest team.
std::vector<std::string> limit_warnings(const CampaignPlan& plan);

}  // namespace assay
