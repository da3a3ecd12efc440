// SPDX-License-Identifier: Apache-2.0
// A point whose budget of time is spent.
#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

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

/// A point that was visited forty times, for eight batches each; in every so many of them the core was alone.
struct SometimesAlone {
  SometimesAlone(double eps, int every) {
    SeriesPlan series = fake_series("one", {});
    series.precision.spare_time = true;
    series.precision.rule.eps = eps;
    series.precision.rule.budget.max_timings = 200;
    fed.emplace(std::move(series));
    point().judge_by(levels);
    for (int visit = 0; visit < 40; ++visit) {
      std::vector<Batch> batches = fed->batches_about(10, 0.05);
      for (Batch& batch : batches) read_on_one_cpu(batch, visit % every == 0 ? core_alone : core_shared);
      fed->visit(std::move(batches));
      point().check(2);
    }
  }
  OpenPoint& point() { return fed->point; }
  double width() { return point().latest_estimate()->relative_half_width(); }

  CoreLevels levels = one_cpu_alone();
  std::optional<Fed> fed;
};

TEST(PointBudget, OfTimingsIsForThoseThatCount) {
  SometimesAlone rarely(1.3 * SometimesAlone(1, 4).width(), 4);
  EXPECT_TRUE(rarely.point().can_be_sharper()) << "80 of 320 timings are of a core alone, and 200 are allowed";
  EXPECT_TRUE(rarely.point().may_sharpen()) << "80 is less than half of them";
  SometimesAlone always(1.3 * SometimesAlone(1, 1).width(), 1);
  EXPECT_FALSE(always.point().can_be_sharper());
}

/// Visits of 1 ms, each 0.1 % slower than the one before, until the rule has enough of them; it is asked from the
/// thirtieth on.
Verdict drifting(Fed& fed) {
  Verdict verdict;
  for (int visit = 0; visit < 60 && !verdict.stop(); ++visit) {
    fed.visit(fed.batches_about(10 * (1 + 0.001 * visit), 0.02));
    if (visit >= 30) verdict = fed.point.check(2);
  }
  return verdict;
}

TEST(PointBudget, WithSpareTimeADriftIsFinalWhenTheTimeIsSpent) {
  SeriesPlan series = fake_series("one", {});
  Fed usual(series);
  EXPECT_EQ(drifting(usual).outcome, Outcome::drift);
  series.precision.spare_time = true;
  Fed spared(series);
  EXPECT_FALSE(drifting(spared).stop()) << "it may turn out to be a fluctuation";
  spared.visit(spared.batches_about(10.6, 0.02), 0, seconds(5));
  EXPECT_EQ(spared.point.check(2).outcome, Outcome::drift);
  EXPECT_TRUE(spared.point.is_out_of_time()) << "spare time may show that";
}

/// Extensions that it may have, after forty visits whose values scatter so.
int extensions(double scatter, double drift) {
  SeriesPlan series = fake_series("one", {});
  series.precision.spare_time = true;
  series.precision.rule.eps = 0.02;
  series.precision.rule.budget.max_timings = 100'000;
  Fed fed(std::move(series));
  for (int visit = 0; visit < 40; ++visit) {
    fed.visit(fed.batches_about(10 * (1 + drift * visit), scatter));
    fed.point.check(2);
  }
  int count = 0;
  for (; fed.point.may_be_extended() && count < 100; ++count) fed.point.extend();
  return count;
}

TEST(PointBudget, SpareTimeIsLongerForWhatIsNearlyThere) {
  EXPECT_EQ(extensions(0.3, 0), 16) << "four budgets in quarters: its interval is far too wide";
  EXPECT_EQ(extensions(0.02, 0.0015), 32) << "it is narrow, and drifts: another look may tell";
}

}  // namespace
}  // namespace assay::test
