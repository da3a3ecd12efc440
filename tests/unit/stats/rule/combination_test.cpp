// SPDX-License-Identifier: Apache-2.0
// Rules made of rules: who speaks, what is reported, and whose limits hold.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "stats/rule/rule_text.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

Verdict check(const char* rule, const Sample& sample, const Spent& spent = {}) {
  return make_rule(parse_rule(rule, {}))->check(sample, spent);
}

/// Visits of 97 to 104: mean and median 100.5, standard deviation 2.3 to 2.5.
Sample eighths(int visits) {
  return test::sample_of(
      std::vector<std::vector<double>>(static_cast<std::size_t>(visits), {97, 98, 99, 100, 101, 102, 103, 104}));
}

TEST(All, WaitsForThoseThatAreOpen) {
  const Verdict verdict = check("all(stddev, fixed:16, time:1s)", eighths(1));
  EXPECT_EQ(verdict.outcome, Outcome::open);
}

TEST(All, StopsWithTheFirstPartsEstimate) {
  const Verdict verdict = check("all(stddev, fixed:16)", eighths(2));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "mean");
  EXPECT_EQ(verdict.estimate.interval.high, check("stddev", eighths(2)).estimate.interval.high);
  EXPECT_EQ(check("all(fixed:16, stddev)", eighths(2)).estimate.statistic, "median");
}

TEST(All, IsOverWhenOnePartCanNeverBeSatisfied) {
  const Verdict verdict = check("all(fixed:999, stddev(eps=1%))", eighths(2), {{}, 3});
  EXPECT_EQ(verdict.outcome, Outcome::resolution);
  EXPECT_EQ(verdict.estimate.statistic, "median");
}

TEST(All, OfAMinimumFirstPromisesNothing) {
  EXPECT_EQ(check("all(stable-min, fixed:16)", eighths(5)).outcome, Outcome::no_promise);
  const Verdict verdict = check("all(fixed:16, stable-min)", eighths(5));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "median");
}

TEST(Any, LetsTheFirstSatisfiedPartSpeak) {
  const Verdict open = check("any(median-ci, fixed:64)", eighths(4));
  EXPECT_EQ(open.outcome, Outcome::open);
  const Verdict verdict = check("any(median-ci, stderr, fixed:32)", eighths(4));
  EXPECT_EQ(verdict.outcome, Outcome::converged);
  EXPECT_EQ(verdict.estimate.statistic, "mean");
}

TEST(Any, APartThatGaveUpOnlyFallsSilent) {
  const char* rule = "any(stddev(eps=1%), fixed:16)";
  EXPECT_EQ(check(rule, eighths(1), {{}, 3}).outcome, Outcome::open);
  EXPECT_EQ(check(rule, eighths(2), {{}, 3}).outcome, Outcome::converged);
  EXPECT_EQ(check("any(stddev(eps=1%), stderr(eps=1%))", eighths(2), {{}, 3}).outcome, Outcome::resolution);
}

TEST(Combinations, Nest) {
  const char* rule = "any(all(fixed:16, time:2s), fixed:40)";
  EXPECT_EQ(check(rule, eighths(2), {seconds(1), 0}).outcome, Outcome::open);
  const Verdict inner = check(rule, eighths(2), {seconds(2), 0});
  EXPECT_EQ(inner.outcome, Outcome::converged);
  EXPECT_EQ(check(rule, eighths(5), {seconds(1), 0}).outcome, Outcome::converged) << "by the outer part";
}

TEST(Combinations, HaveTheWidestLimitsOfTheirPartsOrTheirOwn) {
  const Budget widest = budget_of(parse_rule("any(stddev, mean-ci, time:1s)", {}));
  EXPECT_EQ(widest.max_timings, 1'000'000U);
  EXPECT_EQ(widest.max_time, seconds(1800));
  EXPECT_EQ(budget_of(parse_rule("any(stddev, mean-ci, max-timings=50)", {})).max_timings, 50U);
  EXPECT_EQ(budget_of(parse_rule("all(stddev, median-ci)", {})).min_visits, 8);
  EXPECT_EQ(budget_of(parse_rule("any(stddev, median-ci)", {})).min_visits, 1);
}

TEST(Combinations, StopAtTheirLimitsNotAtThoseOfTheirParts) {
  const Verdict open = check("any(stddev(eps=0.1%), median-ci(eps=0.1%))", eighths(6));
  EXPECT_EQ(open.outcome, Outcome::open) << "48 timings are more than stddev alone would take";
  const Verdict verdict = check("all(stddev(eps=0.1%), time:9s, max-timings=40)", eighths(5));
  EXPECT_EQ(verdict.outcome, Outcome::max_timings);
  EXPECT_EQ(check("any(fixed:99, max-time=1s)", eighths(1), {seconds(1), 0}).outcome, Outcome::max_time);
}

TEST(Combinations, LongActionsKeepMedianCisFloorOfFiveVisits) {
  std::vector<std::vector<double>> visits(5, {100});
  EXPECT_EQ(check("all(median-ci, fixed:5)", test::sample_of(visits)).outcome, Outcome::converged);
}

TEST(Combinations, AnEmptySampleReportsTheFirstPartsStatistic) {
  const Verdict verdict = check("any(all(mean-ci, stable-min), median-ci)", Sample{});
  EXPECT_EQ(verdict.outcome, Outcome::open);
  EXPECT_EQ(verdict.estimate.statistic, "mean");
}

}  // namespace
}  // namespace assay
