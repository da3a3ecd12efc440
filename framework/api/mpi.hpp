// SPDX-License-Identifier: Apache-2.0
// What a measurement under the vehicle "mpi" gets beside its Setup. The only installed header that needs MPI.
#pragma once
#include <mpi.h>

#include <stdexcept>
#include <vector>

#include "api/common_time.hpp"
#include "api/measurement.hpp"

namespace assay {

/// One rank among those that hold members of a team. The measurement is constructed on each of them and lives there
/// with the members that are this rank's threads.
///
/// A constructor must not wait for another rank: whether all could be built is agreed afterwards. From enter() on,
/// anything may be sent; what throws then ends the launch, since it is unknown what the others wait for. Only
/// Unsupported may be thrown from enter() and from run() by the first member of a rank, and only where every rank
/// throws it there.
struct MpiPlace {
  MPI_Comm communicator = MPI_COMM_NULL;  ///< of these ranks, for this measurement's use alone; errors are fatal on it
  int rank = 0;                           ///< in the communicator
  int thread_level = MPI_THREAD_SINGLE;   ///< that the library provides
  std::vector<int> nodes;                 ///< number of its node, by rank
  std::vector<int> members;               ///< how many of the team's members each rank holds, by rank
  std::vector<int> seats;                 ///< the rank that holds each member, by member
  bool crowded = false;                   ///< somewhere more members than CPUs: polling has to give the CPU up
  bool gives_way = false;                 ///< the library gives the CPU up while it waits, whatever its settings
  const CommonTime* time = nullptr;       ///< the clock that these ranks have in common; see there for when

  int ranks() const { return static_cast<int>(nodes.size()); }
};

/// The place of this rank. Throws Unsupported under any other vehicle.
inline const MpiPlace& mpi_place(const Setup& setup) {
  if (setup.mpi() == nullptr) throw Unsupported("needs MPI: runs under the vehicle mpi only");
  return *setup.mpi();
}

}  // namespace assay
