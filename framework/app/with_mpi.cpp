// SPDX-License-Identifier: Apache-2.0
// The program with MPI: `assay-mpi`.
#include <mpi.h>

#include <array>

#include "app/mpi.hpp"
#include "platform/program.hpp"

namespace assay {

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  // One of the few functions that may be called before MPI_Init (MPI 3.1, section 8.1.1).
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown";
  std::string line(text.data(), static_cast<std::size_t>(length));
  return line.substr(0, line.find('\n'));
}

std::optional<std::string> hand_over_to_mpi(const std::vector<std::string>& /*arguments*/) { return std::nullopt; }

std::string worker_program() { return program_beside("assay").value_or(own_program()); }

}  // namespace assay
