// SPDX-License-Identifier: Apache-2.0
// The tables of exit codes and environment variables.
#include "app/shell/guide.hpp"

#include <algorithm>
#include <utility>

#include "app/shell/prose.hpp"

namespace assay {

std::string program_purpose() {
  return "Measures the cost of synchronization, communication and operating-system services on a\n"
         "node or a cluster, and how reliable each number is.\n";
}

std::vector<ExitMeaning> exit_meanings() {
  using enum ExitCode;
  return {{ok, "every point has a result", "Every point has a result; of other commands: success."},
          {some_failed, "some failed", "Some points have no result; or a check that --strict includes failed."},
          {usage, "wrong use", "Wrong use: an invalid option, operand or file. Nothing was created."},
          {environment, "not possible on this machine",
           "Not possible on this machine: a CPU, a permission, a library or a plugin is missing."},
          {storage, "results cannot be stored", "Results, or other output, cannot be stored."},
          {refused, "incompatible with existing results",
           "Incompatible with existing results: they are damaged, of another plan or machine, in use, or cannot be "
           "compared."},
          {regression, "compare or history found a slower point, reproduce a different one",
           "'compare' or 'history check' found a slower point, or 'reproduce' a different result."},
          {deviating, "cluster found a deviating node or link",
           "'cluster' found a node or a link that is slow, or lacks results that the others have."},
          {internal, "internal error", "An internal error; please report it."},
          {stopped, "stopped early",
           "Stopped early, in good order and with all results so far; 'assay resume' continues."}};
}

std::vector<ExitMeaning> exit_meanings(const CommandInfo& command) {
  std::vector<ExitMeaning> states;
  for (const std::string& state : command.states)
    states.push_back({static_cast<ExitCode>(states.size()), state, as_sentence(state)});
  if (!states.empty()) return states;
  auto codes = command.exits;
  for (const ExitCode code : {ExitCode::ok, ExitCode::usage, ExitCode::storage, ExitCode::internal})
    codes.push_back(code);
  auto all = exit_meanings();
  std::erase_if(all, [&](const ExitMeaning& one) { return std::ranges::find(codes, one.code) == codes.end(); });
  const bool measures = std::ranges::find(command.exits, ExitCode::stopped) != command.exits.end();
  for (ExitMeaning& exit : all) {
    if (!command.failure.empty()) {
      if (exit.code == ExitCode::ok) exit = {ExitCode::ok, "done", "Success."};
      if (exit.code == ExitCode::some_failed)
        exit = {ExitCode::some_failed, command.failure, as_sentence(command.failure)};
      if (exit.code == ExitCode::stopped)
        exit = {ExitCode::stopped, "stopped early", "Stopped by a signal; what there was until then is printed."};
      continue;
    }
    if (measures) continue;
    if (exit.code == ExitCode::ok) exit = {ExitCode::ok, "done", "Success."};
    if (exit.code == ExitCode::some_failed)
      exit = {ExitCode::some_failed, "a check failed", "A check that --strict includes failed."};
  }
  return all;
}

std::vector<EnvironmentVariable> environment_variables() {
  const std::vector<std::string> configured{"run", "plan", "cluster"};
  const std::vector<std::string> measuring{"run", "resume", "cluster"};
  return {{"ASSAY_CAMPAIGN_KEY", "a key of [campaign], in capitals and with '_' for '-': ASSAY_CAMPAIGN_TIME_LIMIT",
           configured},
          {"ASSAY_PRECISION_KEY", "the same of [precision]: ASSAY_PRECISION_EPS", configured},
          {"ASSAY_LAUNCHER", "starts ranks: a shorter name of ASSAY_CAMPAIGN_LAUNCHER", configured},
          {"ASSAY_MPI_THREAD_LEVEL",
           "of ranks: the thread level requested from MPI, single, funneled, serialized or multiple; default: multiple "
           "where members may be threads, else single",
           measuring},
          {"ASSAY_HISTORY", "the history's file, where --file names none", {"history"}},
          {"XDG_DATA_HOME", "the history is in assay/history.sqlite below it; default: ~/.local/share", {"history"}},
          {"NO_COLOR", "if not empty: no colours, unless --color=always", {"show"}},
          {"TERM", "dumb: no colours, no symbols and no rewritten line", {"run", "resume", "show"}},
          {"COLUMNS", "width of the line of progress; default: the terminal's", {"run", "resume"}},
          {"LC_ALL, LC_CTYPE, LANG", "UTF-8: block elements in heat maps; no number depends on them", {"show"}},
          {"SLURM_JOB_END_TIME", "end of the job, before which a campaign ends in good order", measuring},
          {"SLURM_JOB_ID", "within a job of Slurm the default of --launcher is srun", {"cluster"}},
          {"TMPDIR", "folder for files of measurements that need some; default: /tmp", measuring},
          {"PATH", "where programs assay-COMMAND and launchers are looked for", {}}};
}

std::vector<EnvironmentVariable> environment_variables(const std::string& command) {
  auto all = environment_variables();
  std::erase_if(all, [&](const EnvironmentVariable& one) { return std::ranges::count(one.commands, command) == 0; });
  return all;
}

std::vector<CommandInfo> shown_commands() {
  std::vector<CommandInfo> shown;
  for (const CommandEntry& entry : commands())
    if (CommandInfo command = entry.make(); !command.hidden) shown.push_back(std::move(command));
  return shown;
}

}  // namespace assay
