// SPDX-License-Identifier: Apache-2.0
// Shifts, adjusted p-values and verdicts, by hand and against published examples.
#include "stats/comparison/comparison.hpp"

#include <gmock/gmock-matchers.h>

#include <limits>
#include <stdexcept>

namespace assay {
namespace {

/// Medians of incarnations around `centre` without ties, a step of `step` (relative) apart.
std::vector<double> medians(int n, double centre, double step) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(centre * (1 + step * (i - (n - 1) / 2.0)));
  return values;
}

/// B against A of `n` incarnations each; B's values lie between A's where the ratio is 1.
Contest contest(int n, double ratio, double step = 1e-4) {
  return {medians(n, 100, step), medians(n, 100 * ratio * (1 + step / 3), step)};
}

Finding alone(const Contest& one) { return compare(std::span(&one, 1)).at(0); }

/// One point of interest, the last, among `others` unchanged ones.
Finding among(std::size_t others, const Contest& one) {
  std::vector<Contest> all(others, contest(static_cast<int>(one.a.size()), 1));
  all.push_back(one);
  return compare(all).back();
}

TEST(Shifts, ByHand) {
  const Shift shift = shift_of({{1, 2, 4}, {8, 16, 32}, false});
  EXPECT_TRUE(shift.is_ratio);
  EXPECT_NEAR(shift.value, 8, 1e-12) << "of the ratios 2 4 4 8 8 8 16 16 32";
  EXPECT_FALSE(shift.interval.available()) << "three against three have no interval of 95 %";
  EXPECT_NEAR(shift.p, 0.1, 1e-12);
}

TEST(Shifts, APublishedExample) {
  // Hollander, Wolfe and Chicken, table 4.1: permeability of the human chorioamnion at term and at 12 to 26 weeks. W of
  // the shorter group is 30, two-sided p 0.2544, shift -0.305.
  const Shift shift =
      shift_of({{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, {1.15, 0.88, 0.90, 0.74, 1.21}, true});
  EXPECT_FALSE(shift.is_ratio);
  EXPECT_NEAR(shift.value, -0.305, 1e-12);
  EXPECT_NEAR(shift.p, 0.2544, 5e-5);
  EXPECT_NEAR(shift.interval.low, -0.76, 1e-12);
  EXPECT_NEAR(shift.interval.high, 0.15, 1e-12);
}

TEST(Shifts, IntervalByRanks) {
  // Differences of 0 1 2 3 4 and 10 20 30 40 50, sorted: 6 7 8 9 10 | 16 .. 46 47 48 49 50; the third from either end.
  const Shift shift = shift_of({{0, 1, 2, 3, 4}, {10, 20, 30, 40, 50}, false});
  EXPECT_FALSE(shift.is_ratio) << "0 has no logarithm";
  EXPECT_EQ(shift.value, 28);
  EXPECT_EQ(shift.interval.low, 8);
  EXPECT_EQ(shift.interval.high, 48);
  EXPECT_NEAR(shift.interval.level, 0.968, 1e-3);
}

TEST(Shifts, AreInvariantToScaleAndAntisymmetric) {
  const Contest one{{3, 5, 4.5, 7, 6}, {6.1, 8, 9, 7.2, 5.3}};
  const Shift forth = shift_of(one);
  const Shift back = shift_of({one.b, one.a});
  EXPECT_NEAR(forth.value * back.value, 1, 1e-12);
  EXPECT_NEAR(forth.interval.low * back.interval.high, 1, 1e-12);
  EXPECT_EQ(forth.p, back.p);
}

TEST(Shifts, NeedTwoSides) { EXPECT_THROW(shift_of({{}, {1, 2}}), std::invalid_argument); }

TEST(AdjustedP, ThePublishedExample) {
  // Benjamini and Hochberg 1995, section 4.1: fifteen hypotheses, of which q = 0.05 rejects four.
  const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const auto q = adjusted(p);
  EXPECT_EQ(std::count_if(q.begin(), q.end(), [](double one) { return one <= 0.05; }), 4);
  EXPECT_NEAR(q[0], 0.0015, 1e-12);
  EXPECT_NEAR(q[3], 0.035625, 1e-12);
  EXPECT_NEAR(q[4], 0.0298 * 15 / 7 > 0.0603 ? 0.0603 : 0.0298 * 15 / 7, 1e-12) << "never above a larger p's";
  EXPECT_EQ(q[14], 1);
}

TEST(AdjustedP, KeepsTheOrderOfThePoints) {
  const std::vector<double> p{0.5, 0.01, 1, 0.02};
  const auto q = adjusted(p);
  EXPECT_DOUBLE_EQ(q[1], 0.04);
  EXPECT_DOUBLE_EQ(q[3], 0.04);
  EXPECT_DOUBLE_EQ(q[0], 0.5 * 4 / 3);
  EXPECT_EQ(q[2], 1);
  EXPECT_TRUE(adjusted({}).empty());
}

TEST(Verdicts, SlowerFasterAndSame) {
  EXPECT_EQ(alone(contest(10, 1.1)).change, Change::slower);
  EXPECT_EQ(alone(contest(10, 0.9)).change, Change::faster);
  EXPECT_EQ(alone(contest(10, 1)).change, Change::same);
}

TEST(Verdicts, OfARateMoreIsFaster) {
  Contest rate = contest(10, 1.1);
  rate.larger_is_better = true;
  EXPECT_EQ(alone(rate).change, Change::faster);
  std::swap(rate.a, rate.b);
  EXPECT_EQ(alone(rate).change, Change::slower);
}

TEST(Verdicts, ASignificantChangeWithinTheMarginIsSame) {
  const Finding small = alone(contest(10, 1.01));
  EXPECT_LT(small.adjusted_p, 0.001);
  EXPECT_EQ(small.change, Change::same);
}

TEST(Verdicts, TheMarginIsAnEdge) {
  EXPECT_EQ(alone(contest(10, 1.0195)).change, Change::same);
  EXPECT_EQ(alone(contest(10, 1.0215)).change, Change::slower);
  Contest wide = contest(10, 1.03);
  wide.margin = 0.05;
  EXPECT_EQ(alone(wide).change, Change::same);
}

TEST(Verdicts, WhatSharingCanMakeIsNoChange) {
  Contest found = contest(10, 1.2);
  found.circumstance = largest_sharing_effect(0.3);
  EXPECT_EQ(alone(found).change, Change::unclear);
  EXPECT_FALSE(alone(found).needed) << "more incarnations do not help";
  std::swap(found.a, found.b);
  EXPECT_EQ(alone(found).change, Change::unclear);
  found.circumstance = largest_sharing_effect(0.1);
  EXPECT_EQ(alone(found).change, Change::faster);
  Contest equal = contest(10, 1);
  equal.circumstance = 2;
  EXPECT_EQ(alone(equal).change, Change::same);
}

TEST(Verdicts, WhatSharingCanMakeOfDifferences) {
  Contest difference{medians(10, -50, 1e-4), medians(10, -40, 1.1e-4), true};
  difference.circumstance = 1.3;
  EXPECT_EQ(alone(difference).change, Change::unclear);
  difference.circumstance = 1.1;
  EXPECT_EQ(alone(difference).change, Change::slower);
}

TEST(Verdicts, SharingHalfOfTheTimeIsSharingForAMedian) {
  EXPECT_EQ(largest_sharing_effect(0), 1);
  EXPECT_EQ(largest_sharing_effect(0.01), 1);
  EXPECT_NEAR(largest_sharing_effect(0.4), 1.44, 1e-9);
  EXPECT_EQ(largest_sharing_effect(0.5), 2.1);
  EXPECT_EQ(largest_sharing_effect(1), 2.1);
}

TEST(Verdicts, AChangeThatSomethingElseMayHaveMadeIsPossible) {
  EXPECT_EQ(to_text(only_possible(Change::slower)), "possibly slower");
  EXPECT_EQ(to_text(only_possible(Change::faster)), "possibly faster");
  EXPECT_EQ(only_possible(Change::same), Change::same);
  EXPECT_EQ(only_possible(Change::unclear), Change::unclear);
}

TEST(Verdicts, AnAlarmTakesMoreThanAReport) {
  // Six against six cannot go below 2/924: among ten points that is 0.0216, which is reported, and no alarm.
  const Finding slower = among(9, contest(6, 3));
  ASSERT_LE(slower.adjusted_p, usual_q);
  EXPECT_EQ(slower.change, Change::possibly_slower);
  EXPECT_EQ(slower.needed, 7);
  EXPECT_THAT(slower.reason, testing::HasSubstr("0.02"));
  EXPECT_EQ(among(9, contest(6, 1.0 / 3)).change, Change::possibly_faster);
  const Finding alarm = among(8, contest(6, 3));
  EXPECT_EQ(alarm.change, Change::slower) << "0.0195";
  EXPECT_FALSE(alarm.needed);
  const std::vector<Contest> both{contest(6, 3), contest(6, 1)};
  EXPECT_EQ(compare(both, 0.02).front().change, Change::possibly_slower) << "the share is one of q";
}

TEST(Verdicts, AtTheMarginMoreIncarnationsNeedNotSettleIt) {
  const Finding edge = alone(contest(10, 1.0198, 4e-4));
  ASSERT_GT(edge.shift.interval.high, 1.02);
  ASSERT_LT(edge.shift.value, 1.02);
  EXPECT_EQ(edge.change, Change::unclear);
  EXPECT_FALSE(edge.needed);
}

TEST(Verdicts, AWideIntervalIsUnclearAndTellsHowManyAreNeeded) {
  const Finding wide = alone(contest(10, 1, 0.02));
  ASSERT_TRUE(wide.shift.interval.available());
  const double width = wide.shift.interval.high - wide.shift.interval.low;
  ASSERT_GT(width, 0.04);
  EXPECT_EQ(wide.change, Change::unclear);
  EXPECT_EQ(wide.needed, static_cast<int>(std::ceil(10 * (width / 0.04) * (width / 0.04))));
}

TEST(Verdicts, AnInsignificantChangeBeyondTheMarginIsUnclear) {
  const Contest noisy{{100, 110, 120, 130, 140}, {105, 116, 127, 138, 149}};
  const Finding finding = alone(noisy);
  ASSERT_GT(finding.shift.value, 1.02);
  EXPECT_EQ(finding.change, Change::unclear);
  EXPECT_GT(finding.needed.value_or(0), 5);
}

TEST(Verdicts, AChangeIsOneWhereTheWholeIntervalIsBeyondTheMargin) {
  // Significant, and twice the margin, but an interval that begins below it.
  const Finding finding = alone(contest(10, 1.04, 0.008));
  ASSERT_LE(finding.adjusted_p, usual_q);
  ASSERT_GT(finding.shift.value, 1.03);
  ASSERT_LT(finding.shift.interval.low, 1.02);
  EXPECT_EQ(finding.change, Change::unclear);
  EXPECT_GT(finding.needed.value_or(0), 10);
  EXPECT_EQ(alone(contest(10, 1.04, 0.001)).change, Change::slower);
  const Finding faster = alone(contest(10, 1 / 1.04, 0.008));
  ASSERT_GT(faster.shift.interval.high, 0.98);
  EXPECT_EQ(faster.change, Change::unclear);
}

TEST(Verdicts, BeyondWhatSharingCanMakeTheWholeIntervalHasToBe) {
  Contest found = contest(10, 1.13, 0.008);
  found.circumstance = largest_sharing_effect(0.1);
  const Finding finding = alone(found);
  ASSERT_GT(finding.shift.value, found.circumstance);
  ASSERT_LT(finding.shift.interval.low, found.circumstance);
  EXPECT_EQ(finding.change, Change::unclear);
  EXPECT_GT(finding.needed.value_or(0), 10);
}

TEST(Verdicts, TooFewIncarnationsForSoManyPointsAreUnclearNeverSame) {
  // Five against five cannot go below 2/252: 12 points leave 0.0083 to the first, 13 leave 0.0077.
  EXPECT_EQ(among(11, contest(5, 3)).change, Change::possibly_slower);
  EXPECT_EQ(among(11, contest(5, 1)).change, Change::same);
  for (const double ratio : {1.0, 1.05, 3.0, 0.1}) {
    const Finding finding = among(12, contest(5, ratio));
    EXPECT_EQ(finding.change, Change::unclear) << ratio;
    EXPECT_EQ(finding.needed, 6) << ratio;
  }
}

TEST(Verdicts, WhatManyPointsShareShowsWithFewerIncarnations) {
  // Not one of hundreds changed, but all: the procedure asks less of each.
  const std::vector<Contest> all(300, contest(5, 1.2));
  for (const Finding& finding : compare(all)) EXPECT_EQ(finding.change, Change::slower);
}

TEST(Verdicts, OneIncarnationTellsNothing) {
  const Finding finding = alone(contest(1, 5));
  EXPECT_EQ(finding.change, Change::unclear);
  EXPECT_EQ(finding.needed, 4);
}

TEST(Verdicts, WithoutAnIntervalNothingIsTold) {
  Contest apart = contest(3, 5);
  EXPECT_EQ(shift_of(apart).p, 0.1);
  EXPECT_EQ(alone(apart).change, Change::unclear);
  EXPECT_EQ(alone(apart).needed, 4);
}

TEST(Verdicts, SignedValuesGoByDifferences) {
  Contest difference{medians(10, -50, 1e-4), medians(10, -40, 1.1e-4), true};
  const Finding finding = alone(difference);
  EXPECT_FALSE(finding.shift.is_ratio);
  EXPECT_NEAR(finding.shift.value, 10, 0.01);
  EXPECT_EQ(finding.change, Change::slower);
  difference.b = medians(10, -50.5, 1.1e-4);
  EXPECT_EQ(alone(difference).change, Change::same) << "2 % of 50 are 1";
}

TEST(Verdicts, AMedianOfNothingLeavesNoMargin) {
  const Contest zero{{-2, -1, 0, 1, 2}, {-1.5, -0.5, 0.2, 0.6, 1.5}, true};
  const Finding finding = alone(zero);
  EXPECT_EQ(finding.change, Change::unclear);
  EXPECT_FALSE(finding.reason.empty());
  Contest none = contest(10, 1);
  none.margin = 0;
  none.b = none.a;
  EXPECT_EQ(alone(none).change, Change::unclear);
}

TEST(Verdicts, NoAdviceBeyondReason) {
  // A shift of exactly nothing in ranks, by differences as wide as the values: 10 (width / 4 %)^2 is no advice.
  const Finding finding = alone(contest(10, 1, 2.0 / 11));
  ASSERT_EQ(finding.change, Change::unclear);
  EXPECT_LE(finding.needed.value_or(0), 10000);
}

TEST(Verdicts, EqualConstantsAreSame) {
  const Contest equal{{7, 7, 7, 7, 7}, {7, 7, 7, 7, 7}};
  EXPECT_EQ(alone(equal).change, Change::same);
  EXPECT_EQ(alone(equal).shift.p, 1);
}

TEST(Verdicts, NeedAShareOfFalseOnes) {
  const std::vector<Contest> all{contest(5, 1)};
  EXPECT_THROW(compare(all, 0), std::invalid_argument);
  EXPECT_THROW(compare(all, 1), std::invalid_argument);
}

TEST(Replication, LeastForAChangeToShow) {
  EXPECT_EQ(least_incarnations(1), 4) << "three against three have no interval";
  EXPECT_EQ(least_incarnations(12), 5);
  EXPECT_EQ(least_incarnations(13), 6);
  EXPECT_EQ(least_incarnations(300), 8);
  EXPECT_EQ(least_incarnations(300, alarm_level()), 9);
  EXPECT_THROW(least_incarnations(1, 0), std::invalid_argument);
}

TEST(Replication, GrowsWithThePoints) {
  const Replication hundreds = replication_for(300);
  EXPECT_EQ(hundreds.least, 8);
  EXPECT_EQ(hundreds.ten_percent, 20);
  EXPECT_EQ(hundreds.five_percent, 25);
  const Replication few = replication_for(4);
  EXPECT_EQ(few.least, 5);
  EXPECT_LT(few.five_percent, hundreds.five_percent);
  EXPECT_GT(replication_for(3000).five_percent, hundreds.five_percent);
  EXPECT_GE(replication_for(1).ten_percent, replication_for(1).least);
}

TEST(Comparison, TellsNothingOfWhatIsNoNumber) {
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Contest contest{{1, odd, 2, 3, 1}, {5, 6, odd, 7, 5}};
    const Finding finding = compare({&contest, 1}).front();
    EXPECT_EQ(finding.change, Change::unclear);
    EXPECT_FALSE(finding.shift.interval.available());
    EXPECT_EQ(finding.adjusted_p, 1);
  }
}

}  // namespace
}  // namespace assay
