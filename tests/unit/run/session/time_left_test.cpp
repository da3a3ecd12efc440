// SPDX-License-Identifier: Apache-2.0
// What is still to come, from what points took so far: by hand, and along campaigns whose end is known.
#include "run/session/time_left.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

TimeLeft two_points_of(Nanoseconds spent) {
  TimeLeft left;
  left.add(0, spent, spent);
  left.add(0, spent, spent);
  return left;
}

WorkLeft work(Nanoseconds elapsed, std::vector<OpenCost> open, std::size_t waiting) {
  WorkLeft work;
  work.elapsed = elapsed;
  work.open = std::move(open);
  if (waiting > 0) work.waiting[0] = waiting;
  return work;
}

OpenCost open(Nanoseconds spent, Nanoseconds wanted = {}, Nanoseconds most = seconds(100)) {
  return {0, spent, spent, wanted, most, most, 0};
}

/// In seconds.
double estimated(const TimeLeft& left, const WorkLeft& work) { return left.estimate(work) / seconds(1); }

TEST(TimeLeftTest, NothingIsSaidWhileNothingIsKnown) {
  EXPECT_EQ(estimated(TimeLeft(), work(seconds(10), {open(seconds(1))}, 5)), 0);
}

TEST(TimeLeftTest, PointsTakeAsLongAsThoseBefore) {
  // Two of a second each took four seconds of the session: a second and a half of work takes three.
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), work(seconds(4), {}, 1)), 2, 1e-6);
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), work(seconds(5), {open(seconds(0.5))}, 1)), 3, 1e-6);
}

TEST(TimeLeftTest, APointThatTakesLongerThanOthersIsNotSoonAtItsEnd) {
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), work(seconds(10), {open(seconds(8))}, 0)), 4, 1e-6);
}

TEST(TimeLeftTest, APointWithAnIntervalTakesWhatItWantsAndItsBudgetAllows) {
  const OpenCost calm = open(seconds(2), seconds(5));
  const OpenCost noisy = open(seconds(2), seconds(50), seconds(4));
  EXPECT_NEAR(estimated({}, work(seconds(2), {calm}, 0)), 3, 1e-6);
  EXPECT_NEAR(estimated({}, work(seconds(2), {noisy}, 0)), 4, 1e-6);
  EXPECT_NEAR(estimated({}, work(seconds(2), {noisy}, 1)), 10, 1e-6) << "one that waits takes as long as this in all";
}

TEST(TimeLeftTest, OfSpareTimeAPartIsExpected) {
  OpenCost point = open(seconds(2), seconds(50));
  point.own = seconds(1);
  point.most = seconds(9);
  EXPECT_NEAR(estimated({}, work(seconds(2), {point}, 0)), 1 + 0.4 * 8, 1e-6) << "it may end with its own budget";
  point.own = {};
  EXPECT_NEAR(estimated({}, work(seconds(2), {point}, 0)), 0.6 * 9, 1e-6) << "it has more, and may end within it";
  point.wanted = seconds(3);
  EXPECT_NEAR(estimated({}, work(seconds(2), {point}, 0)), 0.3 * 1 + 0.3 * 9, 1e-6) << "the next look may say more";
  point.own = seconds(1);
  EXPECT_NEAR(estimated({}, work(seconds(2), {point}, 0)), 1, 1e-6) << "it needs no more than its own";
}

TEST(TimeLeftTest, WhatFewVisitsPredictIsDrawnToTheMean) {
  OpenCost point = open(seconds(0.5), seconds(9));
  point.visits = 8;
  // The mean of three is 11/3 s; half of the way from 9 to it, without what is spent; at 5 s of the session for 2.5.
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), work(seconds(5), {point}, 0)), 2 * (0.5 * 9 + 0.5 * 11 / 3 - 0.5),
              1e-6);
}

TEST(TimeLeftTest, PointsThatWaitTakeAsLongAsOthersOfTheirSeries) {
  TimeLeft left = two_points_of(seconds(1));
  left.add(1, seconds(4), seconds(4));
  WorkLeft now = work(seconds(6), {}, 0);
  now.waiting[1] = 2;
  EXPECT_NEAR(estimated(left, now), 8, 1e-6);
  now.waiting = {{2, 1}};
  EXPECT_NEAR(estimated(left, now), 2, 1e-6) << "of a series that nothing is known of: the mean of all";
}

TEST(TimeLeftTest, WhatEarlierSessionsSpentIsNoPaceOfThisOne) {
  TimeLeft left;
  left.add(0, seconds(9), seconds(1));
  EXPECT_NEAR(estimated(left, work(seconds(2), {}, 1)), 18, 1e-6);
}

TEST(TimeLeftTest, ProcessesThatAreStartedAreNotStartedAgain) {
  WorkLeft now = work(seconds(14), {}, 1);
  now.set_up = seconds(10);
  now.started = 4;
  now.processes = 2;
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), now), 2 + 5, 1e-6);
  now.waiting.clear();
  now.open = {open({}, seconds(1))};
  now.open[0].to_start = 1;
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), now), 2 + 2.5, 1e-6);
}

