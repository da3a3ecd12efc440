// SPDX-License-Identifier: Apache-2.0
// Which MPI library this program has; answered by the one of two files that is linked.
#pragma once
#include <string>

namespace assay {

/// The library's own description of itself on one line, without MPI being initialised; "none" where the program was
/// built without MPI.
std::string mpi_library();

}  // namespace assay
