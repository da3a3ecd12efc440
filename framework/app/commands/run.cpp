// SPDX-License-Identifier: Apache-2.0
// `assay run`: measures a campaign and keeps its results.
#include <algorithm>
#include <iterator>
#include <limits>

#include "app/campaign/resume_campaign.hpp"
#include "app/campaign/run_campaign.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/commands/commands.hpp"

namespace assay {

namespace {

int run_campaign(const CommandLine& line, const Registry& registry, AppContext& context) {
  apply_rights("assay run", line);
  const auto topology = Topology::this_machine();
  const auto against = against_of(line, context);
  auto plan = load_plan(sources_of(line, registry, against), overrides_of(line), catalogue_of(registry), topology);
  const Facts against_facts = against ? measure_against(plan, *against, overrides_of(line)) : Facts();
  name_builds(plan, registry);
  CampaignRun measuring{&plan, topology, command_text("run", line), line.has("quiet"), context};
  take_options(measuring, line);
  measuring.against = against_facts;
  if (plan.output == "-")
    throw ConfigError(Problem{{"assay run"},
                              "results cannot be written to standard output",
                              "--output names a directory, which '-' is not",
                              "name a directory, and export its results: assay export DIR --format csv"});
  measuring.cycles = wants_cycles_of(plan, line, "assay run");
  refuse_cluster("assay run", plan.output);
  return begin_or_continue(measuring, registry, catalogue_of(registry), line.has("resume"), resume_options_of(line));
}

}  // namespace

CommandInfo run_command() {
  CommandInfo command;
  command.name = "run";
  command.synopsis = "run FILE... [options]";
  command.summary = "Measures what the files ask for, and keeps the results in a directory.";
  command.details =
      operands_text() + against_text() +
      "Ctrl-C or SIGTERM end a campaign in good order, with all results so far (exit code 75, or by the signal).\n"
      "The same command again measures only what is missing; 'assay resume DIR' does so without the files.\n";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.unless_given = "against";
  command.options = override_options();
  command.options.insert(
      command.options.begin(),
      {"output", {"DIR", ValueKind::directory}, "directory for the results; an existing campaign is continued"});
  command.options.push_back(against_option());
  command.options.push_back({"resume", "", "continue although the directory was measured with another plan"});
  for (CommandOption& option : going_options()) command.options.push_back(std::move(option));
  for (CommandOption& option : rights_options()) command.options.push_back(std::move(option));
  command.options.push_back(unit_option());
  command.options.push_back(strict_option());
  command.options.push_back(anonymous_option());
  command.options.push_back(quiet_option());
  command.options.push_back(verbose_option());
  command.options.push_back(help_option());
  command.operands = {{"FILE", ValueKind::campaign}};
  command.exits = {ExitCode::some_failed, ExitCode::environment, ExitCode::storage,
                   ExitCode::refused,     ExitCode::regression,  ExitCode::stopped};
  command.examples = {
      {"assay run configs/quick.ini --output assay-first", "measure a campaign, and keep its results in assay-first"},
      {"assay run sync/lock lock=mutex,spinlock max-time=1s --output assay-locks", "one measurement, without a file"},
      {"assay run configs/quick.ini --series clock --set precision.eps=5% --output assay-clock",
       "one of its series, less accurately"},
      {"assay run my.ini --time-limit 2h || [ $? = 75 ]", "stop in good order after two hours; the same line continues",
       false}};
  command.run = &run_campaign;
  return command;
}

}  // namespace assay
