// SPDX-License-Identifier: Apache-2.0
// `assay resume`: goes on with an existing campaign, or measures it anew as a further session.
#include "app/campaign/resume_campaign.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/commands/commands.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

// Of the options that decide what a further session is.
void check_resume(const CommandLine& line) {
  if (line.has("every") && !line.has("add-session") && !line.has("sessions"))
    throw ConfigError(Problem{{"assay resume"},
                              "option '--every' alone",
                              "there is one session to continue",
                              "give --sessions or --add-session with it"});
  if (line.has("add-session") && line.has("retry-failed"))
    throw ConfigError(Problem{{"assay resume"},
                              "options '--add-session' and '--retry-failed' exclude each other",
                              "a further session measures every point",
                              "give one of them"});
}

int run_resume(const CommandLine& line, const Registry& registry, AppContext& context) {
  apply_rights("assay resume", line);
  check_resume(line);
  const std::string& directory = line.operands.front();
  refuse_cluster("assay resume", directory);
  if (!holds_campaign(directory))
    throw ConfigError(Problem{{"assay resume"},
                              shown_path(directory) + " holds no results",
                              "it has no " + std::string(journal_name),
                              "name the directory of a campaign"});
  const auto origin = origin_of(directory);
  const auto topology = Topology::this_machine();
  auto plan = stored_plan(origin.configuration, directory + ": configuration", overrides_of(line),
                          catalogue_of(registry), topology);
  plan.output = directory;
  name_builds(plan, registry);
  ResumeOptions resuming = resume_options_of(line);
  resuming.add_session = line.has("add-session");
  if ((resuming.add_session || resuming.new_machine) && !line.has("sessions")) plan.sessions = 1;
  CampaignRun measuring{&plan, topology, command_text("resume", line), line.has("quiet"), context};
  take_options(measuring, line);
  measuring.cycles = wants_cycles_of(plan, line, "assay resume");
  return continue_campaign(measuring, origin, plan, resuming);
}

}  // namespace

CommandInfo resume_command() {
  CommandInfo command;
  command.name = "resume";
  command.synopsis = "resume DIR [options]";
  command.summary = "Continues a campaign: measures what is unfinished, or everything again as a further session.";
  command.details =
      "Finished points are kept, unfinished ones keep their visits so far. The configuration is the stored one; "
      "machine\n"
      "and program must be the same. From three sessions on the intervals are over sessions, and called long-term.\n";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = going_options();
  command.options.insert(
      command.options.end(),
      {{"add-session", "", "measure every point again, as a further session"},
       {"sessions", "S", "sessions in total; with --add-session: number of further ones, default one"},
       {"every", "T", "from the start of a session to the start of the next: 10min, 1h"},
       {"launcher", {"COMMAND", ValueKind::program}, "starts ranks, {n} of them: 'mpirun -np {n}'"},
       {"time-limit", "T", "stop in good order after 30s, 10min, 2h"},
       unit_option(),
       strict_option(),
       anonymous_option(),
       quiet_option(),
       verbose_option(),
       help_option()});
  for (CommandOption& option : rights_options()) command.options.insert(command.options.end() - 2, std::move(option));
  command.operands = {{"DIR", ValueKind::results}};
  command.exits = {ExitCode::some_failed, ExitCode::environment, ExitCode::storage, ExitCode::refused,
                   ExitCode::stopped};
  command.examples = {{"assay resume assay-first", "continue an interrupted campaign"},
                      {"assay resume assay-first --add-session", "measure every point again, as a further session"}};
  command.run = &run_resume;
  return command;
}

}  // namespace assay
