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
  /// serialized or multiple; another word ends the process. Where it is not set, `has_threads` requests multiple, and
  /// else single, since what is requested and not used makes each message more expensive in some libraries. Throws
  /// std::runtime_error.
  explicit MpiSession(bool has_threads);
  /// Finalises it.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

/// The link of this rank; collective over all ranks of the launch. Where they have different thread levels the launch
/// ends. Framework traffic that fails throws std::runtime_error with MPI's own text.
std::unique_ptr<RankLink> open_mpi_link();

/// The library's own description of itself on one line, whether MPI is initialised or not.
std::string mpi_library_text();

}  // namespace assay
