// SPDX-License-Identifier: Apache-2.0
// Starting programs on all nodes by a launcher, and waiting for them.
#pragma once
#include <string>
#include <vector>

#include "platform/process/termination_signals.hpp"

namespace assay {

/// One rank on each node of the job that this process is in: srun's way within Slurm, else mpirun's.
std::string usual_launcher(bool within_slurm);

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
