// SPDX-License-Identifier: Apache-2.0
// Launchers by the variables that they leave to their ranks.
#include "app/cli/mpi.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace assay {
namespace {

// Of each launcher the one that is the rank, since a size alone may be left over in a shell.
constexpr const char* ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

// Commands that are no rank's work, however they were started.
constexpr std::string_view ranks_to_none[] = {"worker", "cluster", "cluster-node", "generate", "complete"};

constexpr const char* all_ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
constexpr const char* sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
constexpr const char* node_ranks[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"};

template <class Names>
std::optional<int> number_in(const Names& names, const std::function<const char*(const char*)>& environment) {
  for (const char* name : names) {
    const char* text = environment(name);
    if (text == nullptr) continue;
    int number = 0;
    const std::string_view digits(text);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> launch_size(const std::function<const char*(const char*)>& environment) {
  return number_in(sizes, environment);
}

std::optional<int> launch_rank(const std::function<const char*(const char*)>& environment) {
  return number_in(all_ranks, environment);
}

std::optional<int> launch_rank_on_node(const std::function<const char*(const char*)>& environment) {
  return number_in(node_ranks, environment);
}

std::optional<std::string> launch_of(const std::vector<std::string>& arguments,
                                     const std::function<const char*(const char*)>& environment) {
  if (!arguments.empty() && std::ranges::find(ranks_to_none, arguments.front()) != std::end(ranks_to_none))
    return std::nullopt;
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
