// SPDX-License-Identifier: Apache-2.0
// Rules on means, and the errors that they rest on, by hand.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stats/rule/rule_text.hpp"
#include "stats/sample/summary.hpp"
#include "stats/sample/visit_interval.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using Visits = std::vector<std::vector<double>>;

Verdict check_mean(const char* rule, const Sample& sample) {
  return make_rule(parse_rule(rule, {}))->check(sample, {});
}

double batch_half(const Visits& visits, double alpha = 0.05) {
  const Sample sample = test::sample_of(visits);
  return batch_means_error(sample, sample.values(), alpha).half_width;
}

TEST(TrimmedMean, OfEightValues) {
  // 3, 4, 5, 6 are kept; winsorised 3 3 3 4 5 6 6 6 has variance 14 / 7 = 2, and sqrt(2 / 8) over a half is 1.
  const std::vector<double> values{8, 1, 7, 2, 6, 3, 5, 4};
  const TrimmedMean mean = trimmed_mean(values);
  EXPECT_EQ(mean.value, 4.5);
  EXPECT_DOUBLE_EQ(mean.standard_error, 1);
  EXPECT_EQ(mean.degrees_of_freedom, 3);
  EXPECT_EQ(mean.kept_share, 0.5);
  EXPECT_THAT(mean.winsorised, testing::ElementsAre(6, 3, 6, 3, 6, 3, 5, 4));
}

TEST(TrimmedMean, CutsWholeValuesOnly) {
  EXPECT_EQ(trimmed_mean(std::vector<double>{1, 2, 9}).value, 4);
  EXPECT_EQ(trimmed_mean(std::vector<double>{1, 2, 4, 99}).value, 3);
  EXPECT_EQ(trimmed_mean(std::vector<double>{7}).value, 7);
  EXPECT_EQ(trimmed_mean(std::vector<double>{7}).standard_error, 0);
}

TEST(TrimmedMean, IsNotMovedByOneEnormousValue) {
  EXPECT_EQ(trimmed_mean(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 1e9}).value, 4.5);
}

