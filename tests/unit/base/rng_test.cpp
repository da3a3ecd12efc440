// SPDX-License-Identifier: Apache-2.0
// The same seed gives the same numbers forever, and they are as uniform as they claim.
#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace assay {
namespace {

// Chi-square statistic of counts against a uniform distribution.
template <class Counts>
double chi_square(const Counts& counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(StableHash, IsFnv1a) {
  // Test vectors published with the algorithm (Fowler, Noll, Vo).
  EXPECT_EQ(stable_hash(""), 0xcbf29ce484222325U);
  EXPECT_EQ(stable_hash("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(stable_hash("foobar"), 0x85944171f73967e8U);
}

TEST(RngTest, IsTheStandardEngine) {
  // The C++ standard fixes the 10000th draw of a default-seeded mt19937_64.
  Rng rng(5489);
  for (int i = 0; i < 9999; ++i) rng.next();
  EXPECT_EQ(rng.next(), 9981545732273789042U);
}

TEST(RngTest, KeepsItsSequences) {
  Rng rng(1);
  EXPECT_EQ(rng.next(), 2469588189546311528U);
  EXPECT_EQ(rng.below(1000), 462U);
  EXPECT_EQ(rng.uniform(), 0.45121490384453811);
  EXPECT_NEAR(rng.normal(), 0.87556596068784009, 1e-12);
  EXPECT_EQ(rng.shuffled(std::vector<int>{1, 2, 3, 4, 5}), (std::vector<int>{3, 4, 2, 5, 1}));
  EXPECT_EQ(Rng(1).substream("round/3").next(), 7994630293659988056U);
  EXPECT_EQ(Rng(0).substream("").next(), 10206686602075774780U);
}

TEST(RngTest, SubstreamsDoNotDependOnTheOrderOfUse) {
  Rng used(7);
  const auto first = used.substream("a").next();
  used.next();
  used.substream("b").next();
  EXPECT_EQ(used.substream("a").next(), first);
  EXPECT_EQ(Rng(7).substream("a").next(), first);
}

TEST(RngTest, SubstreamsDoNotAdvanceTheirParent) {
  Rng parent(7);
  Rng twin(7);
  parent.substream("a").next();
  EXPECT_EQ(parent.next(), twin.next());
}

TEST(RngTest, SubstreamsDiffer) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    firsts.insert(Rng(seed).next());
    for (int i = 0; i < 50; ++i) firsts.insert(Rng(seed).substream("round/" + std::to_string(i)).next());
  }
  EXPECT_EQ(firsts.size(), 20U * 51U);
  EXPECT_NE(Rng(1).substream("a").substream("b").next(), Rng(1).substream("b").substream("a").next());
  EXPECT_EQ(Rng(9).seed(), 9U);
}

TEST(RngTest, BelowIsUniform) {
  Rng rng(8);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100000; ++i) ++counts[rng.below(10)];
  EXPECT_LT(chi_square(counts), 27.9);  // the 99.9 % quantile with 9 degrees of freedom
}

TEST(RngTest, BelowHasNoModuloBias) {
  // With a bound of 3/4 of the range, plain modulo would draw the lower third twice as often as the rest.
  Rng rng(9);
  const std::uint64_t bound = 3ULL << 62U;
  std::array<int, 3> counts{};
  for (int i = 0; i < 30000; ++i) {
    const auto draw = rng.below(bound);
    ASSERT_LT(draw, bound);
    ++counts[draw >> 62U];
  }
  EXPECT_LT(chi_square(counts), 13.8);  // the 99.9 % quantile with 2 degrees of freedom
}

TEST(RngTest, BelowOneIsZero) {
  Rng rng(10);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.below(1), 0U);
}

TEST(RngTest, UniformCoversTheUnitInterval) {
  Rng rng(11);
  std::array<int, 20> counts{};
  for (int i = 0; i < 100000; ++i) {
    const double draw = rng.uniform();
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, 1);
    ++counts[static_cast<std::size_t>(draw * 20)];
  }
  EXPECT_LT(chi_square(counts), 43.8);  // the 99.9 % quantile with 19 degrees of freedom
}

TEST(RngTest, NormalHasItsMomentsAndTails) {
  Rng rng(12);
  constexpr int n = 100000;
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < n; ++i) {
    const double draw = rng.normal();
    sum += draw;
    squares += draw * draw;
    beyond_two += std::abs(draw) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / n, 0, 0.015);
  EXPECT_NEAR(squares / n, 1, 0.02);
  EXPECT_NEAR(static_cast<double>(beyond_two) / n, 0.0455, 0.003);
}

TEST(RngTest, ShufflesEveryOrderEquallyOften) {
  Rng rng(13);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) {
    const auto order = rng.shuffled(std::array<int, 3>{0, 1, 2});
    ASSERT_EQ(order[0] + order[1] + order[2], 3);
    ++counts[static_cast<std::size_t>(order[0] * 2 + (order[1] > order[2] ? 1 : 0))];
  }
  EXPECT_LT(chi_square(counts), 20.5);  // the 99.9 % quantile with 5 degrees of freedom
}

TEST(RngTest, ShufflesNothingToo) {
  Rng rng(14);
  EXPECT_TRUE(rng.shuffled(std::vector<int>{}).empty());
  EXPECT_EQ(rng.shuffled(std::vector<int>{4}), std::vector<int>{4});
}

}  // namespace
}  // namespace assay
