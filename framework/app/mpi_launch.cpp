// SPDX-License-Identifier: Apache-2.0
// Launchers by the variables that they leave to their ranks.
#include "app/mpi_launch.hpp"

namespace assay {
namespace {

// Of each launcher the one that is the rank, since a size alone may be left over in a shell.
constexpr const char* ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

}  // namespace

std::optional<std::string> launch_of(const std::vector<std::string>& arguments,
                                     const std::function<const char*(const char*)>& environment) {
  if (!arguments.empty() && arguments.front() == "worker") return std::nullopt;
  for (const char* name : ranks)
    if (const char* rank = environment(name); rank != nullptr && *rank != '\0')
      return "rank " + std::string(rank) + " of an MPI launch (" + name + ")";
  return std::nullopt;
}

std::string library_in(std::string_view version) {
  constexpr std::string_view label = "\nMPI: ";
  const auto found = version.find(label);
  if (found == version.npos) return "unknown";
  version.remove_prefix(found + label.size());
  return std::string(version.substr(0, version.find('\n')));
}

}  // namespace assay
