// SPDX-License-Identifier: Apache-2.0
// Verdicts of the default rule on samples built for one outcome each.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stats/rule/stopping_rule.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

using Visits = std::vector<std::vector<double>>;

/// Eight values between centre - spread and centre + spread.
std::vector<double> around(double centre, double spread) {
  std::vector<double> values;
  for (int i = 0; i < 8; ++i) values.push_back(centre + spread * (i - 3.5) / 3.5);
  return values;
}

Sample equal_visits(int visits, double centre, double spread) {
  return test::sample_of(Visits(static_cast<std::size_t>(visits), around(centre, spread)));
}

Verdict check_median(const Sample& sample, const RuleSpec& spec = {}, const Spent& spent = {}) {
  return make_rule(spec)->check(sample, spent);
}

RuleSpec with_floor(double floor) {
  RuleSpec spec;
  spec.floor = floor;
  return spec;
}

TEST(MedianCi, ConvergesWhenTheHeadlineIsNarrow) {
  const Verdict verdict = check_median(equal_visits(14, 100, 1));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_TRUE(verdict.stop());
  EXPECT_EQ(verdict.estimate.statistic, "median");
  EXPECT_EQ(verdict.estimate.value, 100);
  EXPECT_EQ(verdict.estimate.basis, "visits");
  EXPECT_NEAR(verdict.estimate.relative_half_width(), 0.0014286, 1e-6);
}

TEST(MedianCi, IsOpenWhileTheHeadlineIsWide) {
  const Verdict verdict = check_median(equal_visits(14, 100, 20));
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_FALSE(verdict.stop());
}

TEST(MedianCi, DecidesNothingBelowEightVisits) {
  const Verdict verdict = check_median(equal_visits(7, 100, 1));
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(verdict.estimate.value, 100);
  EXPECT_EQ(check_median(equal_visits(8, 100, 1)).outcome, Outcome::converged);
}

TEST(MedianCi, DecidesNothingBelowMinTimings) {
  RuleSpec spec;
  spec.budget.min_timings = 100;
  EXPECT_EQ(check_median(equal_visits(12, 100, 1), spec).outcome, Outcome::open);
  EXPECT_EQ(check_median(equal_visits(13, 100, 1), spec).outcome, Outcome::converged);
}

TEST(MedianCi, TheGuardRefusesAMedianInAGap) {
  // A quarter of the values about 100, between modes at 50 and 150: the interval fits into the gap, the guard does not.
  const std::vector<double> visit{50, 50, 50, 99, 101, 150, 150, 150};
  const Verdict verdict = check_median(test::sample_of(Visits(13, visit)));
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_LE(verdict.estimate.relative_half_width(), 0.02) << "narrow enough";
  // With more visits the quarter is wide enough for the guard as well.
  EXPECT_EQ(check_median(test::sample_of(Visits(40, visit))).outcome, Outcome::converged);
}

TEST(MedianCi, SpreadBetweenIncarnationsKeepsItOpen) {
  Visits visits;
  for (int visit = 0; visit < 20; ++visit) visits.push_back(around(100 + 4 * (visit % 5 - 2), 1));
  RuleSpec spec;
  spec.eps = 0.05;
  const Verdict one_process = check_median(test::sample_of(visits, 1), spec);
  const Verdict five = check_median(test::sample_of(visits, 5), spec);
  EXPECT_EQ(one_process.estimate.basis, "visits");
  EXPECT_EQ(five.estimate.basis, "incarnations");
  EXPECT_EQ(five.outcome, Outcome::open);
  EXPECT_GT(five.estimate.relative_half_width(), one_process.estimate.relative_half_width());
}

TEST(MedianCi, ReportsTheHalfWidthThatTheBudgetOfTimingsReached) {
  RuleSpec spec;
  spec.budget.max_timings = 80;
  const Verdict verdict = check_median(equal_visits(10, 100, 20), spec);
  EXPECT_EQ(verdict.outcome, Outcome::max_timings);
  EXPECT_EQ(check_median(equal_visits(9, 100, 20), spec).outcome, Outcome::open);
}

TEST(MedianCi, ReportsTheHalfWidthThatTheBudgetOfTimeReached) {
  const Verdict verdict = check_median(equal_visits(10, 100, 20), {}, {seconds(5.2), 0});
  EXPECT_EQ(verdict.outcome, Outcome::max_time);
  EXPECT_EQ(check_median(equal_visits(10, 100, 20), {}, {seconds(4.9), 0}).outcome, Outcome::open);
}

TEST(MedianCi, ConvergenceComesBeforeASpentBudget) {
  RuleSpec spec;
  spec.budget.max_timings = 80;
  EXPECT_EQ(check_median(equal_visits(10, 100, 1), spec, {seconds(9), 0}).outcome, Outcome::converged);
}

TEST(MedianCi, ASpentBudgetStopsBelowTheFloors) {
  const Verdict verdict = check_median(equal_visits(6, 100, 1), {}, {seconds(9), 0});
  EXPECT_EQ(verdict.outcome, Outcome::max_time);
}

TEST(MedianCi, SaysResolutionWhenTheClockIsTooCoarse) {
  const Verdict verdict = check_median(equal_visits(10, 100, 1), {}, {{}, 1.5});
  EXPECT_EQ(verdict.outcome, Outcome::resolution);
  EXPECT_EQ(check_median(equal_visits(10, 100, 1), {}, {{}, 0.9}).outcome, Outcome::converged);
}

TEST(MedianCi, ACoarseClockIsNoMatterWhereAFloorSuffices) {
  EXPECT_EQ(check_median(equal_visits(10, 100, 1), with_floor(4), {{}, 1.5}).outcome, Outcome::converged);
}

