// SPDX-License-Identifier: Apache-2.0
// `assay show`: the tables of a finished or interrupted campaign.
#include <ostream>

#include "app/commands/commands.hpp"
#include "app/results.hpp"
#include "record/table.hpp"

namespace assay {

namespace {

int run(const CommandLine& line, const Registry& /*registry*/, Terminal& terminal) {
  print_results(terminal.out, read_results("assay show", line.operands.front(), terminal.err));
  return ExitCode::ok;
}

}  // namespace

CommandInfo show_command() {
  CommandInfo command;
  command.name = "show";
  command.synopsis = "show DIR";
  command.summary = "Prints the results of a campaign as tables.";
  command.least_operands = 1;
  command.most_operands = 1;
  command.options = {help_option()};
  command.run = &run;
  return command;
}

}  // namespace assay
