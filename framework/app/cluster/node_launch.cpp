// SPDX-License-Identifier: Apache-2.0
// A launcher is a child like any other.
#include "app/cluster/node_launch.hpp"

#include "base/error.hpp"
#include "platform/process/process.hpp"

namespace assay {

namespace {

constexpr Nanoseconds node_patience = seconds(15);  // with what was asked to end

}  // namespace

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
