// SPDX-License-Identifier: Apache-2.0
// `assay cluster --drain DIR`: what a finished report means for the scheduler.
#include "app/commands/cluster_drain.hpp"

#include <ostream>
#include <utility>

#include "app/cluster/cluster_folder.hpp"
#include "app/cluster/draining.hpp"
#include "app/cluster/node_launch.hpp"
#include "app/results/results.hpp"
#include "platform/process/termination_signals.hpp"
#include "record/cluster/drain.hpp"
#include "text/number_format.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr const char* assay_cluster = "assay cluster";

[[noreturn]] void refuse_draining(std::string what, std::string why, std::string remedy) {
  throw ConfigError(Problem{{assay_cluster}, std::move(what), std::move(why), std::move(remedy)});
}

void check_line(const CommandLine& line) {
  if (!line.operands.empty())
    refuse_draining("--drain and " + shown(line.operands.front()) + " contradict each other",
                    "--drain measures nothing", "measure first, then: assay cluster --drain DIR");
  for (const auto& [option, values] : line.options)
    if (option != "drain" && option != "yes" && option != "most")
      refuse_draining("--" + option + " is not for --drain", "--drain measures nothing", "leave it out");
}

}  // namespace

void refuse_without_drain(const CommandLine& line) {
  for (const char* option : {"yes", "most"})
    if (line.has(option)) refuse_draining("--" + std::string(option) + " is for --drain only", {}, "leave it out");
}

int run_drain(const CommandLine& line, AppContext& context) {
  check_line(line);
  const std::string directory = line.values("drain").front();
  require_results(assay_cluster, directory);
  if (!ClusterFolder(directory).exists())
    refuse_draining(shown_path(directory) + " contains no cluster's results", {},
                    "name the directory that 'assay cluster' wrote");
  const auto plan = cluster::drain_plan(cluster::verdicts_of(read_results(assay_cluster, directory, context.err)));
  if (!line.has("yes")) {
    print_drains(context.out, plan);
    return ExitCode::ok;
  }
  const auto most = line.value<std::int64_t>("most");
  if (plan.nodes.size() > (most ? static_cast<std::size_t>(*most) : most_drained(plan)))
    throw ResultError("nothing is drained: " + counted(plan.nodes.size(), "node") + " of " +
                      std::to_string(plan.compared) +
                      " would be, which is more than one in ten; look at the report, and say --most N to drain them");
  TerminationSignals signals;
  const bool is_good = drain(context.out, plan, [&](const std::vector<std::string>& arguments) {
    const LaunchEnd end = launch({"scontrol"}, arguments, signals);
    return ScontrolEnd{end.ok, end.ending, end.output};
  });
  return is_good ? ExitCode::ok : ExitCode::some_failed;
}

}  // namespace assay
