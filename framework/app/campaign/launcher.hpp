// SPDX-License-Identifier: Apache-2.0
// The launcher that a campaign uses for series whose members are ranks, and whether these will have members that are
// threads, which has to be known before MPI is initialised.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "app/cli/command.hpp"
#include "app/config/campaign_source.hpp"
#include "platform/process/termination_signals.hpp"
#include "record/journal/journal.hpp"
#include "record/record.hpp"
#include "run/mpi/mpi_launches.hpp"
#include "run/plan.hpp"
#include "team/ranks/rank_team.hpp"

namespace assay {

/// The one that was asked for, else mpirun where that is on the path. Nothing where there is no such series, no
/// launcher, or no program to start by it. What it says goes to the terminal, the others are borrowed too. Throws
/// ConfigError (exit code 3) when what was asked for is not there.
std::optional<LauncherSetup> launcher_of(const CampaignPlan& plan, std::size_t cpus, AppContext& context,
                                         TerminationSignals& signals, Journal& journal);

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
