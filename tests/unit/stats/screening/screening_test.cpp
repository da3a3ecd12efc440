// SPDX-License-Identifier: Apache-2.0
// Rounds in which each node meets one other, none twice; and simulated clusters of fixed seeds, of which the smallest
// unit that explains what is slow is named, and nothing else.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "stats/screening/screening.hpp"
#include "support/clusters/simulated_cluster.hpp"

namespace assay {
namespace {

/// Switches of four nodes.
Fabric switches_of_four(std::size_t nodes) {
  std::vector<std::size_t> leaf_of;
  for (std::size_t node = 0; node < nodes; ++node) leaf_of.push_back(node / 4);
  return {leaf_of, {}};
}

TEST(Matchings, EveryNodeMeetsOneOtherInEachRoundAndNoneTwice) {
  for (const std::size_t nodes : {16U, 17U, 64U, 1001U}) {
    std::set<std::pair<std::size_t, std::size_t>> met;
    for (const auto& round : random_matchings(switches_of_four(nodes), 6, 1)) {
      EXPECT_EQ(round.size(), nodes / 2);
      std::set<std::size_t> seen;
      for (const Match& match : round) {
        EXPECT_LT(match.first, match.second);
        EXPECT_LT(match.second, nodes);
        EXPECT_TRUE(seen.insert(match.first).second && seen.insert(match.second).second);
        EXPECT_TRUE(met.emplace(match.first, match.second).second) << match.first << " - " << match.second;
      }
    }
  }
}

TEST(Matchings, PairsAreOfTwoSwitches) {
  const Fabric fabric = switches_of_four(64);
  for (const auto& round : random_matchings(fabric, 6, 3))
    for (const Match& match : round) EXPECT_GT(fabric.distance(match.first, match.second), 0U);
}

TEST(Matchings, SeedsDecide) {
  const Fabric fabric(32);
  EXPECT_EQ(random_matchings(fabric, 3, 1), random_matchings(fabric, 3, 1));
  EXPECT_NE(random_matchings(fabric, 3, 1), random_matchings(fabric, 3, 2));
}

TEST(Matchings, AllPairsAreATournament) {
  EXPECT_EQ(random_matchings(Fabric(6), 5, 1), tournament(6));
  EXPECT_EQ(random_matchings(Fabric(2), 6, 1), tournament(2));
  EXPECT_TRUE(random_matchings(Fabric(1), 1, 1).at(0).empty());
}

TEST(Fabrics, DistancesAreByTheTree) {
  const Fabric fabric({0, 0, 1, 2}, {0, 0, 1});
  EXPECT_EQ(fabric.distance(0, 1), 0U);
  EXPECT_EQ(fabric.distance(0, 2), 1U);
  EXPECT_EQ(fabric.distance(0, 3), 2U);
  EXPECT_TRUE(fabric.has_groups());
  EXPECT_FALSE(Fabric(8).has_leaves());
  EXPECT_THROW(Fabric({0, 1}, {0}), std::invalid_argument);
}

using test::ClusterFaults;
using test::ClusterNoise;
using test::SimulatedCluster;
using test::Wiring;

/// "node 5, switch 3", those that are slow.
std::string named_in(const ScreeningReport& report) {
  std::string text;
  for (const Confirmed& one : report.slow()) {
    const FabricUnit& unit = one.suspect.unit;
    text += (text.empty() ? "" : ", ") + std::string(to_text(unit.kind)) + ' ' + std::to_string(unit.first);
    if (unit.kind == UnitKind::pair || unit.kind == UnitKind::trunk) text += " - " + std::to_string(unit.second);
  }
  return text;
}

std::string named(Wiring wiring, std::size_t nodes, const ClusterFaults& faults, std::uint64_t seed = 1) {
  return named_in(SimulatedCluster(test::fabric_of(wiring, nodes), {}, faults, seed).screened());
}

ClusterFaults with_node(std::size_t node, double factor) {
  ClusterFaults faults;
  faults.nodes.emplace_back(node, factor);
  return faults;
}

TEST(Screening, ASlowNodeIsNamedAndAFastOneIsNot) {
  EXPECT_EQ(named(Wiring::fat_tree, 256, with_node(17, 1.3)), "node 17");
  EXPECT_EQ(named(Wiring::fat_tree, 256, with_node(17, 1 / 1.3)), "") << "the sign of effects";
  EXPECT_EQ(named(Wiring::fat_tree, 256, {}), "");
}

TEST(Screening, OfASlowSwitchTheSwitchIsNamedAndNotItsNodes) {
  ClusterFaults faults;
  faults.leaves.emplace_back(3, 1.3);
  EXPECT_EQ(named(Wiring::fat_tree, 256, faults), "switch 3");
  faults.nodes.emplace_back(100, 1.4);
  EXPECT_EQ(named(Wiring::fat_tree, 256, faults), "switch 3, node 100") << "beyond its switch";
}

TEST(Screening, OfASlowHalfTheHalfIsNamed) {
  ClusterFaults faults;
  faults.groups.emplace_back(1, 1.3);
  EXPECT_EQ(named(Wiring::fat_tree, 256, faults), "group 1");
}

TEST(Screening, OfASlowCableBetweenGroupsOfADragonflyThatIsNamed) {
  ClusterFaults faults;
  faults.trunks.emplace_back(Match{2, 9}, 1.5);
  EXPECT_EQ(named(Wiring::dragonfly, 1024, faults), "links between groups 2 - 9");
}

TEST(Screening, ASlowPairIsNamedWhereItWasTestedAndItsNodesAreNot) {
  const Fabric fabric = test::fabric_of(Wiring::fat_tree, 256);
  const ScreeningOptions options;
  ClusterFaults faults;
  faults.pairs.emplace_back(random_matchings(fabric, options.rounds, options.seed).at(0).at(7), 2.5);
  const Match pair = faults.pairs.front().first;
  EXPECT_EQ(named(Wiring::fat_tree, 256, faults),
            "link " + std::to_string(pair.first) + " - " + std::to_string(pair.second));
}

TEST(Screening, WithoutATopologyNodesAreNamed) {
  SimulatedCluster cluster(Fabric(128), {}, with_node(99, 1.3), 2);
  EXPECT_EQ(named_in(cluster.screened()), "node 99");
}

TEST(Screening, NothingIsNamedThatIsWellInManyClusters) {
  std::size_t reports = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    ScreeningOptions options;
    options.seed = seed;
    SimulatedCluster cluster(test::fabric_of(Wiring::fat_tree, 256), {}, {}, seed);
    reports += cluster.screened(options).slow().size();
  }
  EXPECT_LE(reports, 1U) << "without control over all units each cluster has some";
}

TEST(Screening, ADeadNodeIsLacking) {
  ClusterFaults faults;
  faults.dead = {40};
  const ScreeningReport report = SimulatedCluster(test::fabric_of(Wiring::fat_tree, 64), {}, faults, 1).screened();
  ASSERT_EQ(report.lacking.size(), 1U);
  EXPECT_EQ(report.lacking.front().node, 40U);
  EXPECT_EQ(report.lacking.front().without, 6U);
  EXPECT_TRUE(report.slow().empty());
}

TEST(Screening, TestsAreAtMostFourForEachNode) {
  const ScreeningReport report =
      SimulatedCluster(test::fabric_of(Wiring::fat_tree, 1024), {}, with_node(5, 1.25), 3).screened();
  EXPECT_LE(report.tests, 4U * 1024U);
  EXPECT_GE(report.tests, 3U * 1024U);
  EXPECT_EQ(named_in(report), "node 5");
}

TEST(Screening, ItTellsHowLikelyABadPairIsMissed) {
  const ScreeningReport report = SimulatedCluster(test::fabric_of(Wiring::fat_tree, 64), {}, {}, 3).screened();
  EXPECT_NEAR(report.tested_share, 6.0 / 63, 1e-12);
  EXPECT_NEAR(report.missed_pair(100), 1 - 6.0 / 63, 1e-12) << "whatever was tested is found";
  EXPECT_GT(report.missed_pair(1.1), report.missed_pair(2));
  EXPECT_LE(report.missed_pair(1.1), 1);
}

TEST(Screening, TheSameTimesGiveTheSameCourse) {
  const auto course = [] {
    std::vector<std::vector<Match>> pairs;
    SimulatedCluster cluster(test::fabric_of(Wiring::fat_tree, 64), {}, with_node(5, 1.3), 3);
    Screening screening(cluster.fabric());
    while (!screening.is_done()) {
      std::vector<std::vector<double>> times;
      for (const ScreeningRound& round : screening.next()) {
        pairs.push_back(round.pairs);
        times.push_back(cluster.measure(round.pairs));
      }
      screening.add(times);
    }
    return pairs;
  };
  EXPECT_EQ(course(), course());
}

TEST(Screening, ConfirmationsAreAloneOnTheirSwitches) {
  SimulatedCluster cluster(test::fabric_of(Wiring::fat_tree, 256), {}, {}, 3);
  Screening screening(cluster.fabric());
  while (!screening.is_done()) {
    std::vector<std::vector<double>> times;
    for (const ScreeningRound& round : screening.next()) {
      std::vector<std::size_t> used;
      for (const Match& pair : round.pairs)
        for (const std::size_t node : {pair.first, pair.second}) used.push_back(cluster.fabric().leaf_of(node));
      const std::size_t different = std::set<std::size_t>(used.begin(), used.end()).size();
      EXPECT_EQ(different, round.tests.empty() ? cluster.fabric().leaves() : used.size());
      times.push_back(cluster.measure(round.pairs));
    }
    screening.add(times);
  }
}

TEST(Screening, OtherTimesThanAskedForAreRefused) {
  Screening screening(Fabric(8));
  EXPECT_THROW(screening.add({}), std::invalid_argument);
  ScreeningOptions options;
  options.rounds = 1;
  EXPECT_THROW(Screening(Fabric(8), options), std::invalid_argument);
}

TEST(Screening, SmallClustersTestAllPairs) {
  EXPECT_TRUE(all_pairs_cost_no_more(8));
  EXPECT_TRUE(all_pairs_cost_no_more(35));
  EXPECT_FALSE(all_pairs_cost_no_more(36));
}

}  // namespace
}  // namespace assay
