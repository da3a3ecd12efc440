// SPDX-License-Identifier: Apache-2.0
// Whether the ranks of a launch will have members that are threads, which has to be known before MPI is initialised.
#pragma once
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "app/config/campaign_source.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"
#include "team/ranks/rank_team.hpp"

namespace assay {

/// Whether a series of the plan has several threads in a rank: its members are ranks, and its factor `threads` has
/// another level than 1, or its factor `level`, the thread level of a pattern, another than "single".
bool has_threads_in_ranks(const CampaignPlan& plan);

/// Whether a campaign could have such a series. Also true where that cannot be known here: for a source that is
/// malformed, a measurement that is not registered, and an override ("series.NAME.threads=2") of what it depends on. A
/// file that this rank does not have is taken to have none: most have not, and a launch whose ranks differ is ended.
bool may_have_threads_in_ranks(const std::vector<CampaignSource>& sources, const std::vector<std::string>& overrides,
                               const Registry& registry);

/// The thread level of MPI with which ranks measure series of the plan, as a fact: that of the launch which `ranks`
/// are, or else the one that is requested of launches. None where no series is of ranks.
Facts thread_level_fact(const CampaignPlan& plan, const RankTeams* ranks);

}  // namespace assay
