// SPDX-License-Identifier: Apache-2.0
// Ways to find what is slow in a cluster.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/clusters/simulated_cluster.hpp"

namespace assay::bench {

/// What a way names, and what it takes.
struct Accusation {
  std::vector<FabricUnit> named;
  std::size_t tests = 0;
  std::size_t rounds = 0;  ///< one after the other
};

struct ScreeningContender {
  std::string name;
  std::function<Accusation(test::SimulatedCluster&, std::uint64_t seed)> judge;
  std::size_t most_nodes = 0;  ///< beyond which it is not simulated
};

/// Assay's screening; the same after all pairs; SuperBench's pair-wise rounds (all pairs) and its topology-aware ones
/// (a round for each distance); and a fixed threshold on the mean of six rounds.
///
/// SuperBench (Xiong et al., USENIX ATC 2024) names by the rule of its baseline generation (fix_threshold in
/// superbench/analyzer/baseline_generation.py): the mean of all results, without those beyond the threshold of it, over
/// and over, until none is; then what is beyond it. Its rules' usual threshold is 5 %. Results are those of a node: the
/// mean of its tests over all rounds, or of a round each.
std::vector<ScreeningContender> screening_contenders();

}  // namespace assay::bench
