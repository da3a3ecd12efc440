// SPDX-License-Identifier: Apache-2.0
// A launcher is a child like any other.
#include "app/cluster/node_launch.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

#include "app/cluster/fabric_file.hpp"
#include "base/error.hpp"
#include "platform/process/process.hpp"

namespace assay {

namespace {

constexpr Nanoseconds node_patience = seconds(15);  // with what was asked to end

/// The word that begins at a place, up to a blank, a colon, or a full stop at the end of a sentence.
std::string name_at(std::string_view line, std::size_t at) {
  std::string name(line.substr(at, std::min(line.find_first_of(" :\r", at), line.size()) - at));
  while (name.ends_with('.') || name.ends_with(',')) name.pop_back();
  return name;
}

/// What a line says was lost: a name, or a list of Slurm's; empty where it says no such thing.
std::string lost_in(std::string_view line) {
  const auto behind = [&](std::string_view words) {
    const auto at = line.find(words);
    return at == line.npos ? std::string() : name_at(line, at + words.size());
  };
  const auto has = [&](std::string_view words) { return line.find(words) != line.npos; };
  if (has("exited on signal") || has("Remote daemon")) return behind("on node ");
  if (has("srun: error: Node failure on ")) return behind("Node failure on ");
  const bool is_of_task = has("srun: error: ") && has(": task");
  constexpr std::array ends{"Killed", "Segmentation fault", "Bus error", "Aborted", "Out Of Memory"};
  return is_of_task && std::ranges::any_of(ends, has) ? behind("srun: error: ") : std::string();
}

std::vector<std::string> names_in_list(const std::string& list) {
  try {
    return list.empty() ? std::vector<std::string>() : hosts_in(list);
  } catch (const std::invalid_argument&) {
    return {};
  }
}

}  // namespace

std::vector<std::string> lost_nodes(std::string_view output, const std::vector<std::string>& nodes) {
  std::set<std::string> said;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    for (std::string& name : names_in_list(lost_in(output.substr(0, end)))) said.insert(std::move(name));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  std::vector<std::string> lost;
  for (const std::string& node : nodes)
    if (said.contains(node) || said.contains(node.substr(0, node.find('.')))) lost.push_back(node);
  return lost;
}

std::string usual_launcher(bool within_slurm) {
  return within_slurm ? "srun --ntasks-per-node=1 --mpi=pmix" : "mpirun --map-by ppr:1:node";
}

LaunchEnd launch(const std::vector<std::string>& launcher, const std::vector<std::string>& command,
                 TerminationSignals& signals) {
  LaunchEnd launched;
  // Through env, which finds the launcher on the path.
  std::vector<std::string> arguments = launcher;
  arguments.insert(arguments.end(), command.begin(), command.end());
  try {
    ChildProcess child({"/usr/bin/env", arguments, {}});
    std::string ignored;
    const Interrupt stop{signals.descriptor(), [&] { return signals.requested(); }};
    // No line is sent: the socket closes when the launcher ends, and until then this process sleeps.
    auto status = LineSocket::Status::line;
    while (status == LineSocket::Status::line || status == LineSocket::Status::too_long)
      status = child.socket().receive(ignored, std::nullopt, stop);
    if (status == LineSocket::Status::interrupted) {
      launched.stopped = true;
      child.ask_to_end();
    }
    child.wait(node_patience);
    launched.output = child.output();
    launched.ending = child.kill_group();
    launched.ok = child.succeeded();
  } catch (const PlatformError& error) {
    launched.ending = error.what();
  }
  return launched;
}

}  // namespace assay
