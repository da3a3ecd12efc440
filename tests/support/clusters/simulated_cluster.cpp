// SPDX-License-Identifier: Apache-2.0
// Times as products of what nodes, switches and links make of them.
#include "support/clusters/simulated_cluster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace assay::test {
namespace {

constexpr double level = 2e3;          // ns, of an exchange within a leaf
constexpr double per_distance = 0.25;  // log, for each further level of switches
constexpr double robust_deviation_of_t3 = 1.134;
constexpr double persistence = 0.5;
constexpr double wave = 40;  // rounds

Fabric tree(std::size_t nodes, std::size_t per_leaf, std::size_t leaves_per_group) {
  std::vector<std::size_t> leaf_of;
  for (std::size_t node = 0; node < nodes; ++node) leaf_of.push_back(node / per_leaf);
  std::vector<std::size_t> group_of;
  for (std::size_t leaf = 0; leaf * per_leaf < nodes; ++leaf) group_of.push_back(leaf / leaves_per_group);
  return {std::move(leaf_of), std::move(group_of)};
}

bool is(const Match& pair, std::size_t a, std::size_t b) {
  return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
}

}  // namespace

Fabric fabric_of(Wiring wiring, std::size_t nodes) {
  const bool is_large = nodes > 2048;
  if (wiring == Wiring::dragonfly)
    return is_large ? tree(nodes, 16, 20) : nodes >= 256 ? tree(nodes, 8, 8) : tree(nodes, 4, 3);
  const std::size_t per_leaf = nodes >= 256 ? 32 : nodes >= 64 ? 8 : 4;
  const std::size_t leaves = (nodes + per_leaf - 1) / per_leaf;
  return tree(nodes, per_leaf, is_large ? 16 : (leaves + 1) / 2);
}

SimulatedCluster::SimulatedCluster(Fabric fabric, const ClusterNoise& noise, ClusterFaults faults, std::uint64_t seed)
    : fabric_(std::move(fabric)),
      noise_(noise),
      faults_(std::move(faults)),
      rng_(seed),
      node_state_(fabric_.nodes()),
      leaf_state_(std::max<std::size_t>(1, fabric_.leaves())) {
  for (std::size_t node = 0; node < fabric_.nodes(); ++node) fixed_.push_back(noise_.unequal * rng_.normal());
  for (const auto& [node, factor] : faults_.nodes) fixed_[node] += std::log(factor);
  for (std::size_t node = 0; node < fabric_.nodes(); ++node) {
    for (const auto& [leaf, factor] : faults_.leaves)
      if (fabric_.leaf_of(node) == leaf) fixed_[node] += std::log(factor);
    for (const auto& [group, factor] : faults_.groups)
      if (fabric_.group_of(node) == group) fixed_[node] += std::log(factor);
  }
}

void SimulatedCluster::advance() {
  const double fresh = std::sqrt(1 - persistence * persistence);
  if (noise_.node > 0)
    for (double& state : node_state_) state = persistence * state + fresh * noise_.node * rng_.normal();
  if (noise_.leaf > 0)
    for (double& state : leaf_state_) state = persistence * state + fresh * noise_.leaf * rng_.normal();
  ++round_;
}

double SimulatedCluster::draw() {
  if (!(noise_.scale > 0)) return 0;
  double squares = 0;
  for (int i = 0; i < static_cast<int>(noise_.freedom); ++i) {
    const double normal = rng_.normal();
    squares += normal * normal;
  }
  return noise_.scale / robust_deviation_of_t3 * rng_.normal() / std::sqrt(squares / noise_.freedom);
}

double SimulatedCluster::effect_of(std::size_t node) const {
  const std::size_t leaf = fabric_.leaf_of(node);
  const double phase =
      static_cast<double>(round_) / wave + static_cast<double>(leaf) / static_cast<double>(leaf_state_.size());
  const double load = noise_.load > 0 ? noise_.load * std::max(0.0, std::sin(2 * std::numbers::pi * phase)) : 0;
  return fixed_[node] + node_state_[node] + leaf_state_[leaf] + load;
}

double SimulatedCluster::effect_of(const Match& pair) const {
  double effect = 0;
  for (const auto& [bad, factor] : faults_.pairs)
    if (is(pair, bad.first, bad.second)) effect += std::log(factor);
  for (const auto& [bad, factor] : faults_.trunks)
    if (is({fabric_.group_of(pair.first), fabric_.group_of(pair.second)}, bad.first, bad.second))
      effect += std::log(factor);
  if (faults_.uplink && fabric_.leaf_of(pair.first) != fabric_.leaf_of(pair.second))
    for (const auto& [to, from] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      const bool passes = fabric_.leaf_of(to) == faults_.uplink->leaf || fabric_.leaf_of(from) == faults_.uplink->leaf;
      // Half of a round trip goes to `to`.
      if (passes && to % faults_.uplink->spines == faults_.uplink->spine)
        effect += std::log((1 + faults_.uplink->factor) / 2);
    }
  return effect;
}

std::vector<double> SimulatedCluster::measure(const std::vector<Match>& pairs) {
  std::vector<double> times;
  for (const Match& pair : pairs) {
    const bool is_dead =
        std::ranges::any_of(faults_.dead, [&](std::size_t node) { return pair.first == node || pair.second == node; });
    const double log_time = static_cast<double>(fabric_.distance(pair.first, pair.second)) * per_distance +
                            effect_of(pair.first) + effect_of(pair.second) + effect_of(pair) + draw();
    times.push_back(is_dead ? std::numeric_limits<double>::quiet_NaN() : level * std::exp(log_time));
  }
  advance();
  return times;
}

ScreeningReport SimulatedCluster::screened(const ScreeningOptions& options) {
  Screening screening(fabric_, options);
  while (!screening.is_done()) {
    std::vector<std::vector<double>> times;
    for (const ScreeningRound& round : screening.next()) times.push_back(measure(round.pairs));
    screening.add(times);
  }
  return screening.report();
}

}  // namespace assay::test
