// SPDX-License-Identifier: Apache-2.0
// Rules on quantiles: intervals worked out by hand, and what keeps them from converging.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stats/rule/rule_text.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

Verdict check_quantile(const char* rule, const Sample& sample, const Spent& spent = {}) {
  return make_rule(parse_rule(rule, {}))->check(sample, spent);
}

/// 1000 + 1, 2, ... n, dealt in turn over the visits, so that visits hardly differ.
Sample dealt(int n, int visits, int incarnations = 1) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(visits));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i % visits)].push_back(1001 + i);
  return test::sample_of(values, incarnations);
}

TEST(QuantileCi, ReportsItsQuantileWithTheIntervalOfThatQuantile) {
  const Verdict verdict = check_quantile("quantile-ci:0.25", dealt(64, 8));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "quantile 0.25");
  EXPECT_EQ(verdict.estimate.basis, "visits");
  EXPECT_EQ(verdict.estimate.value, 1016.75);
  // Each visit has two of its eight values below: h = 1.96 sqrt(0.25 * 0.75 / 64) = 0.1061, ranks 9 and 24.
  EXPECT_EQ(verdict.estimate.interval.low, 1009);
  EXPECT_EQ(verdict.estimate.interval.high, 1024);
}

TEST(QuantileCi, IsOfTheLowerDecileUnlessToldOtherwise) {
  const Verdict verdict = check_quantile("quantile-ci", dealt(640, 16));
  EXPECT_EQ(verdict.estimate.statistic, "quantile 0.1");
  EXPECT_NEAR(verdict.estimate.value, 1064.9, 1e-9);
  EXPECT_TRUE(verdict.estimate.interval.contains(1064));
}

TEST(QuantileCi, IsMedianCiForOneIncarnationAndOneHalf) {
  const Sample sample = dealt(160, 20);
  const Verdict median = check_quantile("median-ci(eps=5%)", sample);
  const Verdict half = check_quantile("quantile-ci:0.5(eps=5%)", sample);
  EXPECT_EQ(half.outcome, median.outcome);
  EXPECT_EQ(half.reason, median.reason);
  EXPECT_EQ(half.estimate.interval.low, median.estimate.interval.low);
  EXPECT_EQ(half.estimate.interval.high, median.estimate.interval.high);
}

TEST(QuantileCi, TheRanksOfASmallSampleCanFallOutside) {
  const Verdict verdict = check_quantile("quantile-ci:0.01", dealt(64, 8));
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(verdict.estimate.basis, "");
  EXPECT_TRUE(std::isinf(verdict.estimate.relative_half_width()));
}

TEST(QuantileCi, TheGuardHoldsBackAQuantileBesideAGap) {
  // A tenth of the values is far below: the lower decile's interval is narrow, but a little further lies the gap.
  std::vector<std::vector<double>> visits;
  for (int v = 0; v < 30; ++v) visits.push_back({100, 100, 100, 100, 100, 100, 100, v % 3 == 0 ? 50.0 : 100.0});
  const Verdict verdict = check_quantile("quantile-ci:0.09", test::sample_of(visits));
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_THAT(verdict.reason, HasSubstr("guard"));
}

TEST(QuantileCi, IncarnationsThatDifferWidenTheInterval) {
  std::vector<std::vector<double>> visits;
  for (int v = 0; v < 40; ++v) visits.push_back(std::vector<double>(8, 100.0 + 10 * (v % 4)));
  const Verdict verdict = check_quantile("quantile-ci:0.5(eps=1%)", test::sample_of(visits, 4));
  EXPECT_EQ(verdict.estimate.basis, "incarnations");
  EXPECT_LT(verdict.estimate.interval.low, 100);
  EXPECT_GT(verdict.estimate.interval.high, 130);
}

