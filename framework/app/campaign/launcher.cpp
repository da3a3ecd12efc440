// SPDX-License-Identifier: Apache-2.0
// Where a launcher comes from, and what is missing where there is none.
#include "app/campaign/launcher.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "app/campaign/rank_threads.hpp"
#include "app/cli/mpi.hpp"
#include "app/config/resolved.hpp"
#include "base/error.hpp"
#include "platform/process/program.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

constexpr const char* mpirun_launcher = "mpirun -np {n}";

[[noreturn]] void refuse_launcher(const std::string& what, const std::string& remedy) {
  throw ConfigError(
      Problem{{"launcher"}, what, "series whose members are ranks are measured in launches", remedy, true});
}

}  // namespace

std::optional<LauncherSetup> launcher_of(const CampaignPlan& plan, std::size_t cpus, AppContext& context,
                                         TerminationSignals& signals, Journal& journal) {
  if (std::ranges::none_of(plan.series, is_launched)) return std::nullopt;
  LauncherSetup setup;
  setup.words = launcher_words(plan.launcher.empty() ? mpirun_launcher : plan.launcher);
  const bool is_asked_for = !plan.launcher.empty();
  const bool is_there = program_on_path(setup.words.front()).has_value();
  const auto program = rank_program();
  if (!is_asked_for && !(is_there && program)) return std::nullopt;
  if (!is_there)
    refuse_launcher("'" + printable(setup.words.front()) + "' is not on the path",
                    "install it, or name another launcher with --launcher");
  if (!program)
    refuse_launcher("there is no assay-mpi in the folder of this program",
                    "build it where MPI is installed (ASSAY_MPI=ON)");
  setup.program = *program;
  setup.configuration = resolved_text(launched_part(plan));
  setup.has_threads = has_threads_in_ranks(plan);
  setup.patience = plan.launch_deadline;
  setup.relaunches = plan.relaunches;
  setup.cpus = cpus;
  setup.interrupt = Interrupt{signals.descriptor(), [&signals] { return signals.finish_requested(); }};
  setup.is_urgent = [&signals] { return signals.requested(); };
  setup.tell = [&context](const std::string& text) { context.err << text << std::flush; };
  setup.keep = [&journal] { journal.sync(); };
  return setup;
}

}  // namespace assay
