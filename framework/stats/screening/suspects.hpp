// SPDX-License-Identifier: Apache-2.0
// Units that a few tests of all nodes make suspicious.
#pragma once
#include <span>
#include <vector>

#include "stats/screening/pair_model.hpp"

namespace assay {

/// A unit with what the tests of all nodes say of it.
struct Suspect {
  FabricUnit unit;
  double effect = 0;  ///< log
  double z = 0;       ///< in standard errors
  double tests = 1;   ///< by which it is known, as against those of a confirmation
};

/// From where on units are suspects. Suspicion is no verdict: it only decides what is tested again.
struct SuspicionOptions {
  double z = 1;               ///< of nodes, switches and groups
  double least = 0.025;       ///< smallest effect, log
  double z_of_pair = 5;       ///< of one test; of a trunk's median, half as much
  double nodes = 0.1;         ///< most nodes, as a share of all
  double pairs = 1.0 / 1024;  ///< most pairs, for each node
  double surely = 4;          ///< nodes, switches and groups beyond this z are suspects, however many they are
};

/// The units whose effects are beyond both bounds: groups, switches, trunks (of which four tests or more were made),
/// nodes, and pairs with a single test each, which are few, and whose nodes are suspects with them: which of the three
/// it is cannot be seen from one test. The most suspicious of a kind first.
std::vector<Suspect> suspects_of(const Fabric& fabric, std::span<const PairTime> tests, const PairModel& model,
                                 const SuspicionOptions& options = {});

}  // namespace assay