TEST(QuantileRules, TheClockCanBeTooCoarse) {
  for (const char* rule : {"quantile-ci:0.5", "median-cs", "trimmed-ci", "mean-ci"})
    EXPECT_EQ(check_quantile(rule, dealt(640, 80), {{}, 20}).outcome, Outcome::resolution) << rule;
}

TEST(QuantileRules, HalfAClockStepWidensEveryInterval) {
  for (const char* rule : {"quantile-ci:0.5", "median-cs", "trimmed-ci", "mean-ci"}) {
    const Interval exact = check_quantile(rule, dealt(640, 80)).estimate.interval;
    const Interval coarse = check_quantile(rule, dealt(640, 80), {{}, 3}).estimate.interval;
    EXPECT_DOUBLE_EQ(coarse.low, exact.low - 3) << rule;
    EXPECT_DOUBLE_EQ(coarse.high, exact.high + 3) << rule;
    EXPECT_EQ(coarse.level, 0.95) << rule;
  }
}

TEST(QuantileRules, FloorsAndLimitsHold) {
  for (const char* name : {"quantile-ci:0.5", "median-cs", "trimmed-ci", "mean-ci"}) {
    const std::string rule = name;
    const Verdict few = check_quantile((rule + "(eps=90%)").c_str(), dealt(700, 7));
    EXPECT_EQ(few.outcome, Outcome::open) << rule;
    EXPECT_EQ(check_quantile((rule + "(eps=90%,min-timings=99)").c_str(), dealt(80, 8)).outcome, Outcome::open);
    EXPECT_EQ(check_quantile((rule + "(eps=90%)").c_str(), dealt(700, 8)).outcome, Outcome::converged) << rule;
    EXPECT_EQ(check_quantile((rule + "(eps=0.001%,max-timings=640)").c_str(), dealt(640, 80)).outcome,
              Outcome::max_timings);
    EXPECT_EQ(
        check_quantile((rule + "(eps=0.001%,max-time=1ms)").c_str(), dealt(640, 80), {milliseconds(1), 0}).outcome,
        Outcome::max_time);
    EXPECT_EQ(check_quantile((rule + "(eps=0.001%,floor=900)").c_str(), dealt(640, 80)).outcome, Outcome::converged)
        << rule;
  }
}

TEST(QuantileRules, ValuesThatAreNotFiniteSatisfyNothing) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const char* rule : {"quantile-ci", "median-cs", "trimmed-ci", "mean-ci", "stable-min", "time:1ns",
                             "all(stable-min)", "any(fixed:1, mean-ci)"}) {
      Sample sample = dealt(640, 80);
      sample.add({bad, 0, 0, 80});
      const Verdict verdict = check_quantile(rule, sample, {seconds(1), 0});
      EXPECT_EQ(verdict.outcome, Outcome::failed) << rule;
      EXPECT_TRUE(std::isnan(verdict.estimate.value)) << rule;
    }
  }
}

TEST(MedianCs, HasTheRanksOfTheConfidenceSequence) {
  // l = 1.4 ln ln 210 + ln 200 = 7.6455, f = 1.5 sqrt(l / 400) + 0.8 l / 100 = 0.26854, ranks 23 and 78.
  const Verdict verdict = check_quantile("median-cs", dealt(100, 10));
  EXPECT_EQ(verdict.estimate.statistic, "median");
  EXPECT_EQ(verdict.estimate.basis, "values");
  EXPECT_EQ(verdict.estimate.value, 1050.5);
  EXPECT_EQ(verdict.estimate.interval.low, 1023);
  EXPECT_EQ(verdict.estimate.interval.high, 1078);
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(check_quantile("median-cs(eps=3%)", dealt(100, 10)).outcome, Outcome::converged);
}

TEST(MedianCs, HasNoIntervalBelowFortyTimings) {
  EXPECT_FALSE(check_quantile("median-cs", dealt(36, 9)).estimate.interval.available());
  EXPECT_TRUE(check_quantile("median-cs", dealt(48, 9)).estimate.interval.available());
}

}  // namespace
}  // namespace assay