TEST(MedianCi, AFloorSuffices) {
  const Verdict verdict = check_median(equal_visits(14, 100, 20), with_floor(10));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
}

TEST(MedianCi, AConstantSampleConverges) {
  const Verdict verdict = check_median(test::sample_of(Visits(8, std::vector<double>(8, 5.5)), 2));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
}

TEST(MedianCi, WhatCampaignsDifferByIsPartOfWhatMustBeNarrow) {
  const Sample constant = test::sample_of(Visits(8, std::vector<double>(8, 5.5)), 2);
  Spent spent;
  spent.between = 0.015;
  EXPECT_EQ(check_median(constant, {}, spent).outcome, Outcome::converged);
  spent.between = 0.03;
  const Verdict verdict = check_median(constant, {}, spent);
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_NEAR(verdict.estimate.relative_half_width(), 0.03, 1e-9);
  EXPECT_NE(verdict.reason.find("3 % is what campaigns differ by"), std::string::npos) << verdict.reason;
}

TEST(MedianCi, AConstantZeroConvergesUnlessTheClockMadeIt) {
  const Sample zeros = test::sample_of(Visits(8, std::vector<double>(8, 0.0)));
  EXPECT_EQ(check_median(zeros).outcome, Outcome::converged);
  EXPECT_EQ(check_median(zeros, {}, {{}, 0.5}).outcome, Outcome::resolution);
  EXPECT_EQ(check_median(zeros, with_floor(1), {{}, 0.5}).outcome, Outcome::converged);
}

TEST(MedianCi, AZeroMedianHasNoRelativeAccuracy) {
  const Sample sample = equal_visits(14, 0, 20);
  const Verdict verdict = check_median(sample);
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(check_median(sample, with_floor(10)).outcome, Outcome::converged);
}

TEST(MedianCi, NegativeValuesAreJudgedByTheirSize) {
  EXPECT_EQ(check_median(equal_visits(14, -100, 1)).outcome, Outcome::converged);
  EXPECT_EQ(check_median(equal_visits(14, -100, 20)).outcome, Outcome::open);
}

TEST(MedianCi, ValuesThatAreNotFiniteFail) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    Visits visits(8, around(100, 1));
    visits[1][1] = bad;
    const Verdict verdict = check_median(test::sample_of(visits));
    EXPECT_EQ(verdict.outcome, Outcome::failed);
    EXPECT_TRUE(std::isnan(verdict.estimate.value));
  }
}

TEST(MedianCi, OfNothingIsOpenUntilTheTimeIsSpent) {
  Sample sample;
  sample.add_disturbed();
  const Verdict open = check_median(sample);
  EXPECT_EQ(open.outcome, Outcome::open);
  EXPECT_TRUE(std::isnan(open.estimate.value));
  const Verdict spent = check_median(sample, {}, {seconds(6), 0});
  EXPECT_EQ(spent.outcome, Outcome::max_time);
}

TEST(MedianCi, FiveLongObservationsCanConvergeAtTheLevelTheyAttain) {
  const Verdict verdict = check_median(test::sample_of({{100}, {100.2}, {99.9}, {100.1}, {100.3}}));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.basis, "values");
  EXPECT_DOUBLE_EQ(verdict.estimate.interval.level, 0.9375);
  EXPECT_EQ(check_median(test::sample_of({{100}, {110}, {99}, {95}, {100}})).outcome, Outcome::open);
  EXPECT_EQ(check_median(test::sample_of({{100}, {100.2}, {99.9}, {100.1}})).outcome, Outcome::open);
}

TEST(MedianCi, MinVisitsHoldsForLongObservationsToo) {
  RuleSpec spec;
  spec.budget.min_visits = 8;
  EXPECT_EQ(check_median(test::sample_of({{100}, {100}, {100}, {100}, {100}}), spec).outcome, Outcome::open);
}

TEST(MedianCi, TheVerdictDependsOnTheSampleAlone) {
  const auto rule = make_rule({});
  const Sample sample = equal_visits(14, 100, 1);
  const Verdict first = rule->check(sample, {});
  rule->check(equal_visits(3, 7, 7), {});
  const Verdict again = rule->check(sample, {});
  EXPECT_EQ(again.outcome, first.outcome);
  EXPECT_EQ(again.reason, first.reason);
  EXPECT_EQ(again.estimate.interval.low, first.estimate.interval.low);
}

/// Timings of a visit are alike, so that a visit counts for one; a visit each so many ns.
Verdict of_alike_timings(int visits, double apart) {
  Rng rng(3);
  Sample sample;
  for (int visit = 0; visit < visits; ++visit) {
    const double value = 100 + 0.5 * rng.normal();
    for (int batch = 0; batch < 4; ++batch) sample.add({value + 1e-6 * batch, 0, visit % 2, visit, apart * visit});
  }
  return check_median(sample);
}

TEST(MedianCi, ThirtyIndependentTimingsSufficeWherePartsOfTheTimeTell) {
  EXPECT_EQ(of_alike_timings(69, 1e9).outcome, Outcome::converged) << of_alike_timings(69, 1e9).reason;
  const Verdict early = of_alike_timings(35, 1e9);
  EXPECT_EQ(early.outcome, Outcome::open);
  EXPECT_NE(early.reason.find("of at least 30 independent timings"), std::string::npos) << early.reason;
  const Verdict timeless = of_alike_timings(69, 0);
  EXPECT_EQ(timeless.outcome, Outcome::open);
  EXPECT_NE(timeless.reason.find("of at least 60 independent timings"), std::string::npos) << timeless.reason;
}

}  // namespace
}  // namespace assay
