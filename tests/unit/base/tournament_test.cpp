// SPDX-License-Identifier: Apache-2.0
// Tournaments of 1 to 33 units.
#include "base/tournament.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace assay {
namespace {

std::set<std::size_t> players_of(const std::vector<Match>& round) {
  std::set<std::size_t> players;
  for (const Match& match : round) {
    EXPECT_TRUE(players.insert(match.first).second) << match.first;
    EXPECT_TRUE(players.insert(match.second).second) << match.second;
  }
  return players;
}

std::set<std::pair<std::size_t, std::size_t>> pairs_of(const std::vector<std::vector<Match>>& rounds) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& round : rounds)
    for (const Match& match : round) {
      EXPECT_LT(match.first, match.second);
      EXPECT_TRUE(pairs.emplace(match.first, match.second).second) << match.first << " " << match.second;
    }
  return pairs;
}

TEST(Tournament, HasEveryPairOnceInTheFewestRoundsOfDisjointPairs) {
  for (std::size_t units = 2; units <= 33; ++units) {
    SCOPED_TRACE(units);
    const auto rounds = tournament(units);
    EXPECT_EQ(rounds.size(), units % 2 == 0 ? units - 1 : units);
    for (const auto& round : rounds) EXPECT_EQ(players_of(round).size(), units - units % 2);
    const auto pairs = pairs_of(rounds);
    EXPECT_EQ(pairs.size(), units * (units - 1) / 2);
    EXPECT_LT(pairs.rbegin()->second, units);
  }
}

TEST(Tournament, OfAnOddNumberLetsEachSitOutOnce) {
  for (std::size_t units = 3; units <= 33; units += 2) {
    std::multiset<std::size_t> absent;
    for (const auto& round : tournament(units)) {
      const auto players = players_of(round);
      for (std::size_t unit = 0; unit < units; ++unit)
        if (!players.contains(unit)) absent.insert(unit);
    }
    EXPECT_EQ(absent.size(), units);
    EXPECT_EQ(std::set(absent.begin(), absent.end()).size(), units);
  }
}

TEST(Tournament, OnePairAtATimeHasTheSamePairs) {
  for (std::size_t units = 1; units <= 33; ++units) {
    const auto rounds = tournament(units, Meeting::one_by_one);
    EXPECT_EQ(rounds.size(), units * (units - 1) / 2);
    for (const auto& round : rounds) EXPECT_EQ(round.size(), 1U);
    EXPECT_EQ(pairs_of(rounds), pairs_of(tournament(units)));
  }
}

TEST(Tournament, OfFewerThanTwoHasNoRounds) {
  EXPECT_TRUE(tournament(0).empty());
  EXPECT_TRUE(tournament(1).empty());
}

}  // namespace
}  // namespace assay
