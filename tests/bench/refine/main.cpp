// SPDX-License-Identifier: Apache-2.0
// Adaptive levels side by side: error of the interpolant against points and timings spent.
#include <algorithm>
#include <cstdio>

#include "strategy.hpp"
#include "surfaces.hpp"

namespace assay::test {
namespace {

constexpr int seeds = 20;
using Strategies = std::vector<std::unique_ptr<Strategy>>;

struct Cost {
  Accuracy accuracy;
  double points = 0;
  double timings = 0;
};

/// Means over seeds; one is enough without noise.
Cost cost_of(const Strategy& strategy, const Curve& curve, double noise, std::size_t points) {
  Cost cost;
  const int runs = noise > 0 ? seeds : 1;
  for (int seed = 1; seed <= runs; ++seed) {
    Oracle oracle(curve, noise, static_cast<std::uint64_t>(seed));
    strategy.run(oracle, curve, points);
    const auto nodes = oracle.nodes();
    // Every strategy gets the better interpolation, chosen in the same way.
    const Accuracy a = accuracy_of(nodes, choose_basis(nodes, Axis({{curve.low, curve.high}, {}, true})), curve);
    cost.accuracy.mean += a.mean / runs;
    cost.accuracy.most += a.most / runs;
    cost.accuracy.worst += a.worst / runs;
    cost.accuracy.wrong += a.wrong / runs;
    cost.points += static_cast<double>(oracle.points()) / runs;
    cost.timings += oracle.timings() / runs;
  }
  return cost;
}

void print_errors(const Strategies& strategies, double noise) {
  std::printf("\nOne variable, %g %% noise, mean over %zu curves\n%-20s %6s %7s %8s %7s %7s %7s %7s\n", 100 * noise,
              known_curves().size(), "strategy", "points", "used", "timings", "mean%", "p99%", "max%", "wrong%");
  for (const auto& strategy : strategies)
    for (const std::size_t points : {16U, 24U, 32U, 48U, 64U}) {
      Cost sum;
      const double share = 1 / static_cast<double>(known_curves().size());
      for (const Curve& curve : known_curves()) {
        const Cost cost = cost_of(*strategy, curve, noise, points);
        sum.points += share * cost.points;
        sum.timings += share * cost.timings;
        sum.accuracy.mean += share * cost.accuracy.mean;
        sum.accuracy.most += share * cost.accuracy.most;
        sum.accuracy.worst += share * cost.accuracy.worst;
        sum.accuracy.wrong += share * cost.accuracy.wrong;
      }
      std::printf("%-20s %6zu %7.1f %8.1f %7.2f %7.1f %7.1f %7.2f\n", strategy->name().c_str(), points, sum.points,
                  sum.timings, 100 * sum.accuracy.mean, 100 * sum.accuracy.most, 100 * sum.accuracy.worst,
                  100 * sum.accuracy.wrong);
    }
}

/// The points used at the smallest allowance with which 99 % of the range is accurate to 5 %, on average over seeds; 0
/// when 400 do not do.
double needed(const Strategy& strategy, const Curve& curve, double noise) {
  for (std::size_t points = 12; points <= 400; points += points < 64 ? 2 : points < 128 ? 8 : 16) {
    const Cost cost = cost_of(strategy, curve, noise, points);
    if (cost.accuracy.most <= 0.05) return cost.points;
  }
  return 0;
}

void print_needed(const Strategies& strategies, double noise) {
  std::printf("\nPoints used until 99 %% of the range is accurate to 5 %%, %g %% noise (-: not with 400)\n%-12s",
              100 * noise, "curve");
  for (const auto& strategy : strategies) std::printf(" %20s", strategy->name().c_str());
  std::printf(" %20s\n", "best peer / Assay");
  for (const Curve& curve : known_curves()) {
    std::printf("%-12s", curve.name.c_str());
    std::vector<double> all;
    for (const auto& strategy : strategies) {
      all.push_back(needed(*strategy, curve, noise));
      all.back() > 0 ? std::printf(" %20.1f", all.back()) : std::printf(" %20s", "-");
    }
    double best = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i] > 0 && (best == 0 || all[i] < best)) best = all[i];
    best > 0 && all[0] > 0 ? std::printf(" %20.2f\n", best / all[0]) : std::printf(" %20s\n", "-");
  }
}

}  // namespace
}  // namespace assay::test

int main() {
  using namespace assay::test;
  Strategies strategies;
  strategies.push_back(assay_refine());
  strategies.push_back(skampi_autorefine());
  strategies.push_back(logp_mpi_bisection());
  strategies.push_back(uniform_log());
  for (const double noise : {0.0, 0.01, 0.02, 0.1}) print_errors(strategies, noise);
  for (const double noise : {0.0, 0.01}) print_needed(strategies, noise);
  for (const double noise : {0.0, 0.01}) print_surfaces(noise, noise > 0 ? 4 : 1);
}