TEST(BatchMeans, AtOneScale) {
  // Five visits of two with means 1 to 5: sqrt(5/4 * 40) / 10 = 0.7071, times t(0.975, 4) = 2.7764.
  EXPECT_NEAR(batch_half({{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}), 2.7764451 * std::sqrt(0.5), 1e-6);
  EXPECT_EQ(batch_half({{1, 1}, {2, 2}, {3, 3}, {4, 4}}), 0) << "four visits do not tell how visits differ";
}

TEST(BatchMeans, TheWidestScaleDecides) {
  // Pairs of equal neighbours: ten groups at scale 1, five that scatter as much at scale 2.
  Visits visits;
  for (int v = 0; v < 10; ++v) visits.push_back({static_cast<double>(v / 2)});
  const double pairs = 2.7764451 * std::sqrt(0.5);
  EXPECT_NEAR(batch_half(visits), pairs, 1e-6);
  // The same values in another order average out within the pairs.
  Visits mixed;
  for (int v = 0; v < 10; ++v) mixed.push_back({static_cast<double>(v % 2 == 0 ? v / 2 : 4 - v / 2)});
  EXPECT_LT(batch_half(mixed), pairs);
}

TEST(BatchMeans, VisitsWeighByTheirObservations) {
  EXPECT_NEAR(batch_half({{1}, {1}, {1}, {1}, {1, 1, 1, 1}}), 0, 1e-12);
  EXPECT_LT(batch_half({{9}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), batch_half({{9}, {1}, {1}, {1}, {1}}));
}

TEST(BatchMeans, MergeManyVisitsToThirtyTwo) {
  // 64 visits in pairs 0, 2: merged by two they are all alike.
  Visits visits;
  for (int v = 0; v < 64; ++v) visits.push_back({v % 2 == 0 ? 0.0 : 2.0});
  EXPECT_NEAR(batch_half(visits), 0, 1e-12);
}

TEST(MeanCi, IsTheTIntervalWhereVisitsAreAlike) {
  // 64 values 100 -+ 1: sd sqrt(64/63), t(0.975, 63) = 1.9983405.
  const Verdict verdict = check_mean("mean-ci", test::sample_of(Visits(8, {99, 101, 99, 101, 99, 101, 99, 101})));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "mean");
  EXPECT_EQ(verdict.estimate.value, 100);
  EXPECT_NEAR(verdict.estimate.interval.high, 100 + 1.9983405 / std::sqrt(63), 1e-6);
  EXPECT_EQ(verdict.estimate.basis, "visits");
}

TEST(MeanCi, VisitsThatDifferWidenIt) {
  Visits visits;
  for (int v = 0; v < 8; ++v) visits.push_back(std::vector<double>(8, v % 2 == 0 ? 90.0 : 110.0));
  const Verdict verdict = check_mean("mean-ci", test::sample_of(visits));
  EXPECT_EQ(verdict.outcome, Outcome::open);
  // Eight visit means 100 -+ 10: t(0.975, 7) = 2.3646243 times 10 / sqrt(7).
  EXPECT_NEAR(verdict.estimate.interval.high, 100 + 2.3646243 * 10 / std::sqrt(7), 1e-5);
}

TEST(MeanCi, SaysWhenTheMeanIsAboutInterruptions) {
  Visits visits(50, std::vector<double>(8, 100.0));
  for (auto& visit : visits) visit[3] = 800;
  const Verdict verdict = check_mean("mean-ci", test::sample_of(visits));
  const Verdict calm = check_mean("mean-ci", test::sample_of(Visits(50, std::vector<double>(8, 100.0))));
  EXPECT_THAT(verdict.reason, HasSubstr("medians"));
  EXPECT_THAT(calm.reason, testing::Not(HasSubstr("medians")));
}

TEST(TrimmedCi, HasTheWinsorisedInterval) {
  // Eight visits of 1..8, plus 100: of 64 values 32 are kept, winsorised variance 8 * 14 / 63, t(0.975, 31)
  // = 2.0395134.
  const Verdict verdict =
      check_mean("trimmed-ci", test::sample_of(Visits(8, {101, 102, 103, 104, 105, 106, 107, 108})));
  EXPECT_EQ(verdict.estimate.statistic, "trimmed mean");
  EXPECT_EQ(verdict.estimate.value, 104.5);
  EXPECT_NEAR(verdict.estimate.interval.high, 104.5 + 2.0395134 * std::sqrt(112.0 / 63) / 8 / 0.5, 1e-6);
  EXPECT_EQ(verdict.outcome, Outcome::converged);
}

TEST(TrimmedCi, VisitsThatDifferWidenIt) {
  Visits visits;
  for (int v = 0; v < 16; ++v) visits.push_back(std::vector<double>(8, 100.0 + v));
  const Interval interval = check_mean("trimmed-ci", test::sample_of(visits)).estimate.interval;
  // 16 visits, alone of the same value each: neighbours are alike, so that the widest scale is far from independence.
  EXPECT_GT(interval.high - interval.low, 2 * 2.0 * 4.6 * 2 / std::sqrt(128) * 2);
  EXPECT_TRUE(interval.contains(107.5));
}

TEST(MeanRules, IncarnationsThatDifferWidenTheInterval) {
  Visits visits;
  for (int v = 0; v < 40; ++v) visits.push_back(std::vector<double>(8, 100.0 + 10 * (v % 4)));
  for (const char* rule : {"mean-ci", "trimmed-ci"}) {
    const Verdict one = check_mean(rule, test::sample_of(visits));
    const Verdict four = check_mean(rule, test::sample_of(visits, 4));
    EXPECT_EQ(one.estimate.basis, "visits") << rule;
    EXPECT_EQ(four.estimate.basis, "incarnations") << rule;
    EXPECT_EQ(four.estimate.value, one.estimate.value) << rule;
    EXPECT_LT(four.estimate.interval.low, one.estimate.interval.low) << rule;
    EXPECT_GT(four.estimate.interval.high, one.estimate.interval.high) << rule;
    EXPECT_EQ(check_mean(rule, test::sample_of(visits, 2)).estimate.basis, "visits") << "two processes do not tell";
  }
}

}  // namespace
}  // namespace assay
