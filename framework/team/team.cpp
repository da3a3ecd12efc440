// SPDX-License-Identifier: Apache-2.0
// Vehicles by name.
#include "team/team.hpp"

namespace assay {

std::unique_ptr<Team> open_team(const Entry& entry, const TeamRequest& request) {
  if (request.vehicle == "thread") return open_thread_team(entry, request);
  if (request.vehicle == "process") return open_process_team(entry, request);
  if (request.vehicle == "mpi")
    throw Unsupported(
        "needs MPI: a launcher (--launcher 'mpirun -np {n}', the default, is not on the path), and a program built "
        "with "
        "MPI, see 'assay --version'; or the program started as ranks, 'mpirun -np 2 assay run FILE'");
  throw Unsupported("this build has no vehicle '" + request.vehicle + "'");
}

}  // namespace assay
