// SPDX-License-Identifier: Apache-2.0
// Room: sub-commands, one file each.
// The built-in sub-commands, one file each.
#pragma once
#include "app/against/against.hpp"
#include "app/cli/command.hpp"
#include "app/config/campaign_source.hpp"
#include "app/config/config.hpp"
#include "platform/topology/topology.hpp"
#include "record/journal/anonymous.hpp"
#include "record/record.hpp"

namespace assay {

CommandInfo run_command();           ///< measures
CommandInfo resume_command();        ///< measures once more
CommandInfo plan_command();          ///< says what would be measured
CommandInfo list_command();          ///< names what exists
CommandInfo placements_command();    ///< classes of placements
CommandInfo describe_command();      ///< explains one thing
CommandInfo show_command();          ///< prints results again
CommandInfo export_command();        ///< writes results in another format
CommandInfo compare_command();       ///< reports what changed
CommandInfo reproduce_command();     ///< runs a crate's campaign here
CommandInfo predict_command();       ///< what parameters say of other things
CommandInfo history_command();       ///< results over time, and against accepted ones
CommandInfo journal_command();       ///< looks after the files of results
CommandInfo doctor_command();        ///< checks the machine
CommandInfo time_command();          ///< times whole commands
CommandInfo launch_command();        ///< a rank of a launch that `run` started
CommandInfo worker_command();        ///< executes visits for `run`
CommandInfo generate_command();      ///< writes manual pages and completions
CommandInfo complete_command();      ///< what a shell may offer
CommandInfo cluster_command();       ///< measures all nodes of a job
CommandInfo check_command();         ///< a line for monitors
CommandInfo cluster_node_command();  ///< measures one of them for `cluster`

/// The option every sub-command has.
CommandOption help_option();
/// The option of those that measure.
CommandOption quiet_option();
CommandOption verbose_option();
CommandOption strict_option();
/// The options of those that measure about rights: of readers of the results, and of the workers.
std::vector<CommandOption> rights_options();
/// Has workers give up rights where the options say so. Throws ConfigError, positioned at `command`.
void apply_rights(const std::string& command, const CommandLine& line);
/// The option of those that show or keep results, and the records of the first operand as it asks for them; `command`
/// and `err` as for read_results.
CommandOption anonymous_option();
/// --state alone|any|shared: which state of the cores the results are of. Puts those of another one in their place
/// where it is asked for; throws ConfigError, positioned at `command`, for another word.
CommandOption state_option();
void apply_state(const CommandLine& line, const std::string& command, std::vector<Record>& records);
/// --unit ns|cycles, and whether core cycles are to stand beside times.
CommandOption unit_option();
bool wants_cycles(const CommandLine& line);
/// The same for the tables that end a campaign. Throws ConfigError, positioned at `command`, for layouts that have
/// columns of their own.
bool wants_cycles_of(const CampaignPlan& plan, const CommandLine& line, const std::string& command);
std::vector<Record> results_of(const CommandLine& line, const std::string& path, const std::string& command,
                               std::ostream& err, const std::vector<std::string>& raw_of = {});
/// What makes results anonymous where the option asks for it, by the names in their records.
std::optional<Anonymizer> anonymizer_of(const CommandLine& line, const std::vector<Record>& records);
/// The options that change what files ask for, and what they ask for then.
std::vector<CommandOption> override_options();
Overrides overrides_of(const CommandLine& line);

/// The measurements of a registry, and those of plugins as a probe worker describes them.
Catalogue catalogue_of(const Registry& registry);
/// Those of the registry and of the plugins given by option `plugin`.
std::vector<Description> descriptions_of(const Registry& registry, const CommandLine& line);
/// What the operands of a command name that takes campaigns, "-" being this process's standard input; and the text of
/// its help about them. Throws ConfigError as campaign_sources() does.
std::vector<CampaignSource> sources_of(const CommandLine& line, const Registry& registry,
                                       const std::optional<Against>& against = std::nullopt);
std::string operands_text();

/// --against, which also makes the operands of sources_of unnecessary, with the text of the help about it; and what it
/// names. Throws ConfigError and ResultError as look_at() does, and in a launch of ranks.
CommandOption against_option();
std::string against_text();
std::optional<Against> against_of(const CommandLine& line, const AppContext& context);

/// The option that names a plugin.
CommandOption plugin_option();

/// --topology: a machine to plan for, as an XML file of hwloc or its synthetic text; this machine where it is not
/// given. Throws ConfigError, positioned at `command`, for one that cannot be read.
CommandOption topology_option();
Topology machine_of(const CommandLine& line, const std::string& command);

/// The value of an option that is given at most once.
std::optional<std::string> value_of(const CommandLine& line, const std::string& option);

}  // namespace assay
