// SPDX-License-Identifier: Apache-2.0
// Memory that other ranks reach by one-sided operations or share.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "api/mpi.hpp"
#include "mpi/progress.hpp"

namespace assay {

/// A window of the same size on every rank of a place. Made and freed by the first member of each rank, from enter()
/// and leave().
class MemoryWindow {
 public:
  enum class Kind : std::uint8_t { reached, shared };

  /// Zeroed. Throws Unsupported (N10, with the library's reason), and then on all ranks.
  void make(const MpiPlace& place, std::size_t bytes, Kind kind, const MpiProgress& progress) {
    MPI_Comm_dup(place.communicator, &communicator_);
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
    // In windows of 8 bytes on one node, what others put is lost in MPICH 4.0.2; in those of a line it is not.
    const auto size = static_cast<MPI_Aint>(std::max<std::size_t>(bytes, 64));
    const int error = kind == Kind::shared
                          ? MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, communicator_, &memory_, &window_)
                          : MPI_Win_allocate(size, 1, MPI_INFO_NULL, communicator_, &memory_, &window_);
    if (progress.largest(error == MPI_SUCCESS ? 0 : 1, communicator_) > 0) {
      MPI_Comm_free(&communicator_);
      throw Unsupported("the library has no such window of memory: " + text_of(error), "N10");
    }
    std::fill_n(static_cast<char*>(memory_), bytes, '\0');
    progress.barrier(communicator_);
  }
  void free() {
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
    if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
  }
  MPI_Win handle() const { return window_; }
  /// This rank's memory.
  char* own() const { return static_cast<char*>(memory_); }
  /// Another rank's memory, of a shared window.
  char* of(int rank) const {
    MPI_Aint size = 0;
    int unit = 0;
    void* memory = nullptr;
    MPI_Win_shared_query(window_, rank, &size, &unit, static_cast<void*>(&memory));
    return static_cast<char*>(memory);
  }

 private:
  static std::string text_of(int error) {
    if (error == MPI_SUCCESS) return "another rank says so";
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(error, text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  void* memory_ = nullptr;
};

}  // namespace assay
