// SPDX-License-Identifier: Apache-2.0
// Backfitting, one node after the other, given all others; and suspicion by standard errors.
#include "stats/screening/suspects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "stats/sample/summary.hpp"

namespace assay {
namespace {

constexpr double to_deviation = 1.4826;  // of the median absolute deviation, for a normal distribution
constexpr double huber = 1.2;            // 93 % efficient for normal noise, and more so for heavier tails
constexpr double ridge = 2;              // tests without an effect, in addition to a node's own
constexpr int sweeps = 25;
constexpr std::size_t fewest_nodes = 4;
constexpr std::size_t fewest_leaves = 3;
constexpr std::size_t fewest_parts = 5;
constexpr std::size_t distances = 3;
constexpr double error_of_medians = 1.57;  // variance of a median over that of a mean, for a normal distribution
constexpr double clearly = 2.5;            // standard errors

using Values = std::vector<double>;

double median_or_zero(Values values) { return values.empty() ? 0 : median(std::move(values)); }

class Fit {
 public:
  Fit(const Fabric& fabric, std::span<const PairTime> tests)
      : fabric_(fabric), tests_(tests), rest_(tests.size()), total_(fabric.nodes(), 0.0), of_node_(fabric.nodes()) {
    for (std::size_t i = 0; i < tests.size(); ++i) {
      rest_[i] = tests[i].log_time;
      if (!std::isfinite(rest_[i])) continue;
      of_node_[tests[i].pair.first].push_back(i);
      of_node_[tests[i].pair.second].push_back(i);
    }
  }

  PairModel model() {
    PairModel model;
    level(model);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      scale_ = robust_deviation(residuals());
      for (std::size_t node = 0; node < total_.size(); ++node) total_[node] = location(node, ridge);
      centre();
    }
    // The ridge was for what partners make of a test; effects themselves are not to be too small.
    Values free = total_;
    for (std::size_t node = 0; node < total_.size(); ++node)
      if (!of_node_[node].empty()) free[node] = location(node, 0);
    total_ = std::move(free);
    centre();
    split(model);
    model.residual.resize(tests_.size());
    for (std::size_t i = 0; i < tests_.size(); ++i) model.residual[i] = residual(i);
    model.scale = robust_deviation(residuals());
    return model;
  }

 private:
  /// Takes the levels of rounds and of distances out, each as a median.
  void level(PairModel& model) {
    model.distance.assign(distances, 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      subtract_medians([&](std::size_t i) { return tests_[i].round; });
      const Values taken = subtract_medians(
          [&](std::size_t i) { return fabric_.distance(tests_[i].pair.first, tests_[i].pair.second); });
      for (std::size_t d = 0; d < taken.size(); ++d) model.distance[d] += taken[d];
    }
  }

  template <class Key>
  Values subtract_medians(Key key) {
    std::vector<Values> by_key;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      by_key.resize(std::max(by_key.size(), key(i) + 1));
      if (std::isfinite(rest_[i])) by_key[key(i)].push_back(rest_[i]);
    }
    Values medians;
    for (Values& values : by_key) medians.push_back(median_or_zero(std::move(values)));
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] -= medians[key(i)];
    return medians;
  }

  double residual(std::size_t i) const {
    return rest_[i] - total_[tests_[i].pair.first] - total_[tests_[i].pair.second];
  }
  Values residuals() const {
    Values found;
    for (std::size_t i = 0; i < rest_.size(); ++i)
      if (std::isfinite(rest_[i])) found.push_back(residual(i));
    return found;
  }

  /// What the node adds to its tests, by Huber's weights about what it was thought to add.
  double location(std::size_t node, double shrinkage) const {
    double sum = 0;
    double weights = shrinkage;
    const double bound = huber * scale_;
    for (const std::size_t i : of_node_[node]) {
      const double off = std::abs(residual(i));
      const double weight = off <= bound ? 1 : bound / off;
      sum += weight * (residual(i) + total_[node]);
      weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
  }

  void centre() {
    const double middle = median_or_zero(total_);
    for (double& effect : total_) effect -= middle;
  }

  Values effects_of(const std::vector<std::size_t>& nodes) const {
    Values effects;
    for (const std::size_t node : nodes)
      if (!of_node_[node].empty()) effects.push_back(total_[node]);
    return effects;
  }

  void split(PairModel& model) const {
    model.node = total_;
    model.leaf.assign(fabric_.leaves(), 0.0);
    model.group.assign(fabric_.groups(), 0.0);
    if (fabric_.has_leaves()) split_leaves(model);
    model.node_error = robust_deviation(model.node);
  }

  void split_leaves(PairModel& model) const {
    Values within;
    Values sizes;
    std::vector<Values> by_group(fabric_.groups());
    for (std::size_t leaf = 0; leaf < fabric_.leaves(); ++leaf) {
      const Values effects = effects_of(fabric_.nodes_of(leaf));
      if (effects.size() < fewest_nodes) continue;
      sizes.push_back(static_cast<double>(effects.size()));
      model.leaf[leaf] = median(effects);
      by_group[fabric_.group_of_leaf(leaf)].push_back(model.leaf[leaf]);
      for (const double effect : effects) within.push_back(effect - model.leaf[leaf]);
    }
    // Few switches spread by chance less than they are uncertain by.
    const double by_nodes = sizes.empty() ? 0 : robust_deviation(within) * std::sqrt(error_of_medians / median(sizes));
    // What is no more than that would only make nodes less certain.
    for (std::size_t leaf = 0; leaf < fabric_.leaves(); ++leaf)
      if (std::abs(model.leaf[leaf]) > clearly * by_nodes)
        for (const std::size_t node : fabric_.nodes_of(leaf)) model.node[node] -= model.leaf[leaf];
    split_groups(model, by_group);
    model.leaf_error = std::max(robust_deviation(model.leaf), by_nodes);
    const double leaves_of_each = static_cast<double>(fabric_.leaves()) / static_cast<double>(fabric_.groups());
    model.group_error = model.leaf_error / std::sqrt(std::max(1.0, leaves_of_each));
    if (fabric_.groups() >= fewest_parts)
      model.group_error = std::max(robust_deviation(model.group), model.group_error);
  }

  void split_groups(PairModel& model, const std::vector<Values>& by_group) const {
    const bool has_groups = fabric_.has_groups() && std::ranges::all_of(by_group, [](const Values& leaves) {
                              return leaves.size() >= fewest_leaves;
                            });
    if (!has_groups) return;
    for (std::size_t group = 0; group < by_group.size(); ++group) model.group[group] = median(by_group[group]);
    for (std::size_t leaf = 0; leaf < fabric_.leaves(); ++leaf)
      model.leaf[leaf] -= model.group[fabric_.group_of_leaf(leaf)];
    const double middle = median_or_zero(model.group);
    for (double& effect : model.group) effect -= middle;
  }

  const Fabric& fabric_;
  std::span<const PairTime> tests_;
  Values rest_;   ///< log times without the levels of rounds and distances
  Values total_;  ///< effects of nodes, with those of switch and group
  std::vector<std::vector<std::size_t>> of_node_;
  double scale_ = 0;
};

}  // namespace

double robust_deviation(Values values) {
  if (values.empty()) return 0;
  const double middle = median(values);
  for (double& value : values) value = std::abs(value - middle);
  return to_deviation * median(std::move(values));
}

PairModel fit_pairs(const Fabric& fabric, std::span<const PairTime> tests) { return Fit(fabric, tests).model(); }

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
