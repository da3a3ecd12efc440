// SPDX-License-Identifier: Apache-2.0
// The program with MPI: `assay-mpi`.
#include <cstdlib>

#include "app/mpi.hpp"
#include "app/mpi_launch.hpp"
#include "platform/process.hpp"
#include "platform/program.hpp"
#include "platform/stop_signals.hpp"
#include "run/rank_host.hpp"
#include "team/mpi_link.hpp"

namespace assay {
namespace {

/// Other commands need nobody's help.
bool measures(const std::vector<std::string>& arguments) {
  return !arguments.empty() && (arguments.front() == "run" || arguments.front() == "resume");
}

}  // namespace

std::string mpi_library() { return mpi_library_text(); }

std::optional<std::string> hand_over_to_mpi(const std::vector<std::string>& /*arguments*/) { return std::nullopt; }

int run_among_ranks(const std::vector<std::string>& arguments, const Fill& fill, Terminal& terminal) {
  const auto launch = launch_of(arguments, [](const char* name) { return std::getenv(name); });
  if (!launch || !measures(arguments)) return run_program(arguments, fill, terminal);
  // Threads of the library inherit what is blocked: a signal to stop that came to one of them would end the process.
  const StopSignals held;
  const MpiSession session;
  const auto link = open_mpi_link();
  Registry registry;
  fill(registry, {});
  RankTeams teams(*link, part_maker(registry));
  if (link->rank() > 0) {
    // A signal to the whole launch is rank 0's to answer.
    become_worker({});
    teams.serve();
    return ExitCode::ok;
  }
  terminal.ranks = &teams;
  const int code = run_program(arguments, fill, terminal);
  terminal.ranks = nullptr;
  teams.dismiss();
  return code;
}

std::string worker_program() { return program_beside("assay").value_or(own_program()); }

}  // namespace assay
