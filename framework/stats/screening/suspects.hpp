// SPDX-License-Identifier: Apache-2.0
// What nodes, leaf switches and groups make of the times of some pairs, and which of them that makes suspicious.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "base/tournament.hpp"
#include "stats/screening/fabric.hpp"

namespace assay {

/// The time of a pair's test.
struct PairTime {
  Match pair;
  std::size_t round = 0;
  double log_time = 0;  ///< NaN where there is none
};

/// Effects on the logarithm of a pair's time, by number of the unit; 0 is the effect of most.
struct PairModel {
  std::vector<double> node;  ///< beyond its leaf switch
  std::vector<double> leaf;  ///< beyond its group
  std::vector<double> group;
  double node_error = 0;  ///< standard errors: what the effects of most units spread by
  double leaf_error = 0;
  double group_error = 0;
  std::vector<double> distance;  ///< by Fabric::distance: what pairs so far apart take more than all
  std::vector<double> residual;  ///< by test: beyond all that; NaN where there is no time
  double scale = 0;              ///< robust standard deviation of residuals
};

/// The median absolute deviation from the median, as the standard deviation of normal values; 0 for none.
double robust_deviation(std::vector<double> values);

/// Fits log time = round + distance + node + node + rest, where a node's effect contains those of its switch and group.
///
/// Effects are Huber's M-estimates (Huber, Robust Estimation of a Location Parameter, 1964), all of them by iteratively
/// reweighted least squares with a small ridge, since a near-bipartite set of pairs would leave the sides open. A leaf
/// switch's effect is the median of its nodes', and a group's that of its switches: a few slow nodes make no switch
/// slow, but most of them do (median polish: Tukey, Exploratory Data Analysis, 1977, chapter 11). A switch of fewer
/// than four nodes, and a group of fewer than three switches, has none. Standard errors are the robust deviations of
/// the estimated effects themselves, most of which are those of healthy units: heavy tails and noise that tests have in
/// common are in them, whatever their law.
PairModel fit_pairs(const Fabric& fabric, std::span<const PairTime> tests);

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
