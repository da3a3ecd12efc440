// SPDX-License-Identifier: Apache-2.0
// The program without MPI.
#include "mpi/kinds.hpp"

namespace assay {
namespace {
constexpr const char* needs_mpi =
    "needs MPI: start the program as ranks, such as 'mpirun -np 2 assay run FILE', where it was built with MPI";
}

std::unique_ptr<Measurement> make_mpi(MpiKind, Setup&) { throw Unsupported(needs_mpi); }

std::unique_ptr<Measurement> make_mpi_logp(Protocol, Setup&) { throw Unsupported(needs_mpi); }

}  // namespace assay
