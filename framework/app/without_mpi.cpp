// SPDX-License-Identifier: Apache-2.0
// The program without MPI.
#include "app/mpi_library.hpp"

namespace assay {

std::string mpi_library() { return "none"; }

}  // namespace assay
