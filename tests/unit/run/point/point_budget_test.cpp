// SPDX-License-Identifier: Apache-2.0
// A point whose budget of time is spent.
#include <gtest/gtest.h>

#include "run/point/open_point.hpp"
#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

TEST(PointBudget, EndsAtItsTimeBudgetEvenBetweenLooks) {
  Fed fed(fake_series("one", {}));
  fed.series.precision.rule.budget.max_time = seconds(5);
  fed.visits(8, {10}, 0.5);
  fed.visit({fed.batch(30)}, 0, seconds(5));
  EXPECT_EQ(fed.point.check(2).outcome, Outcome::max_time);
}

TEST(PointBudget, GoesOnBeyondItsTimeUntilThereIsAnInterval) {
  Fed fed(fake_series("one", {}));
  fed.series.precision.rule.budget.max_time = seconds(5);
  int visits = 0;
  Verdict verdict;
  while (visits < 20 && !verdict.stop()) {
    std::vector<Batch> batches;
    for (int i = 0; i < 8; ++i) batches.push_back(fed.batch(10 + 5 * ((visits + i) % 3)));
    fed.visit(batches, 0, seconds(2));
    ++visits;
    verdict = fed.point.check(2);
  }
  EXPECT_EQ(verdict.outcome, Outcome::max_time) << verdict.reason;
  EXPECT_TRUE(verdict.estimate.interval.available()) << verdict.reason;
  EXPECT_GT(visits, 3) << "after which the time is spent";
}

TEST(PointBudget, GoesOnBeyondItsTimeUpToABound) {
  Fed fed(fake_series("one", {}));
  fed.series.precision.rule.budget.max_time = seconds(5);
  int visits = 0;
  while (visits < 20 && !fed.point.check(2).stop()) {
    std::vector<Batch> batches;
    for (int i = 0; i < 12; ++i) batches.push_back(fed.batch(10 + 5 * (i % 3)));
    fed.visit(batches, 0, seconds(6));
    ++visits;
  }
  EXPECT_EQ(visits, 4) << "four times the budget is 20 s";
}

TEST(PointBudget, ProbesCostAsMuchAsAVisitAtMost) {
  Fed fed(fake_series("one", {}));
  fed.visits(3, {10}, 0.5);  // of 1 ms each
  const auto probes = [&](Nanoseconds each) {
    int count = 1;
    while (fed.point.may_wait_after(each)) ++count;
    return count;
  };
  EXPECT_EQ(probes(microseconds(300)), 4);
  EXPECT_EQ(probes(microseconds(300)), 1) << "the visit is still due";
  fed.visits(1, {10}, 0.5);
  EXPECT_EQ(probes(microseconds(300)), 4) << "it was made";
  fed.visits(1, {10}, 0.5);
  EXPECT_EQ(probes(microseconds(1)), 20) << "no point waits forever";
}

}  // namespace
}  // namespace assay::test
