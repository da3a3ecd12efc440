// SPDX-License-Identifier: Apache-2.0
// Vehicles by name.
#include "team/team.hpp"

namespace assay {

std::unique_ptr<Team> open_team(const Entry& entry, const TeamRequest& request) {
  if (request.vehicle == "thread") return open_thread_team(entry, request);
  if (request.vehicle == "process") return open_process_team(entry, request);
  if (request.vehicle == "mpi")
    throw Unsupported(
        "needs MPI: start the program as ranks of a launch, such as 'mpirun -np 2 assay run FILE'; 'assay --version' "
        "tells whether it was built with MPI");
  throw Unsupported("this build has no vehicle '" + request.vehicle + "'");
}

}  // namespace assay
