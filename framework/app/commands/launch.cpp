// SPDX-License-Identifier: Apache-2.0
// `assay launch`: a rank of a launch that `assay run` started, not people.
#include <charconv>

#include "app/campaign/rank_main.hpp"
#include "app/commands/commands.hpp"
#include "run/mpi/rank_host.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* assay_launch = "assay launch";

int launch_number(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
  throw ConfigError(
      Problem{{assay_launch}, shown(text) + " is not the number of a launch", {}, "'assay run' starts launches"});
}

int run_launch(const CommandLine& line, const Registry& registry, AppContext& context) {
  RankTeams* const ranks = context.ranks;
  if (ranks == nullptr)
    throw ConfigError(Problem{{assay_launch},
                              "this is no rank of a launch",
                              "no launcher of MPI started it, or there is no assay-mpi in the folder of the program",
                              "use 'assay run', which starts launchers"});
  RankSide side;
  for (const RankInfo& rank : ranks->map()) side.ranks.push_back({rank.node, rank.process, rank.cpus});
  side.nodes = cores_of_nodes(ranks->map());
  side.host = [ranks](const CampaignPlan& plan, std::function<void(Nanoseconds)> alive, const std::string& home) {
    return std::make_unique<RankHost>(plan, *ranks, std::move(alive), home);
  };
  measure_in_launch(line.operands[0], launch_number(line.operands[1]), catalogue_of(registry), side);
  return ExitCode::ok;
}

}  // namespace

CommandInfo launch_command() {
  CommandInfo command;
  command.name = "launch";
  command.synopsis = "launch DIR NUMBER [--threads] [--plugin PATH]...";
  command.summary = "Measures in a launch that 'assay run' started, as one of its ranks.";
  command.least_operands = command.most_operands = 2;
  command.options = {{"threads", "", "members may be threads of one rank: MPI is started for several threads"},
                     plugin_option(),
                     help_option()};
  command.run = &run_launch;
  command.hidden = true;
  return command;
}

}  // namespace assay
