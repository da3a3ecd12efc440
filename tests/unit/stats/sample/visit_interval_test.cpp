// SPDX-License-Identifier: Apache-2.0
// The visit-based interval on samples whose ranks can be worked out by hand.
#include "stats/sample/visit_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

using Visits = std::vector<std::vector<double>>;
constexpr double z = 1.959963984540054;

const std::vector<double> ladder{1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<double> low_visit(8, 1.0);
const std::vector<double> high_visit(8, 9.0);

double classical(std::size_t n) { return z / 2 / std::sqrt(static_cast<double>(n)); }

/// Visits by letter: L below the median, H above it.
Sample pattern(const std::string& letters) {
  Visits visits;
  for (const char letter : letters) visits.push_back(letter == 'L' ? low_visit : high_visit);
  return test::sample_of(visits);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(VisitInterval, OfEqualVisitsIsTheClassicalRankInterval) {
  const auto result = visit_interval(test::sample_of(Visits(8, ladder)), 0.5, 0.05, 0);
  EXPECT_EQ(result.estimate, 4.5);
  EXPECT_NEAR(result.rank_half_width, classical(64), 1e-12);
  // Ranks floor(64 * 0.3775) = 24 and ceil(64 * 0.6225) + 1 = 41, of values that come eight times each.
  EXPECT_EQ(result.interval.low, 3);
  EXPECT_EQ(result.interval.high, 6);
  EXPECT_DOUBLE_EQ(result.interval.level, 0.95);
  EXPECT_NEAR(result.guard.level, 0.99901, 1e-5);
}

TEST(VisitInterval, TheGuardTakes168TimesTheRanks) {
  std::vector<std::vector<double>> visits(8);
  for (int i = 0; i < 64; ++i) visits[static_cast<std::size_t>(i % 8)].push_back(i + 1);
  // Shares below the median are one half in every visit, so the half-width is the classical 0.1225.
  const auto result = visit_interval(test::sample_of(visits), 0.5, 0.05, 0);
  EXPECT_EQ(result.interval.low, 24);
  EXPECT_EQ(result.interval.high, 41);
  EXPECT_EQ(result.guard.low, 18);
  EXPECT_EQ(result.guard.high, 47);
}

TEST(VisitInterval, WidensWithTheSpreadBetweenVisits) {
  Visits visits;
  for (int visit = 1; visit <= 8; ++visit) visits.emplace_back(8, visit);
  const auto result = visit_interval(test::sample_of(visits), 0.5, 0.05, 0);
  // Shares 1 1 1 1 0 0 0 0: their standard deviation is sqrt(2 / 7), on 7 degrees of freedom.
  EXPECT_NEAR(result.rank_half_width, 2.3646243 * std::sqrt(2.0 / 7 / 8), 1e-6);
  EXPECT_EQ(result.interval.low, 1);
  EXPECT_EQ(result.interval.high, 8);
  EXPECT_FALSE(result.guard.available());
}

TEST(VisitInterval, LooksAtGroupsOfTwoAndFour) {
  // Six groups of four equal visits: alternating groups are invisible to none but the coarsest scale.
  const auto fours = visit_interval(pattern(repeated("LLLLHHHH", 3)), 0.5, 0.05, 0);
  EXPECT_NEAR(fours.rank_half_width, 2.5705818 * std::sqrt(0.3 / 6), 1e-6);
  EXPECT_FALSE(fours.interval.available());
  const auto twos = visit_interval(pattern(repeated("LLHH", 3)), 0.5, 0.05, 0);
  EXPECT_NEAR(twos.rank_half_width, 2.5705818 * std::sqrt(0.3 / 6), 1e-6);
}

TEST(VisitInterval, LeavesOutAScaleWithFewerThanFiveGroups) {
  // Sixteen visits make four groups of four, too few; the scale of two decides.
  const auto result = visit_interval(pattern(repeated("LLLLHHHH", 2)), 0.5, 0.05, 0);
  EXPECT_NEAR(result.rank_half_width, 2.3646243 * std::sqrt(2.0 / 7 / 8), 1e-6);
}

TEST(VisitInterval, MergesToAtMost32Batches) {
  // Pairs of a low and a high visit have equal shares: merged, they show no spread at all.
  const auto merged = visit_interval(pattern(repeated("LH", 32)), 0.5, 0.05, 0);
  EXPECT_NEAR(merged.rank_half_width, classical(512), 1e-12);
  const auto separate = visit_interval(pattern(repeated("LH", 16)), 0.5, 0.05, 0);
  EXPECT_GT(separate.rank_half_width, 1.5 * classical(256));
}

TEST(VisitInterval, DropsTheOldestRemainderFromTheErrorOnly) {
  // 33 visits merge in pairs. Counted from the newest each pair is balanced; from the oldest, none is.
  std::string letters = repeated("LHHL", 8);
  const auto result = visit_interval(pattern("L" + letters), 0.5, 0.05, 0);
  EXPECT_EQ(result.estimate, 1);
  // The estimate is low now, so its ties count one half: low visits 0.5, high ones 0.
  EXPECT_NEAR(result.rank_half_width, classical(264), 1e-12);
}

TEST(VisitInterval, AVisitWeighsByItsCleanBatches) {
  Visits visits(8, ladder);
  visits.push_back({100});
  const auto result = visit_interval(test::sample_of(visits), 0.5, 0.05, 0);
  // Unweighted, the share 0 of the last visit would give 0.128, more than the classical half-width.
  EXPECT_NEAR(result.rank_half_width, classical(65), 1e-12);
}

TEST(VisitInterval, UnequalVisitsStillShowTheirSpread) {
  const auto result =
      visit_interval(test::sample_of({{1, 1, 1}, {9, 9, 9, 9}, {1, 1}, {9, 9}, {1, 1, 1, 1}, {9, 9, 9}}), 0.5, 0.05, 0);
  // Excesses 1.5 2 1 1 2 1.5 over a share of one half; 18 observations, 5 degrees of freedom.
  EXPECT_NEAR(result.rank_half_width, 2.5705818 * std::sqrt(6.0 / 5 * 14.5) / 18, 1e-6);
}

TEST(VisitInterval, TiesWithTheMedianCountOneHalf) {
  Visits visits;
  for (int visit = 0; visit < 9; ++visit) visits.emplace_back(8, 4 + visit % 3);
  const auto result = visit_interval(test::sample_of(visits), 0.5, 0.05, 0);
  // Shares 1, 0.5 and 0, three times each, on 8 degrees of freedom.
  EXPECT_EQ(result.estimate, 5);
  EXPECT_NEAR(result.rank_half_width, 2.3060041 * std::sqrt(1.5 / 8 / 9), 1e-6);
}

TEST(VisitInterval, AddsHalfAClockStepOnBothSides) {
  const auto result = visit_interval(test::sample_of(Visits(8, ladder)), 0.5, 0.05, 0.25);
  EXPECT_EQ(result.interval.low, 2.75);
  EXPECT_EQ(result.interval.high, 6.25);
  EXPECT_EQ(result.guard.high, 6.25);
}

TEST(VisitInterval, OfConstantValuesHasNoWidth) {
  const auto result = visit_interval(test::sample_of(Visits(8, std::vector<double>(8, 3.5))), 0.5, 0.05, 0);
  EXPECT_EQ(result.interval.low, 3.5);
  EXPECT_EQ(result.interval.high, 3.5);
  EXPECT_TRUE(result.guard.available());
}

TEST(VisitInterval, OfAnotherQuantile) {
  std::vector<std::vector<double>> visits(10);
  for (int i = 0; i < 100; ++i) visits[static_cast<std::size_t>(i % 10)].push_back(i + 1);
  const auto result = visit_interval(test::sample_of(visits), 0.1, 0.05, 0);
  EXPECT_NEAR(result.estimate, 10.9, 1e-12);
  EXPECT_NEAR(result.rank_half_width, z * 0.03, 1e-9);
  EXPECT_EQ(result.interval.low, 4);
  EXPECT_EQ(result.interval.high, 17);
}

TEST(VisitInterval, NeedsFiveVisits) {
  EXPECT_FALSE(visit_interval(test::sample_of(Visits(4, ladder)), 0.5, 0.05, 0).interval.available());
  EXPECT_TRUE(visit_interval(test::sample_of(Visits(5, ladder)), 0.5, 0.05, 0).interval.available());
}

TEST(VisitInterval, WithoutValuesOrWithValuesThatAreNotFiniteHasNoNumber) {
  EXPECT_TRUE(std::isnan(visit_interval(Sample{}, 0.5, 0.05, 0).estimate));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Visits visits(8, ladder);
    visits[3][5] = bad;
    const auto result = visit_interval(test::sample_of(visits), 0.5, 0.05, 0);
    EXPECT_TRUE(std::isnan(result.estimate));
    EXPECT_FALSE(result.interval.available());
    EXPECT_FALSE(result.guard.available());
  }
}

TEST(VisitInterval, RefusesImpossibleParameters) {
  const Sample sample = test::sample_of(Visits(8, ladder));
  EXPECT_THROW(visit_interval(sample, 0, 0.05, 0), std::invalid_argument);
  EXPECT_THROW(visit_interval(sample, 1, 0.05, 0), std::invalid_argument);
  EXPECT_THROW(visit_interval(sample, 0.5, 0, 0), std::invalid_argument);
  EXPECT_THROW(visit_interval(sample, 0.5, std::numeric_limits<double>::quiet_NaN(), 0), std::invalid_argument);
}

}  // namespace
}  // namespace assay
