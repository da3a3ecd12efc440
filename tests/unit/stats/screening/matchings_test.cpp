// SPDX-License-Identifier: Apache-2.0
// Rounds in which every node meets one other, none twice, and none of its own switch.
#include "stats/screening/matchings.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

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

}  // namespace
}  // namespace assay
