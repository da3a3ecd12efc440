// SPDX-License-Identifier: Apache-2.0
// Measuring a campaign and keeping its results: what `run` and `resume` share.
#pragma once
#include <string>
#include <vector>

#include "app/command.hpp"
#include "record/journal.hpp"
#include "run/plan.hpp"

namespace assay {

/// One campaign to be measured. References are borrowed.
struct Measuring {
  const CampaignPlan& plan;
  const Topology& topology;
  std::string command_line;  ///< as a shell would take it
  bool quiet = false;
  Terminal& terminal;
};

/// A sub-command's arguments as a shell would take them.
std::string command_text(const std::string& command, const CommandLine& line);

/// Measures with signals held back, into a new journal, or after `earlier` in the one of plan.output; prints the
/// tables. Returns the exit code; ends the process by SIGINT where that came.
int measure_campaign(const Measuring& measuring, const JournalContent* earlier);

}  // namespace assay
