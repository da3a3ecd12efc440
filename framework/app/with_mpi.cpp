// SPDX-License-Identifier: Apache-2.0
// The program with MPI: `assay-mpi`.
#include <cstdlib>

#include "app/campaign/launcher.hpp"
#include "app/campaign/resume_campaign.hpp"
#include "app/cli/command.hpp"
#include "app/cli/mpi.hpp"
#include "app/plugin_loader.hpp"
#include "platform/process/dead_mans_switch.hpp"
#include "platform/process/process.hpp"
#include "platform/process/program.hpp"
#include "platform/process/termination_signals.hpp"
#include "run/mpi/rank_host.hpp"
#include "team/ranks/mpi_link.hpp"

namespace assay {
namespace {

/// As a rank of a launch that another `assay` started, which gives all of them the same order.
bool is_started(const std::vector<std::string>& arguments) {
  return !arguments.empty() && arguments.front() == "launch";
}

CommandLine parsed(const std::vector<std::string>& arguments) {
  for (const CommandEntry& command : commands())
    if (command.name == arguments.front())
      return parse_command_line("assay " + arguments.front(), command.make().options,
                                {arguments.begin() + 1, arguments.end()});
  return {};
}

/// Whether members may be threads of one rank. Each rank finds that out for itself, before MPI begins: a library that
/// is started for several threads locks in each call, and its messages take a fifth longer. What is wrong with the
/// arguments is reported later.
bool may_have_threads(const std::vector<std::string>& arguments, const Registry& registry) {
  try {
    const CommandLine line = parsed(arguments);
    if (is_started(arguments)) return line.has("threads");
    if (line.operands.empty()) return true;
    CampaignPlaces places{campaign_folders(), {}, nullptr};
    for (const auto& entry : registry.entries()) places.measurements.push_back(entry.description.name);
    const bool goes_on = arguments.front() == "resume";
    if (goes_on && !holds_campaign(line.operands.front())) return false;  // of another node's disk
    const std::vector<CampaignSource> sources =
        goes_on ? std::vector{CampaignSource(line.operands.front(), origin_of(line.operands.front()).configuration)}
                : campaign_sources(line.operands, places);
    return may_have_threads_in_ranks(sources, line.values("set"), registry);
  } catch (const std::exception&) {
    return true;
  }
}

void load_plugins(Registry& registry, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == "--plugin") load_plugin(registry, arguments[i + 1]);
}

/// Other commands need no other rank.
bool measures(const std::vector<std::string>& arguments) {
  return !arguments.empty() && (arguments.front() == "run" || arguments.front() == "resume" || is_started(arguments));
}

}  // namespace

std::string mpi_library() { return mpi_library_text(); }

std::optional<std::string> hand_over_to_mpi(const std::vector<std::string>& /*arguments*/) { return std::nullopt; }

int run_among_ranks(const std::vector<std::string>& arguments, const Fill& fill, AppContext& context) {
  const auto launch = launch_of(arguments, [](const char* name) { return std::getenv(name); });
  if (!launch || !measures(arguments)) return run_program(arguments, fill, context);
  // Threads of the library inherit what is blocked: a signal to stop that came to one of them would end the process.
  const TerminationSignals held;
  Registry registry;
  fill(registry, {});
  if (is_started(arguments)) load_plugins(registry, arguments);
  const MpiSession session(may_have_threads(arguments, registry));
  const auto link = open_mpi_link();
  RankTeams teams(*link, part_maker(registry), [](Nanoseconds patience) {
    hold_dead_mans_switch(patience, "assay: error: no message from rank 0 for minutes; this rank ends\n");
  });
  if (link->rank() > 0) {
    // A signal to the whole launch is rank 0's to answer.
    become_worker({});
    teams.serve();
    return ExitCode::ok;
  }
  // A launcher that is killed must leave no process behind.
  die_with_parent();
  context.ranks = &teams;
  // What plugins have is part of what a rank can measure.
  const Fill all = [&](Registry& to, std::string_view name) {
    fill(to, name);
    if (is_started(arguments)) load_plugins(to, arguments);
  };
  const int code = run_program(arguments, all, context);
  context.ranks = nullptr;
  teams.dismiss();
  return code;
}

std::optional<std::string> rank_program() { return own_program(); }

std::string worker_program() { return program_beside("assay").value_or(own_program()); }

}  // namespace assay
