// SPDX-License-Identifier: Apache-2.0
// Faults at random places.
#include "bench/screening/scenarios.hpp"

#include <algorithm>
#include <set>

namespace assay::bench {
namespace {

constexpr std::size_t planted_nodes = 3;
using test::Wiring;

PlantedCluster slow_nodes(const Fabric& fabric, double factor, Rng& rng) {
  PlantedCluster planted;
  std::set<std::size_t> nodes;
  while (nodes.size() < planted_nodes) nodes.insert(rng.below(fabric.nodes()));
  for (const std::size_t node : nodes) {
    planted.faults.nodes.emplace_back(node, factor);
    planted.truth.push_back({{UnitKind::node, node, 0}});
  }
  return planted;
}

std::vector<FabricUnit> nodes_where(const Fabric& fabric, auto belongs) {
  std::vector<FabricUnit> nodes;
  for (std::size_t node = 0; node < fabric.nodes(); ++node)
    if (belongs(node)) nodes.push_back({UnitKind::node, node, 0});
  return nodes;
}

PlantedCluster healthy(const Fabric& /*fabric*/, Wiring /*wiring*/, Rng& /*rng*/) { return {}; }
PlantedCluster by_25(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) { return slow_nodes(fabric, 1.25, rng); }
PlantedCluster by_10(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) { return slow_nodes(fabric, 1.10, rng); }

PlantedCluster in_correlated_noise(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) {
  PlantedCluster planted = slow_nodes(fabric, 1.25, rng);
  planted.noise.node = 0.05;
  planted.noise.leaf = 0.05;
  return planted;
}

PlantedCluster under_load(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) {
  PlantedCluster planted = slow_nodes(fabric, 1.25, rng);
  planted.noise.load = 0.15;
  return planted;
}

PlantedCluster bad_leaf(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) {
  PlantedCluster planted;
  const std::size_t leaf = rng.below(fabric.leaves());
  planted.faults.leaves.emplace_back(leaf, 1.25);
  planted.truth.push_back({{UnitKind::leaf, leaf, 0}});
  planted.excused = nodes_where(fabric, [&](std::size_t node) { return fabric.leaf_of(node) == leaf; });
  return planted;
}

PlantedCluster bad_group(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) {
  PlantedCluster planted;
  const std::size_t group = rng.below(fabric.groups());
  planted.faults.groups.emplace_back(group, 1.25);
  planted.truth.push_back({{UnitKind::group, group, 0}});
  planted.excused = nodes_where(fabric, [&](std::size_t node) { return fabric.group_of(node) == group; });
  return planted;
}

PlantedCluster bad_cable(const Fabric& fabric, Wiring wiring, Rng& rng) {
  PlantedCluster planted;
  if (wiring == Wiring::dragonfly) {
    const std::size_t one = rng.below(fabric.groups());
    const std::size_t other = (one + 1 + rng.below(fabric.groups() - 1)) % fabric.groups();
    const Match groups{std::min(one, other), std::max(one, other)};
    planted.faults.trunks.emplace_back(groups, 1.5);
    planted.truth.push_back({{UnitKind::trunk, groups.first, groups.second}});
    return planted;
  }
  const std::size_t leaf = rng.below(fabric.leaves());
  const std::size_t spines = std::max<std::size_t>(2, fabric.nodes_of(0).size() / 2);
  const std::size_t spine = rng.below(spines);
  planted.faults.uplink = test::ClusterFaults::Uplink{leaf, spine, spines, 2.0};
  planted.truth.push_back(
      nodes_where(fabric, [&](std::size_t node) { return fabric.leaf_of(node) == leaf && node % spines == spine; }));
  planted.excused.push_back({UnitKind::leaf, leaf, 0});
  // Links that pass the cable are slow, whoever is at their ends.
  for (const std::size_t node : fabric.nodes_of(leaf))
    for (std::size_t other = spine; other < fabric.nodes(); other += spines)
      planted.excused.push_back({UnitKind::pair, std::min(node, other), std::max(node, other)});
  return planted;
}

PlantedCluster slow_pair(const Fabric& fabric, Wiring /*wiring*/, Rng& rng) {
  PlantedCluster planted;
  const std::size_t one = rng.below(fabric.nodes());
  const std::size_t other = (one + 1 + rng.below(fabric.nodes() - 1)) % fabric.nodes();
  const Match pair{std::min(one, other), std::max(one, other)};
  planted.faults.pairs.emplace_back(pair, 2.0);
  planted.truth.push_back({{UnitKind::pair, pair.first, pair.second}});
  return planted;
}

bool is_large(UnitKind kind) { return kind == UnitKind::leaf || kind == UnitKind::group; }

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{{"nothing wrong", &healthy},
                                         {"3 nodes slow by 25 %", &by_25},
                                         {"3 nodes slow by 10 %", &by_10},
                                         {"3 by 25 %, correlated noise", &in_correlated_noise},
                                         {"3 by 25 %, load that drifts", &under_load},
                                         {"a switch slow by 25 %", &bad_leaf},
                                         {"a group slow by 25 %", &bad_group},
                                         {"a bad cable", &bad_cable},
                                         {"a pair slow by 100 %", &slow_pair}};
  return all;
}

Score score_of(const PlantedCluster& planted, const Accusation& accusation, bool names_nodes_only) {
  Score score;
  const std::set<FabricUnit> named(accusation.named.begin(), accusation.named.end());
  std::set<FabricUnit> right(planted.excused.begin(), planted.excused.end());
  for (const auto& names : planted.truth) {
    right.insert(names.begin(), names.end());
    ++score.faults;
    const auto hits = [&](const std::vector<FabricUnit>& units) {
      return static_cast<std::size_t>(
          std::ranges::count_if(units, [&](const FabricUnit& unit) { return named.contains(unit); }));
    };
    const bool by_nodes =
        names_nodes_only && is_large(names.front().kind) && 2 * hits(planted.excused) >= planted.excused.size();
    score.found += hits(names) > 0 || by_nodes ? 1 : 0;
  }
  for (const FabricUnit& unit : named) score.false_alarms += right.contains(unit) ? 0 : 1;
  return score;
}

}  // namespace assay::bench
