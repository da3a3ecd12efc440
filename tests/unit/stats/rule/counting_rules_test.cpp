// SPDX-License-Identifier: Apache-2.0
// Rules that promise nothing about accuracy: so many timings, so much time, a minimum that stays.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "stats/rule/rule_text.hpp"
#include "support/laws/fake_visits.hpp"

namespace assay {
namespace {

Verdict check_count(const char* rule, const Sample& sample, const Spent& spent = {}) {
  return make_rule(parse_rule(rule, {}))->check(sample, spent);
}

/// One visit; the values fall until the `newest`-th, from 1, and are constant and larger after it.
Sample falling(int newest, int n) {
  std::vector<double> values;
  for (int i = 1; i <= n; ++i) values.push_back(i <= newest ? 1000.0 - i : 1000.0);
  return test::sample_of({values});
}

TEST(Time, IsSatisfiedWhenItIsSpent) {
  const Sample sample = test::sample_of(std::vector<std::vector<double>>(8, {98, 99, 100, 101, 102}));
  const Verdict open = check_count("time:2s", sample, {seconds(1.5), 0});
  EXPECT_EQ(open.outcome, Outcome::open);
  const Verdict done = check_count("time:2s", sample, {seconds(2), 0});
  EXPECT_EQ(done.outcome, Outcome::converged);
  EXPECT_EQ(done.estimate.statistic, "median");
  EXPECT_EQ(done.estimate.interval.low, headline(sample, 0.05, 0).interval.low);
}

TEST(Time, ItsLimitOfTimeIsItself) {
  EXPECT_EQ(budget_of(parse_rule("time:20s", {})).max_time, seconds(20));
  EXPECT_EQ(check_count("time:20s(max-timings=5)", test::sample_of({{1, 2, 3, 4, 5}}), {seconds(1), 0}).outcome,
            Outcome::max_timings);
}

TEST(StableMin, EndsWhenTheLastHalfBroughtNothingNew) {
  EXPECT_EQ(check_count("stable-min", falling(13, 24)).outcome, Outcome::open);
  const Verdict verdict = check_count("stable-min", falling(12, 24));
  EXPECT_EQ(verdict.outcome, Outcome::no_promise);
  EXPECT_EQ(verdict.estimate.statistic, "minimum");
  EXPECT_EQ(verdict.estimate.value, 988);
  EXPECT_FALSE(verdict.estimate.interval.available());
}

TEST(StableMin, TakesAtLeastTwenty) {
  EXPECT_EQ(check_count("stable-min", falling(1, 19)).outcome, Outcome::open);
  EXPECT_EQ(check_count("stable-min", falling(1, 20)).outcome, Outcome::no_promise);
  EXPECT_EQ(check_count("stable-min(min-timings=30)", falling(1, 29)).outcome, Outcome::open);
}

TEST(StableMin, AnEqualMinimumIsNotNew) {
  std::vector<double> values(24, 5.0);
  EXPECT_EQ(check_count("stable-min", test::sample_of({values})).outcome, Outcome::no_promise);
}

TEST(StableMin, ItsLimitsStopIt) {
  EXPECT_EQ(check_count("stable-min(max-timings=24)", falling(24, 24)).outcome, Outcome::max_timings);
  EXPECT_EQ(check_count("stable-min", falling(24, 24), {seconds(5), 0}).outcome, Outcome::max_time);
}

}  // namespace
}  // namespace assay
