// SPDX-License-Identifier: Apache-2.0
// Names of collective operations and their algorithms.
#include "record/collective/schedule.hpp"

#include <algorithm>
#include <array>

namespace assay::collective {

namespace {

constexpr std::array<std::string_view, 6> collective_names = {"barrier",   "broadcast", "reduce",
                                                              "allreduce", "allgather", "alltoall"};
constexpr std::array<std::string_view, 8> algorithm_names = {
    "binomial", "recursive-doubling", "ring", "rabenseifner", "bruck", "dissemination", "pairwise", "linear"};

}  // namespace

std::string_view name(Collective collective) { return collective_names[static_cast<std::size_t>(collective)]; }
std::string_view name(Algorithm algorithm) { return algorithm_names[static_cast<std::size_t>(algorithm)]; }

std::optional<Collective> collective_named(std::string_view name) {
  const auto* const found = std::find(collective_names.begin(), collective_names.end(), name);
  if (found == collective_names.end()) return std::nullopt;
  return static_cast<Collective>(found - collective_names.begin());
}

std::optional<Algorithm> algorithm_named(std::string_view name) {
  const auto* const found = std::find(algorithm_names.begin(), algorithm_names.end(), name);
  if (found == algorithm_names.end()) return std::nullopt;
  return static_cast<Algorithm>(found - algorithm_names.begin());
}

std::vector<Collective> collectives() {
  std::vector<Collective> all;
  for (std::size_t i = 0; i < collective_names.size(); ++i) all.push_back(static_cast<Collective>(i));
  return all;
}

}  // namespace assay::collective
