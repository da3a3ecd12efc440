// SPDX-License-Identifier: Apache-2.0
// The launcher that a campaign uses for series whose members are ranks.
#pragma once
#include <optional>

#include "app/cli/command.hpp"
#include "platform/process/termination_signals.hpp"
#include "record/journal/journal.hpp"
#include "run/mpi/mpi_launches.hpp"

namespace assay {

/// The one that was asked for, else mpirun where that is on the path. Nothing where there is no such series, no
/// launcher, or no program to start by it. What it says goes to the terminal, the others are borrowed too. Throws
/// ConfigError (exit code 3) when what was asked for is not there.
std::optional<LauncherSetup> launcher_of(const CampaignPlan& plan, std::size_t cpus, AppContext& context,
                                         TerminationSignals& signals, Journal& journal);

}  // namespace assay
