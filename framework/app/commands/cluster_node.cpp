// SPDX-License-Identifier: Apache-2.0
// `assay cluster-node`: a node's part of a cluster's campaign; started on each node by `assay cluster`, not by people.
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "app/cli/mpi.hpp"
#include "app/cli/problems.hpp"
#include "app/cluster/cluster_folder.hpp"
#include "app/cluster/measurement_token.hpp"
#include "app/commands/commands.hpp"
#include "platform/clock/system_clock.hpp"
#include "platform/machine/identity.hpp"

namespace assay {

namespace {

const char* launch_variable(const char* name) { return std::getenv(name); }

std::vector<std::string> run_arguments(const CommandLine& line, const std::string& folder) {
  std::vector<std::string> arguments = line.operands;
  for (const std::string& word : {std::string("--output"), folder, std::string("--quiet")}) arguments.push_back(word);
  for (const char* option : {"set", "series"})
    for (const std::string& value : line.values(option)) {
      arguments.push_back(std::string("--") + option);
      arguments.push_back(value);
    }
  return arguments;
}

// A node that cannot measure is the report's business: an exit code would have the launcher end the others.
std::string measure(const CommandLine& line, const Registry& registry, const std::string& folder,
                    MeasurementToken* token) {
  std::ostringstream tables;
  std::ostringstream messages;
  AppContext nobody{tables, messages};
  nobody.token = token;
  const CommandInfo run = run_command();
  try {
    const int code =
        run.run(parse_command_line("assay run", run.options, run_arguments(line, folder)), registry, nobody);
    return code == ExitCode::ok || code == ExitCode::some_failed || code == ExitCode::stopped
               ? ""
               : "'assay run' ended with exit code " + std::to_string(code) + ": " + messages.str();
  } catch (const ConfigError& error) {
    print(messages, error.problems());
    return messages.str();
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Of several ranks on a node the first one measures.
void take_part(const CommandLine& line, const Registry& registry, const ClusterFolder& folder, AppContext& context,
               MeasurementToken* token) {
  if (launch_rank_on_node(launch_variable).value_or(0) != 0) return;
  const std::string name = host_name();
  folder.note_presence(name, launch_rank(launch_variable).value_or(0));
  const std::string problem = line.has("nothing") ? "" : measure(line, registry, folder.node(name), token);
  folder.note_problem(name, problem);
  if (!problem.empty()) context.err << "node " << name << ": " << problem << "\n";
}

int run_cluster_node(const CommandLine& line, const Registry& registry, AppContext& context) {
  const ClusterFolder folder(value_of(line, "output").value_or("."));
  if (!line.has("one-at-a-time")) {
    take_part(line, registry, folder, context, nullptr);
    return ExitCode::ok;
  }
  const MonotonicClock clock;
  const auto pause = [](Nanoseconds time) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(time.count)));
  };
  const int rank = launch_rank(launch_variable).value_or(0);
  // Where the number of ranks is not known, each has one turn, after those before it.
  MeasurementToken token(folder.turns(), rank, launch_size(launch_variable).value_or(rank + 1), {clock, pause});
  token.await([] { return false; });
  take_part(line, registry, folder, context, &token);
  token.retire();
  return ExitCode::ok;
}

}  // namespace

CommandInfo cluster_node_command() {
  CommandInfo command;
  command.name = "cluster-node";
  command.synopsis = "cluster-node FILE... --output DIR [options]";
  command.summary = "Measures this node's part of a campaign of 'assay cluster', into DIR/nodes/NAME.";
  command.least_operands = 1;
  command.most_operands = static_cast<std::size_t>(-1);
  command.options = {{"output", "DIR", "directory of the cluster's results"},
                     {"one-at-a-time", "", "measure in turn with the other ranks"},
                     {"nothing", "", "nothing is measured on nodes: only report that this one takes part"},
                     {"set", "SECTION.KEY=VALUE", "as for run", true},
                     {"series", "NAME", "as for run", true},
                     help_option()};
  command.run = &run_cluster_node;
  command.hidden = true;
  return command;
}

}  // namespace assay
