// SPDX-License-Identifier: Apache-2.0
// What counts of a point that is to span a time is to be of more than a few moments of it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

/// A point that is to span 3.2 s, with visits of 1 ms when they are due, and when its core was alone.
struct SpannedPoint {
  explicit SpannedPoint(std::function<bool(Nanoseconds)> when, Nanoseconds budget = seconds(10))
      : is_alone(std::move(when)) {
    SeriesPlan series = fake_series("one", {});
    series.precision.span = seconds(3.2);
    series.precision.batches = 8;
    series.precision.rule.budget.max_time = budget;
    series.measurement.quantities.push_back({.name = "cycles", .per = Per::event, .summary = {}});
    fed.emplace(std::move(series));
    fed->point.judge_by(levels);
  }
  Verdict run(Nanoseconds until = seconds(12)) {
    Verdict verdict;
    for (Nanoseconds now{}; now < until && !verdict.stop(); now += milliseconds(1)) {
      if (fed->point.due() > now) continue;
      std::vector<Batch> batches = fed->batches_about(is_alone(now) ? 10 : 15, 0.001);
      for (Batch& batch : batches) {
        read_on_one_cpu(batch, is_alone(now) ? core_alone : core_shared);
        batch.members[0].claims.set(1, 3 * batch.members[0].wall.count);
      }
      fed->visit_at(now, std::move(batches));
      verdict = fed->point.check(2);
      ended = now;
    }
    return verdict;
  }

  std::function<bool(Nanoseconds)> is_alone;
  CoreLevels levels = one_cpu_alone();
  std::optional<Fed> fed;
  Nanoseconds ended{};
};

TEST(PointMoments, MomentsAllOverTheSpanAreEnough) {
  SpannedPoint watched([](Nanoseconds now) { return std::fmod(now.count, 4e8) < 2e8; });
  EXPECT_EQ(watched.run().outcome, Outcome::converged);
  EXPECT_LT(watched.ended, seconds(4));
}

TEST(PointMoments, AfterOneOfThemItGoesOnUntilThereWereMore) {
  const auto when = [](Nanoseconds now) {
    return now < seconds(0.7) || (now > seconds(5) && std::fmod(now.count, 4e8) < 2e8);
  };
  SpannedPoint watched(when);
  EXPECT_EQ(watched.run().outcome, Outcome::converged);
  EXPECT_GT(watched.ended, seconds(5.8));
  EXPECT_LT(watched.ended, seconds(7));
}

TEST(PointMoments, WhereThereAreNoMoreTheBudgetEndsItWithTheReason) {
  const auto first = [](Nanoseconds now) { return now < seconds(1.1); };
  SpannedPoint watched(first, milliseconds(60));
  const Verdict verdict = watched.run();
  EXPECT_EQ(verdict.outcome, Outcome::max_time);
  EXPECT_NE(verdict.reason.find(", but the cores were alone in 3 eighths of a span only"), std::string::npos)
      << verdict.reason;
  EXPECT_TRUE(watched.fed->point.is_out_of_time()) << "spare time may bring more";
  const PointRecord record = watched.fed->point.finish(verdict);
  ASSERT_EQ(record.results.size(), 2U);
  EXPECT_EQ(record.results[1].verdict.outcome, Outcome::open) << "it is of the same moments";
  EXPECT_NE(record.results[1].verdict.reason.find(", in 3 eighths of a span only"), std::string::npos);
  const Verdict stopped = watched.fed->point.stopped(Outcome::max_time, "time limit reached");
  EXPECT_EQ(stopped.outcome, Outcome::max_time);
  EXPECT_NE(stopped.reason.find("3 eighths"), std::string::npos) << stopped.reason;
}

/// The row of the shared core beside that of one alone.
Verdict verdict_when_shared(SpannedPoint&& watched) {
  const PointRecord record = watched.fed->point.finish(watched.run());
  EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
  for (const Result& row : record.others)
    if (row.state.sharing == Sharing::shared) return row.verdict;
  ADD_FAILURE() << "there is a row for it";
  return {};
}

TEST(PointMoments, AFurtherStateIsOfMoreThanAFewToo) {
  const auto for_a_moment = [](Nanoseconds now) { return now < seconds(1) || now > seconds(1.7); };
  const Verdict brief = verdict_when_shared(SpannedPoint(for_a_moment));
  EXPECT_EQ(brief.outcome, Outcome::open);
  EXPECT_NE(brief.reason.find(" of the clean batches, in 3 eighths of a span only"), std::string::npos) << brief.reason;
  EXPECT_TRUE(brief.estimate.interval.available()) << "it is reported";
  const auto again_and_again = [](Nanoseconds now) { return std::fmod(now.count, 4e8) < 2e8; };
  EXPECT_EQ(verdict_when_shared(SpannedPoint(again_and_again)).outcome, Outcome::converged);
}

TEST(PointMoments, APointThatEndsBeforeItsSpanIsJudgedByItsWidth) {
  SpannedPoint watched([](Nanoseconds now) { return now < seconds(1.1); });
  watched.run(seconds(2));
  EXPECT_EQ(watched.fed->point.stopped(Outcome::max_time, "enough").outcome, Outcome::converged);
}

}  // namespace
}  // namespace assay::test
