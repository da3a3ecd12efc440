// SPDX-License-Identifier: Apache-2.0
// Resuming a campaign that exists: what `resume` and a repeated `run` share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "app/campaign/run_campaign.hpp"
#include "app/cli/options.hpp"
#include "app/config/config.hpp"

namespace assay {

/// How a campaign goes on.
struct ResumeOptions {
  KeptResults keeping;
  bool add_session = false;  ///< as a further session that measures every point
  bool new_machine = false;  ///< the same on another machine, never beside what others measured
};
/// The options for it that `run` and `resume` share, and what they say.
std::vector<CommandOption> going_options();
ResumeOptions resume_options_of(const CommandLine& line);

/// What a campaign was asked for, and where it was measured last. An anonymous one has the names of this host and user
/// back where they stood, so that paths lead where they led.
struct Origin {
  CampaignRecord campaign;
  std::string configuration;  ///< the latest
  Facts facts;                ///< of the latest session
  int passes = 0;             ///< begun
  bool is_measured = false;   ///< false where it was lost before its first session
  bool is_anonymous = false;  ///< names of host and user were kept out of it
};
/// Reads it from a directory's journal. Throws ResultError when that does not begin with a campaign, and as
/// scan_journal does.
Origin origin_of(const std::string& directory);
/// Whether the directory holds a journal.
bool holds_campaign(const std::string& directory);
/// The end of a journal that has no whole record, as a start that was lost at once leaves it; nothing where it has one,
/// or where there is none. A directory that was left empty is removed.
std::optional<JournalEnd> clear_false_start(const std::string& directory);

/// Reads all that a campaign has into a continuation, which is prepared and has the visits that count.
History replayed(const std::string& directory, Continuation& continuation, HistoryScope scope);

/// Names the build of the plugins that a plan's measurements come from, unless the registry has them built in. Throws
/// PlatformError when a plugin cannot be read.
void name_builds(CampaignPlan& plan, const Registry& registry);

/// Goes on with the campaign in the plan's output, which was measured by the plan `before` until now: measures what is
/// unfinished and the sessions that are missing; says so where nothing is, and writes nothing then. Returns the exit
/// code. Throws ResultError when the machine or the program is another one, naming every difference.
int continue_campaign(const CampaignRun& asked, const Origin& origin, const CampaignPlan& before,
                      const ResumeOptions& resuming);

/// Measures a plan into its output: a new campaign, or the rest of the one that is there, which is of the same meaning
/// unless `any_meaning`. Returns the exit code. Throws ResultError where something else is there, or another campaign.
int begin_or_continue(CampaignRun measuring, const Registry& registry, const Catalogue& catalogue, bool any_meaning,
                      const ResumeOptions& resuming);

}  // namespace assay
