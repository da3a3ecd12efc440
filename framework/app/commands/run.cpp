// SPDX-License-Identifier: Apache-2.0
// `assay run`: measures a campaign and keeps its results.
#include <limits>

#include "app/commands/commands.hpp"
#include "app/measuring.hpp"

namespace assay {

namespace {

int run(const CommandLine& line, const Registry& registry, Terminal& terminal) {
  const auto topology = Topology::this_machine();
  const auto plan = load_plan(line.operands, overrides_of(line), catalogue_of(registry), topology);
  return measure_campaign({plan, topology, command_text("run", line), line.has("quiet"), terminal}, nullptr);
}

}  // namespace

CommandInfo run_command() {
  CommandInfo command;
  command.name = "run";
  command.synopsis = "run FILE... [options]";
  command.summary = "Measures what the files ask for, and keeps the results in a new directory.";
  command.details =
      "Ctrl-C or SIGTERM end a campaign in good order, with all results so far (exit code 75, or by the signal).\n";
  command.least_operands = 1;
  command.most_operands = std::numeric_limits<std::size_t>::max();
  command.options = override_options();
  command.options.insert(command.options.begin(), {"output", "DIR", "directory to create for the results"});
  command.options.push_back(quiet_option());
  command.options.push_back(help_option());
  command.run = &run;
  return command;
}

}  // namespace assay
