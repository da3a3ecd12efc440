// SPDX-License-Identifier: Apache-2.0
// The program without MPI.
#include "hybrid/kinds.hpp"

namespace assay {

std::unique_ptr<Measurement> make_hybrid(HybridKind, Setup&) {
  throw Unsupported(
      "needs MPI: start the program as ranks, such as 'mpirun -np 2 assay run FILE', where it was built with MPI");
}

}  // namespace assay
