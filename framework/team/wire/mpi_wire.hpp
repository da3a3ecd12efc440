// SPDX-License-Identifier: Apache-2.0
// A wire between the ranks of a communicator of MPI.
#pragma once
#include <mpi.h>

#include <memory>
#include <vector>

#include "team/wire/wire.hpp"

namespace assay {

/// One rank's end over a communicator, which is the wire's alone and is freed with it. `nodes` has the node of each
/// rank. Who waits polls at first, gives its CPU up at once where `crowded`, and sleeps when it takes long. Messages
/// that fail throw WireError with MPI's own text.
std::unique_ptr<Wire> make_mpi_wire(MPI_Comm communicator, std::vector<int> nodes, bool crowded);

/// Throws std::runtime_error with what was being done and MPI's own text, unless there was no error.
void check_mpi(int error, const char* what);

}  // namespace assay
