// SPDX-License-Identifier: Apache-2.0
// `assay cluster-node`: a node's part of a cluster's campaign; started on each node by `assay cluster`, not by people.
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "app/cluster_folder.hpp"
#include "app/commands/commands.hpp"
#include "app/problems.hpp"
#include "app/rank_variables.hpp"
#include "platform/identity.hpp"

namespace assay {

namespace {

using namespace std::chrono_literals;

constexpr auto between_looks = 100ms;

const char* variable(const char* name) { return std::getenv(name); }

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
std::string measure(const CommandLine& line, const Registry& registry, const std::string& folder) {
  std::ostringstream tables;
  std::ostringstream messages;
  Terminal nobody{tables, messages};
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

void wait_for_turn(const ClusterFolder& folder, int rank) {
  while (rank > 0 && !folder.is_over(rank - 1)) std::this_thread::sleep_for(between_looks);
}

int run(const CommandLine& line, const Registry& registry, Terminal& terminal) {
  const ClusterFolder folder(value_of(line, "output").value_or("."));
  const int rank = launch_rank(variable).value_or(0);
  const bool takes_turns = line.has("one-at-a-time");
  if (takes_turns) wait_for_turn(folder, rank);
  // Of several ranks on a node the first one measures.
  if (launch_rank_on_node(variable).value_or(0) == 0) {
    const std::string name = host_name();
    folder.note_presence(name);
    const std::string problem = line.has("nothing") ? "" : measure(line, registry, folder.node(name));
    folder.note_problem(name, problem);
    if (!problem.empty()) terminal.err << "node " << name << ": " << problem << "\n";
  }
  if (takes_turns) folder.end_turn(rank);
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
                     {"one-at-a-time", "", "wait until the rank before has ended its part"},
                     {"nothing", "", "there is nothing to measure on nodes: only tell that this one is there"},
                     {"set", "SECTION.KEY=VALUE", "as for run", true},
                     {"series", "NAME", "as for run", true},
                     help_option()};
  command.run = &run;
  command.hidden = true;
  return command;
}

}  // namespace assay
