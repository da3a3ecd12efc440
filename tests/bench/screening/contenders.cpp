// SPDX-License-Identifier: Apache-2.0
// The ways, each from its description.
#include "bench/screening/contenders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace assay::bench {
namespace {

constexpr double superbench_threshold = 0.05;
constexpr double fixed_threshold = 0.15;
constexpr std::size_t usual_rounds = 6;

using Rounds = std::vector<std::vector<Match>>;

Accusation screened(test::SimulatedCluster& cluster, const ScreeningOptions& options) {
  const ScreeningReport report = cluster.screened(options);
  Accusation accusation{{}, report.tests, report.rounds};
  for (const Confirmed& one : report.slow()) accusation.named.push_back(one.suspect.unit);
  return accusation;
}

Accusation assay(test::SimulatedCluster& cluster, std::uint64_t seed) {
  ScreeningOptions options;
  options.seed = seed;
  return screened(cluster, options);
}

Accusation all_pairs(test::SimulatedCluster& cluster, std::uint64_t seed) {
  ScreeningOptions options;
  options.seed = seed;
  options.rounds = cluster.fabric().nodes();
  options.tests = static_cast<double>(cluster.fabric().nodes()) / 2 + 1;
  options.suspicion.pairs = 1.0 / 16;
  return screened(cluster, options);
}

/// The mean without what lies beyond the threshold of it, until nothing does.
double trimmed_baseline(std::vector<double> values, double threshold) {
  while (true) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    const auto kept = std::ranges::partition(values, [&](double value) { return value <= (1 + threshold) * mean; });
    if (kept.empty() || kept.size() == values.size()) return mean;
    values.erase(kept.begin(), kept.end());
  }
}

/// Means of the nodes' times over rounds; NaN for one without.
std::vector<double> means_of(test::SimulatedCluster& cluster, const Rounds& rounds, Accusation& cost) {
  std::vector<double> sums(cluster.fabric().nodes(), 0.0);
  std::vector<double> counts(sums.size(), 0.0);
  for (const auto& pairs : rounds) {
    const auto times = cluster.measure(pairs);
    cost.tests += pairs.size();
    ++cost.rounds;
    for (std::size_t i = 0; i < pairs.size(); ++i)
      for (const std::size_t node : {pairs[i].first, pairs[i].second}) {
        sums[node] += times[i];
        ++counts[node];
      }
  }
  for (std::size_t node = 0; node < sums.size(); ++node)
    sums[node] = counts[node] > 0 ? sums[node] / counts[node] : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

void name_beyond(const std::vector<double>& means, double bound, std::set<FabricUnit>& named) {
  for (std::size_t node = 0; node < means.size(); ++node)
    if (means[node] > bound) named.insert({UnitKind::node, node, 0});
}

void name_by_superbench(const std::vector<double>& means, std::set<FabricUnit>& named) {
  std::vector<double> known;
  std::ranges::copy_if(means, std::back_inserter(known), [](double mean) { return std::isfinite(mean); });
  if (known.empty()) return;
  name_beyond(means, (1 + superbench_threshold) * trimmed_baseline(known, superbench_threshold), named);
}

Accusation with(std::set<FabricUnit> named, Accusation cost) {
  cost.named.assign(named.begin(), named.end());
  return cost;
}

Accusation superbench_pair_wise(test::SimulatedCluster& cluster, std::uint64_t /*seed*/) {
  Accusation cost;
  std::set<FabricUnit> named;
  name_by_superbench(means_of(cluster, tournament(cluster.fabric().nodes()), cost), named);
  return with(std::move(named), cost);
}

/// Pairs at one distance, greedily from a random order.
std::vector<Match> pairs_at(const Fabric& fabric, std::size_t distance, Rng rng) {
  std::vector<std::size_t> order(fabric.nodes());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order = rng.shuffled(std::move(order));
  std::vector<bool> is_taken(order.size());
  std::vector<Match> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (is_taken[order[i]]) continue;
    const auto partner = std::find_if(
        order.begin() + static_cast<std::ptrdiff_t>(i) + 1, order.end(),
        [&](std::size_t other) { return !is_taken[other] && fabric.distance(order[i], other) == distance; });
    if (partner == order.end()) continue;
    is_taken[order[i]] = is_taken[*partner] = true;
    pairs.push_back({std::min(order[i], *partner), std::max(order[i], *partner)});
  }
  return pairs;
}

Accusation superbench_by_distance(test::SimulatedCluster& cluster, std::uint64_t seed) {
  Accusation cost;
  std::set<FabricUnit> named;
  for (std::size_t distance = 0; distance < 3; ++distance) {
    const auto pairs =
        pairs_at(cluster.fabric(), distance, Rng(seed).substream("distance/" + std::to_string(distance)));
    if (!pairs.empty()) name_by_superbench(means_of(cluster, {pairs}, cost), named);
  }
  return with(std::move(named), cost);
}

/// What healthy pairs take is known, as from an acceptance test.
Accusation fixed_thresholds(test::SimulatedCluster& cluster, std::uint64_t seed) {
  Accusation cost;
  std::set<FabricUnit> named;
  const auto means = means_of(cluster, random_matchings(cluster.fabric(), usual_rounds, seed), cost);
  std::vector<double> all = means;
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
  name_beyond(means, (1 + fixed_threshold) * all[all.size() / 2], named);
  return with(std::move(named), cost);
}

}  // namespace

std::vector<ScreeningContender> screening_contenders() {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  constexpr std::size_t most_for_all_pairs = 1024;
  return {{"assay, screened", &assay, any},
          {"assay, all pairs", &all_pairs, most_for_all_pairs},
          {"SuperBench, pair-wise", &superbench_pair_wise, most_for_all_pairs},
          {"SuperBench, by distance", &superbench_by_distance, any},
          {"fixed: mean of 6 > 1.15", &fixed_thresholds, any}};
}

}  // namespace assay::bench
