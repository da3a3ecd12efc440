// SPDX-License-Identifier: Apache-2.0
// Starting programs on all nodes by a launcher, and waiting for them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "platform/process/termination_signals.hpp"

namespace assay {

/// One rank on each node of the job that this process is in: srun's way within Slurm, else mpirun's.
std::string usual_launcher(bool within_slurm);

/// The nodes, of those given, that a launcher says were lost while it ran, in their order: Open MPI's "process rank 3
/// with PID 7 on node n3 exited on signal 9", its lost daemons, and Slurm's "error: n3: task 3: Killed" and "Node
/// failure on n3". Not those that ended because another one did.
std::vector<std::string> lost_nodes(std::string_view output, const std::vector<std::string>& nodes);

/// How a launch ended.
struct LaunchEnd {
  std::string ending;    ///< "exited 0", "killed by SIGKILL", or why it could not be started
  std::string output;    ///< the end of what it wrote
  bool ok = false;       ///< the launcher exited with 0
  bool stopped = false;  ///< a request to stop came, and was passed on
};

/// Starts `launcher` with a program and its arguments behind it and waits for its end. A request to stop is passed on
/// to the whole process group; what has not ended 15 s later is killed.
LaunchEnd launch(const std::vector<std::string>& launcher, const std::vector<std::string>& command,
                 TerminationSignals& signals);

}  // namespace assay
