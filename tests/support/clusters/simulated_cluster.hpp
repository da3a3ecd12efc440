// SPDX-License-Identifier: Apache-2.0
// Clusters with known faults, whose pairs take simulated times.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "stats/screening/screening.hpp"

namespace assay::test {

/// A two-level fat tree, whose groups are halves or pods of leaf switches; or a dragonfly, whose routers are the
/// leaves.
enum class Wiring : std::uint8_t { fat_tree, dragonfly };
/// 4 to 32 nodes on a leaf. Nodes on the last one may be fewer.
Fabric fabric_of(Wiring wiring, std::size_t nodes);

/// What makes times of equal pairs differ: factors, as logarithms.
struct ClusterNoise {
  double scale = 0.1;     ///< of a test: robust standard deviation (1.4826 times the median absolute deviation)
  double freedom = 3;     ///< its law is Student's t of so many, 3 or more: heavy tails
  double unequal = 0.01;  ///< standard deviation between healthy nodes
  double node = 0;        ///< of a node's state, which lasts: autocorrelation 0.5 between rounds
  double leaf = 0;        ///< of a leaf's, likewise
  double load = 0;        ///< height of a load that passes over the leaves in turn, in waves of 40 rounds
};

/// Faults, each by the factor of the times of all tests that it is part of.
struct ClusterFaults {
  std::vector<std::pair<std::size_t, double>> nodes;
  std::vector<std::pair<std::size_t, double>> leaves;
  std::vector<std::pair<std::size_t, double>> groups;
  std::vector<std::pair<Match, double>> pairs;
  std::vector<std::pair<Match, double>> trunks;  ///< between two groups
  /// A cable from this leaf to the spine of this number, of `spines`: it carries what goes to nodes of the leaf whose
  /// number among all is that modulo `spines`, and what leaves the leaf for such nodes (static routes by destination).
  struct Uplink {
    std::size_t leaf = 0;
    std::size_t spine = 0;
    std::size_t spines = 16;
    double factor = 1;
  };
  std::optional<Uplink> uplink;
  std::vector<std::size_t> dead;  ///< nodes whose tests have no time
};

/// Tests pairs. The same seed gives the same cluster.
class SimulatedCluster {
 public:
  SimulatedCluster(Fabric fabric, const ClusterNoise& noise, ClusterFaults faults, std::uint64_t seed);
  const Fabric& fabric() const { return fabric_; }
  /// The times of the pairs, tested at once; the next call is a round later.
  std::vector<double> measure(const std::vector<Match>& pairs);
  /// All phases of a screening of this cluster.
  ScreeningReport screened(const ScreeningOptions& options = {});

 private:
  void advance();
  double draw();
  double effect_of(std::size_t node) const;
  double effect_of(const Match& pair) const;

  Fabric fabric_;
  ClusterNoise noise_;
  ClusterFaults faults_;
  Rng rng_;
  std::vector<double> fixed_;  ///< by node: what it is, with its leaf and group
  std::vector<double> node_state_;
  std::vector<double> leaf_state_;
  std::size_t round_ = 0;
};

}  // namespace assay::test
