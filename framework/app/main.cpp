// SPDX-License-Identifier: Apache-2.0
// The program's surroundings: its streams, the measurements that are built in, and what times commands.
#include <iostream>
#include <memory>
#include <utility>

#include "app/cli/command.hpp"
#include "app/cli/mpi.hpp"
#include "app/timing/repeated_command.hpp"
#include "catalog.hpp"
#include "command/run.hpp"
#include "command/timed_program.hpp"
#include "platform/file/nonblocking_output.hpp"
#include "platform/file/terminal.hpp"
#include "text/printable.hpp"

namespace assay {
namespace {

/// A child process as `assay time` runs it, in the same process group, so that Ctrl-C ends both.
class CommandProcess final : public RepeatedCommand {
 public:
  explicit CommandProcess(ProgramPlan plan) : program_(std::move(plan)) {}
  CommandEnd run() override {
    const ProgramEnd end = program_.run(Stopwatch());
    CommandEnd told{end.wall,       end.user_time(), end.system_time(), end.memory(), end.memory() <= own_peak(),
                    end.exit_code()};
    if (told.succeeded()) return told;
    told.ending = ending_of(end.status);
    told.errors = program_.last_errors();
    return told;
  }

 private:
  TimedProgram program_;
};

std::unique_ptr<RepeatedCommand> timed_command(const CommandPlan& plan) {
  ProgramPlan program;
  program.words = plan.words;
  program.input = plan.input;
  program.output = plan.output;
  program.shows_output = plan.shows_output;
  program.shares_group = true;
  return std::make_unique<CommandProcess>(std::move(program));
}

}  // namespace
}  // namespace assay

int main(int count, char** arguments) {
  assay::NonblockingOutput nonblocking(2);
  std::ostream remarks(&nonblocking);
  assay::AppContext context{std::cout, std::cerr, assay::is_terminal(1), assay::is_terminal(2), &remarks};
  context.find_command = assay::timed_command;
  const std::vector<std::string> words(arguments + (count > 0 ? 1 : 0), arguments + count);
  if (const auto told = assay::hand_over_to_mpi(words))
    context.err << "assay: warning: " << assay::printable(*told) << "\n";
  return assay::run_among_ranks(words, assay::register_all, context);
}
