// SPDX-License-Identifier: Apache-2.0
// Suspicion by standard errors.
#include "stats/screening/suspects.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr std::size_t fewest_of_trunk = 4;
constexpr std::size_t fewest_pairs = 2;
constexpr std::size_t fewest_suspect_nodes = 4;
constexpr std::size_t fewest_suspect_leaves = 2;

using Suspects = std::vector<Suspect>;

std::size_t share_of(double share, std::size_t nodes, std::size_t least) {
  return std::max(least, static_cast<std::size_t>(share * static_cast<double>(nodes)));
}

/// The first `most` by z, and all beyond `surely`.
void add_first(Suspects& all, Suspects some, std::size_t most, double surely) {
  std::ranges::stable_sort(some, std::greater<>(), &Suspect::z);
  while (some.size() > most && some.back().z < surely) some.pop_back();
  std::ranges::move(some, std::back_inserter(all));
}

Suspects beyond(UnitKind kind, const std::vector<double>& effects, double error, const SuspicionOptions& options) {
  Suspects found;
  for (std::size_t i = 0; i < effects.size(); ++i)
    if (error > 0 && effects[i] > options.least && effects[i] > options.z * error)
      found.push_back({{kind, i, 0}, effects[i], effects[i] / error});
  return found;
}

Suspects trunks(const Fabric& fabric, std::span<const PairTime> tests, const PairModel& model,
                const SuspicionOptions& options) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> by_trunk;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::size_t a = fabric.group_of(tests[i].pair.first);
    const std::size_t b = fabric.group_of(tests[i].pair.second);
    if (a != b && std::isfinite(model.residual[i])) by_trunk[std::minmax(a, b)].push_back(model.residual[i]);
  }
  Suspects found;
  for (auto& [trunk, residuals] : by_trunk) {
    if (residuals.size() < fewest_of_trunk || by_trunk.size() < 3) continue;
    const double error = model.scale * std::sqrt(1.57 / static_cast<double>(residuals.size()));
    const double effect = median(std::move(residuals));
    if (effect > options.least && effect > options.z_of_pair / 2 * error)
      found.push_back({{UnitKind::trunk, trunk.first, trunk.second}, effect, effect / error});
  }
  return found;
}

Suspects pairs(std::span<const PairTime> tests, const PairModel& model, const SuspicionOptions& options) {
  Suspects found;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (model.residual[i] > std::max(options.least, options.z_of_pair * model.scale))
      found.push_back({{UnitKind::pair, tests[i].pair.first, tests[i].pair.second},
                       model.residual[i],
                       model.residual[i] / model.scale});
  return found;
}

/// The nodes of suspect pairs, unless they are among the suspects.
void add_ends(Suspects& all, const Suspects& of_pairs, const PairModel& model, double rounds) {
  for (const Suspect& pair : of_pairs)
    for (const std::size_t node : {pair.unit.first, pair.unit.second}) {
      const FabricUnit unit{UnitKind::node, node, 0};
      if (std::ranges::find(all, unit, &Suspect::unit) != all.end()) continue;
      const double z = model.node_error > 0 ? model.node[node] / model.node_error : 0;
      all.push_back({unit, model.node[node], z, rounds});
    }
}

}  // namespace

Suspects suspects_of(const Fabric& fabric, std::span<const PairTime> tests, const PairModel& model,
                     const SuspicionOptions& options) {
  Suspects all;
  // What a larger unit is known by is what its nodes have in common: rounds, not tests, are independent.
  const double rounds =
      2 * static_cast<double>(tests.size()) / static_cast<double>(std::max<std::size_t>(1, fabric.nodes()));
  const auto add = [&](Suspects some, std::size_t most, double known_by) {
    for (Suspect& suspect : some) suspect.tests = known_by;
    // One test of heavy tails is far out without any fault.
    add_first(all, std::move(some), most, known_by > 0 ? options.surely : std::numeric_limits<double>::infinity());
  };
  if (fabric.has_groups()) {
    add(beyond(UnitKind::group, model.group, model.group_error, options), fabric.groups() / 2, rounds);
    add(trunks(fabric, tests, model, options), fabric.groups(), rounds);
  }
  if (fabric.has_leaves())
    add(beyond(UnitKind::leaf, model.leaf, model.leaf_error, options),
        share_of(options.nodes, fabric.leaves(), fewest_suspect_leaves), rounds);
  add(beyond(UnitKind::node, model.node, model.node_error, options),
      share_of(options.nodes, fabric.nodes(), fewest_suspect_nodes), rounds);
  Suspects of_pairs;
  std::swap(all, of_pairs);
  // A single test that was chosen for its value says nothing of the next one.
  add(pairs(tests, model, options), share_of(options.pairs, fabric.nodes(), fewest_pairs), 0);
  std::swap(all, of_pairs);
  add_ends(all, of_pairs, model, rounds);
  std::ranges::move(of_pairs, std::back_inserter(all));
  return all;
}

}  // namespace assay