TEST(TimeLeftTest, TheLimitEndsIt) {
  WorkLeft now = work(seconds(10), {open(seconds(8))}, 100);
  now.limit = seconds(12);
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), now), 2, 1e-6);
  now.limit = seconds(9);
  EXPECT_EQ(estimated(two_points_of(seconds(1)), now), 0);
}

TEST(TimeLeftTest, VisitsThatAreSpreadOverATimeDoNotEndBefore) {
  WorkLeft now = work(seconds(10), {open(seconds(8))}, 0);
  now.until_spread = seconds(60);
  EXPECT_NEAR(estimated(two_points_of(seconds(1)), now), 60, 1e-6);
}

TEST(TimeLeftTest, PausesBetweenVisitsThatAreSpreadAreNoPaceOfWhatIsLeftOfThem) {
  WorkLeft now = work(seconds(10), {open(seconds(1), seconds(3))}, 0);
  now.idle = seconds(7);
  // Three seconds for a second of visits.
  EXPECT_NEAR(estimated({}, now), 6, 1e-6);
  now.until_spread = seconds(8);
  EXPECT_NEAR(estimated({}, now), 8, 1e-6);
  now.until_spread = {};
  now.waiting[0] = 1;
  EXPECT_NEAR(estimated({}, now), 6 + 30, 1e-6) << "one that waits is spread as well";
}

/// The reports after a fifth of the time, and how many of them were right within a factor of 1.5.
struct Hits {
  int reports = 0;
  int right = 0;
  double worst = 1;
  double share() const { return static_cast<double>(right) / reports; }
};

/// A twentieth of the whole time is added to what was said and to what was true: at the end a factor between the last
/// visits says nothing to anybody.
void judge(Stage stage, Hits& hits) {
  stage.run();
  const Nanoseconds whole = stage.clock.now() - Instant{};
  for (const Progress& progress : stage.progress) {
    if (progress.elapsed < 0.2 * whole) continue;
    const Nanoseconds slack = whole / 20;
    const double ratio = (progress.left + slack) / (whole - progress.elapsed + slack);
    const double factor = std::max(ratio, 1 / ratio);
    ++hits.reports;
    hits.right += factor < 1.5 ? 1 : 0;
    hits.worst = std::max(hits.worst, factor);
  }
}

constexpr std::uint64_t seeds = 20;

/// Along campaigns that differ by chance: which point needs how many visits is known only once it has them.
/// The cheaper calibrations are, the more of what is left is that.
template <typename Make>
void expect_right(const Make& make, double share = 0.9, double worst = 5) {
  Hits hits;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) judge(make(seed), hits);
  EXPECT_GT(hits.reports, 1000);
  EXPECT_GT(hits.share(), share);
  EXPECT_LT(hits.worst, worst);
}

/// Points of a series that differ in cost a hundredfold, since the noise does tenfold.
Stage stage_of(std::uint64_t seed, std::int64_t points, std::size_t pool, Nanoseconds opening) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", points)})}, seed), [](const FakeTurn& turn, Rng& rng) {
    const auto number = at(turn.point, "bytes");
    return noisy(1000 + 100 * number, 0.01 * std::pow(10.0, std::fmod(number * 0.618, 1.0)))(turn, rng);
  });
  stage.host.pool = pool;
  stage.host.opening = opening;
  return stage;
}

TEST(TimeLeftOf, ACampaignOfOneWave) {
  expect_right([](std::uint64_t seed) { return stage_of(seed, 30, 64, {}); }, 0.55, 6);
}

TEST(TimeLeftOf, ACampaignOfSeveralWaves) {
  expect_right([](std::uint64_t seed) { return stage_of(seed, 60, 24, {}); }, 0.85);
}

TEST(TimeLeftOf, ProcessesThatTakeLongToStart) {
  expect_right([](std::uint64_t seed) { return stage_of(seed, 30, 64, microseconds(500)); }, 0.75);
}

/// Points that would need more than they may spend.
Stage stage_of_budgets(std::uint64_t seed) {
  Stage stage = stage_of(seed, 30, 64, {});
  Precision& precision = stage.plan.series[0].precision;
  precision.rule.eps = 0.002;
  precision.rule.budget.max_timings = 100'000;
  precision.rule.budget.max_time = milliseconds(4);
  return stage;
}

TEST(TimeLeftOf, PointsThatSpendTheirBudgets) { expect_right(stage_of_budgets); }

TEST(TimeLeftOf, ACampaignThatEndsByItsLimit) {
  expect_right([](std::uint64_t seed) {
    Stage stage = stage_of_budgets(seed);
    stage.plan.series[0].precision.spare_time = true;
    stage.plan.time_limit = milliseconds(150);
    return stage;
  });
}

TEST(TimeLeftOf, SeriesOfDifferentCost) {
  expect_right([](std::uint64_t seed) {
    const SeriesPlan cheap = fake_series("cheap", {levels("bytes", 20)});
    const SeriesPlan costly = fake_series("expensive", {levels("bytes", 20)});
    Stage stage(fake_plan({cheap, costly}, seed), [](const FakeTurn& turn, Rng& rng) {
      return noisy(turn.series == 0 ? 1000 : 30'000, turn.series == 0 ? 0.01 : 0.06)(turn, rng);
    });
    stage.host.pool = 20;
    return stage;
  });
}

}  // namespace
}  // namespace assay::test
