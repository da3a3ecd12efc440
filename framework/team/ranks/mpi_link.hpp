// SPDX-License-Identifier: Apache-2.0
// The framework's traffic over MPI, on a communicator of its own.
#pragma once
#include <memory>
#include <string>

#include "team/ranks/rank_link.hpp"

namespace assay {

/// MPI between its beginning and its end. One per process; every other object here lives within it.
class MpiSession {
 public:
  /// Initialises MPI and requests the thread level of the variable ASSAY_MPI_THREAD_LEVEL: single, funneled,
  /// serialized, or multiple, which is asked for where it is not set; another word ends the process.
  /// Throws std::runtime_error.
  MpiSession();
  /// Finalises it.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// The link of this rank; collective over all ranks of the launch. Framework traffic that fails throws
/// std::runtime_error with MPI's own text.
std::unique_ptr<RankLink> open_mpi_link();

/// The library's own description of itself on one line, whether MPI is initialised or not; where it was with a thread
/// level below `multiple`, that too.
std::string mpi_library_text();

}  // namespace assay
