// SPDX-License-Identifier: Apache-2.0
// An open point: what it orders, what it collects by quantity and regime, and how it ends.
#include "run/point/open_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

SeriesPlan one_series() { return fake_series("one", {}); }
SeriesPlan series_pair(Waiting waiting) { return fake_team("pair", 2, waiting); }

TEST(OpenPoint, DealsVisitsInTurnOverItsIncarnations) {
  Fed fed(one_series());
  for (const int expected : {0, 1, 0, 1, 0}) {
    EXPECT_EQ(fed.point.next_incarnation(), expected);
    fed.visits(1, {10}, 0.01);
  }
}

TEST(OpenPoint, IsNotCalibratedAtFirst) {
  const Fed fed(one_series());
  const OpenPoint fresh(fed.series, 0, Point{}, *fed.rule, 0);
  EXPECT_FALSE(fresh.is_calibrated());
  EXPECT_EQ(fresh.incarnations(), 1);
  EXPECT_TRUE(fed.point.is_calibrated());
}

TEST(OpenPoint, OrdersOneDiscardedBatchForOneMemberAndTwoForATeam) {
  const VisitOrder alone = Fed(one_series()).point.next_order();
  EXPECT_EQ(alone.discard, 1);
  EXPECT_EQ(alone.batches, 8);
  EXPECT_EQ(alone.most_discard, 4);
  EXPECT_EQ(alone.reps.count, 100);
  EXPECT_EQ(Fed(series_pair(Waiting::spins)).point.next_order().discard, 2);
}

TEST(OpenPoint, DeadlinesAreTwentyTimesThePredictionWithinBounds) {
  Fed fed(one_series());
  EXPECT_EQ(fed.point.next_order().deadline, seconds(10));
  fed.tune(1000, 9e6);  // 12 batches of 9 s
  EXPECT_EQ(fed.point.next_order().deadline, seconds(600));
  fed.tune(1, 2e9);  // long: two batches of 2 s
  EXPECT_EQ(fed.point.next_order().deadline, seconds(80));
  fed.series.precision.deadline = seconds(700);
  EXPECT_EQ(fed.point.next_order().deadline, seconds(700));
}

TEST(OpenPoint, LongActionsAreOneBatchAVisitAndDiscardOncePerIncarnation) {
  Fed fed(one_series());
  fed.tune(1, 11e6);
  EXPECT_TRUE(fed.point.is_long());
  std::vector<int> discards;
  for (int i = 0; i < 4; ++i) {
    const VisitOrder order = fed.point.next_order();
    EXPECT_EQ(order.batches, 1);
    EXPECT_EQ(order.most_discard, order.discard);
    discards.push_back(order.discard);
    fed.visit({fed.batch(11e6)});
  }
  EXPECT_EQ(discards, (std::vector<int>{1, 1, 0, 0}));
}

TEST(OpenPoint, KeepsDiscardedBatchesForTheJournalOnly) {
  Fed fed(one_series());
  const auto judged = fed.visit({fed.batch(900), fed.batch(10), fed.batch(12)}, 1);
  EXPECT_EQ(judged.size(), 3U);
  const auto result = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough")).results.at(0);
  EXPECT_EQ(result.summary.n, 2U);
  EXPECT_DOUBLE_EQ(result.summary.max, 12);
}

TEST(OpenPoint, ConvergesByItsRule) {
  Fed fed(one_series());
  for (int visits = 1; visits < 8; ++visits) {
    fed.visits(1, {10}, 0.002);
    EXPECT_FALSE(fed.point.check(2).stop()) << visits;
  }
  fed.visits(1, {10}, 0.002);
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::converged) << verdict.reason;
  const PointRecord record = fed.point.finish(verdict);
  EXPECT_EQ(record.series, "one");
  EXPECT_EQ(record.measurement, "fake/one");
  EXPECT_EQ(record.reps.count, 100);
  ASSERT_EQ(record.results.size(), 1U);
  EXPECT_EQ(record.results[0].quantity, "time");
  EXPECT_EQ(record.results[0].regime_share, 1);
  EXPECT_EQ(record.results[0].visits, 8);
  EXPECT_EQ(record.results[0].incarnations, 2);
  EXPECT_NEAR(record.results[0].headline.value, 10, 0.05);
}

TEST(OpenPoint, AimsAtTheDefaultOfItsRule) {
  SeriesPlan series = one_series();
  series.precision.rule = {};
  series.precision.rule.name = "stddev";
  EXPECT_EQ(Fed(series).point.accuracy().eps, 0.1);
  series.precision.rule.eps = 0.3;
  EXPECT_EQ(Fed(series).point.accuracy().eps, 0.3);
}

TEST(OpenPoint, HasNoNewsBetweenLooks) {
  Fed fed(one_series());
  fed.visits(9, {10}, 0.002);
  EXPECT_FALSE(fed.point.check(2).stop());
  fed.visits(1, {10}, 0.002);
  EXPECT_TRUE(fed.point.check(2).stop());
}

TEST(OpenPoint, AddsIncarnationsWhileTheyDecideAndTheTargetIsMissed) {
  SeriesPlan series = one_series();
  Fed fed(series);
  fed.point = OpenPoint(fed.series, 0, Point{}, *fed.rule, 5);
  fed.tune(100, 10);
  const std::vector<double> centres{10, 11, 12, 10.5, 11.5, 10.2, 11.2};
  std::vector<int> seen;
  for (int i = 0; i < 60; ++i) {
    fed.visits(1, centres, 0.001);
    EXPECT_FALSE(fed.point.check(7).stop());
    if (seen.empty() || seen.back() != fed.point.incarnations()) seen.push_back(fed.point.incarnations());
  }
  EXPECT_EQ(seen, (std::vector<int>{5, 6, 7})) << "one at a time, and never more than allowed";
}

TEST(OpenPoint, AddsNoIncarnationWhereTheyAgree) {
  Fed fed(one_series());
  fed.point = OpenPoint(fed.series, 0, Point{}, *fed.rule, 5);
  fed.tune(100, 10);
  const auto spread = [&](int k) { return fed.batch(5 + 7 * k % 101 * 0.1); };
  for (int i = 0; i < 60; ++i) {
    fed.visit({spread(4 * i), spread(4 * i + 1), spread(4 * i + 2), spread(4 * i + 3)});
    EXPECT_FALSE(fed.point.check(9).stop());
  }
  EXPECT_EQ(fed.point.incarnations(), 5);
}

TEST(OpenPoint, SummarisesWhatWarmUpLeaves) {
  Fed fed(one_series());
  for (int i = 0; i < 14; ++i) {
    const double start = i < 3 ? 5 : 0;
    fed.visit({fed.batch(10 + start), fed.batch(10.1 + start), fed.batch(9.9 + start), fed.batch(10 + start)});
  }
  const Result result = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough")).results.at(0);
  EXPECT_EQ(result.steadiness.dropped, 3);
  EXPECT_EQ(result.summary.n, 11U * 4);
  EXPECT_EQ(result.visits, 14);
  EXPECT_LT(result.summary.max, 11);
  EXPECT_EQ(result.summary.median, result.headline.value);
  EXPECT_GT(result.steadiness.effective, 0);
}

TEST(OpenPoint, LeavesDisturbedBatchesOutByCause) {
  Fed fed(one_series());
  fed.visit({fed.batch(10), fed.switched(10, 1), fed.batch(11), fed.batch(10)});
  const Result result = fed.point.finish(fed.point.stopped(Outcome::max_time, "enough")).results.at(0);
  EXPECT_EQ(result.summary.n, 3U);
  EXPECT_DOUBLE_EQ(result.disturbed_share, 0.25);
}

TEST(OpenPoint, WhatAWatcherMeasuresDoesNotLeaveAVisitOut) {
  VisitPlace stolen{0, 0, 0, {}, milliseconds(1)};
  stolen.disturbed.set(static_cast<std::size_t>(Disturbance::stolen));
  for (const Waiting waiting : {Waiting::none, Waiting::watches}) {
    Fed fed(fake_team("one", 1, waiting));
    const auto judged = fed.point.add({0, {}, {fed.batch(10)}}, stolen);
    EXPECT_EQ(judged.at(0).judgement.disturbed.any(), waiting == Waiting::none);
  }
}

TEST(OpenPoint, DoesNotConvergeWhileManyAreDisturbed) {
  Fed fed(one_series());
  for (int i = 0; i < 8; ++i) fed.visit({fed.batch(10), fed.batch(10.01), fed.batch(10), fed.switched(10, 1)});
  EXPECT_FALSE(fed.point.check(2).stop()) << "25 % were disturbed";
  EXPECT_FALSE(fed.point.confirm().has_value());
  EXPECT_NE(fed.point.stopped(Outcome::aborted, "stopped").outcome, Outcome::converged);
  fed.visit({fed.batch(10)}, 0, seconds(9));
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::max_time) << verdict.reason;
  EXPECT_TRUE(fed.point.finish(verdict).results.at(0).noisy);
}

TEST(OpenPoint, HasAValueWhenTheBudgetEndsAndManyWereDisturbed) {
  Fed fed(one_series());
  for (int i = 0; i < 8; ++i)
    fed.visit({fed.batch(10 + i), fed.batch(14 - i), fed.switched(10, 1), fed.batch(20)}, 0, seconds(1));
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::max_time) << verdict.reason;
  EXPECT_EQ(verdict.reason.find("25 % of the batches were disturbed (switched 8), 24 were not"), 0U) << verdict.reason;
  EXPECT_EQ(fed.point.finish(verdict).results.size(), 1U);
}

TEST(OpenPoint, IsNotTooNoisyWithAFewDisturbances) {
  Fed fed(one_series());
  for (int i = 0; i < 8; ++i)
    fed.visit({fed.batch(10 + i), fed.batch(14 - i), fed.batch(17), fed.batch(18), fed.switched(10, i == 0 ? 1 : 0)}, 0,
              seconds(1));
  EXPECT_EQ(fed.point.check(2).outcome, Outcome::max_time);
}

TEST(OpenPoint, IsTooNoisyWithFewerThanTenCleanTimings) {
  Fed fed(one_series());
  fed.series.precision.too_noisy = 1;
  fed.visit({fed.batch(10), fed.batch(11), fed.switched(10, 1)}, 0, seconds(9));
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::too_noisy);
  EXPECT_TRUE(fed.point.finish(verdict).results.empty()) << "too-noisy is no number";
}

TEST(OpenPoint, WithEverythingDisturbedThereIsNoResult) {
  Fed fed(one_series());
  for (int i = 0; i < 5; ++i) fed.visit({fed.switched(10, 3)}, 0, seconds(1));
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::too_noisy);
  EXPECT_TRUE(fed.point.finish(verdict).results.empty());
}

TEST(OpenPoint, IsGivenUpWhenNothingButDisturbedBatchesComes) {
  Fed fed(one_series());
  fed.visit({fed.batch(10), fed.batch(11)});
  int visits = 0;
  while (!fed.point.check(2).stop() && visits < 100) fed.visit({fed.switched(10, 1), fed.switched(10, 2)}), ++visits;
  EXPECT_EQ(visits, 16) << "the first visit's two clean ones promise nothing";
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::too_noisy);
  EXPECT_EQ(verdict.reason,
            "every batch of the last 16 visits was disturbed (switched 32), 2 in all were not; given up before the "
            "budget was spent");
}

TEST(OpenPoint, ACleanBatchNowAndThenKeepsHopeUp) {
  Fed fed(one_series());
  for (int i = 0; i < 40; ++i) {
    fed.visit({fed.switched(10, 1), fed.switched(10, i % 15 == 0 ? 0 : 1)});
    EXPECT_FALSE(fed.point.check(2).stop()) << i;
  }
}

TEST(OpenPoint, FailsWhenNobodyClaimsThePrimaryQuantity) {
  Fed fed(one_series());
  Batch silent = fed.batch(10);
  silent.members[0].claims = {};
  fed.visit({silent, silent}, 0, seconds(6));
  EXPECT_EQ(fed.point.check(2).outcome, Outcome::failed);
}

TEST(OpenPoint, LongActionsGetFiveObservationsWhateverTheirBudget) {
  Fed fed(one_series());
  fed.tune(1, 3e9);
  for (int i = 0; i < 4; ++i) {
    fed.visit({fed.batch(3e9 + 1e9 * i)}, 0, seconds(3));
    EXPECT_FALSE(fed.point.check(2).stop()) << i;
  }
  fed.visit({fed.batch(9e9)}, 0, seconds(3));
  EXPECT_EQ(fed.point.check(2).outcome, Outcome::max_time);
}

TEST(OpenPoint, LongActionsThatAreAlwaysDisturbedEndToo) {
  Fed fed(one_series());
  fed.tune(1, 3e9);
  int visits = 0;
  while (!fed.point.check(2).stop() && visits < 100) fed.visit({fed.switched(3e9, 1)}, 0, seconds(3)), ++visits;
  EXPECT_EQ(visits, 10);
}

TEST(OpenPoint, RegimesAreNeverMixed) {
  SeriesPlan series = series_pair(Waiting::either);
  series.precision.rule.eps = 0.05;  // campaigns differ by 4.5 % where luck decides who is awake
  Fed fed(std::move(series));
  for (int i = 0; i < 8; ++i)
    fed.visit({fed.batch(10), fed.batch(10.01), fed.batch(9.99), fed.switched(500, 100),
               fed.switched(i % 2 == 0 ? 400 : 700, 30)});
  const PointRecord record = fed.point.finish(fed.point.check(2));
  EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
  ASSERT_EQ(record.results.size(), 3U);
  EXPECT_EQ(record.results[0].regime, Regime::spin);
  EXPECT_DOUBLE_EQ(record.results[0].regime_share, 0.6);
  EXPECT_DOUBLE_EQ(record.results[0].summary.max, 10.01);
  EXPECT_EQ(record.results[1].regime, Regime::blocked);
  EXPECT_EQ(record.results[1].summary.n, 8U);
  EXPECT_DOUBLE_EQ(record.results[1].headline.value, 500);
  EXPECT_EQ(record.results[1].verdict.outcome, Outcome::converged) << "a minor regime can keep the promise too";
  EXPECT_EQ(record.results[2].regime, Regime::mixed);
  EXPECT_EQ(record.results[2].verdict.outcome, Outcome::open);
  EXPECT_EQ(record.results[2].verdict.reason, "minor regime: 20 % of the clean batches");
}

TEST(OpenPoint, AHandfulInAnotherRegimeIsNoResult) {
  Fed fed(series_pair(Waiting::either));
  for (int i = 0; i < 8; ++i)
    fed.visit({fed.batch(10), fed.batch(10.01), i < 4 ? fed.switched(500, 100) : fed.batch(10)});
  EXPECT_EQ(fed.point.finish(fed.point.check(2)).results.size(), 1U);
}

TEST(OpenPoint, EveryQuantityHasItsOwnResultAndVerdict) {
  SeriesPlan series = one_series();
  series.measurement.quantities.push_back({.name = "misses", .unit = Unit::count, .summary = {}});
  Fed fed(series);
  for (int i = 0; i < 8; ++i) {
    std::vector<Batch> batches(8, fed.batch(10));
    for (int k = 0; k < 8; ++k)
      batches[static_cast<std::size_t>(k)].members[0].claims.set(1, 100.0 * (i + 1) * (k + 1));
    fed.visit(batches);
  }
  const PointRecord record = fed.point.finish(fed.point.check(2));
  EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
  ASSERT_EQ(record.results.size(), 2U);
  EXPECT_EQ(record.results[1].quantity, "misses");
  EXPECT_EQ(record.results[1].unit, Unit::count);
  EXPECT_DOUBLE_EQ(record.results[1].summary.max, 64);
  EXPECT_EQ(record.results[1].verdict.outcome, Outcome::open);
  EXPECT_NE(record.results[1].verdict.reason, "");
}

TEST(OpenPoint, ACoarseClockLimitsTheAccuracy) {
  Fed fed(one_series());
  fed.point.calibrated({{100}, {10}, {100}});  // half a step is 0.5 ns in 10
  fed.visits(8, {10}, 0);
  EXPECT_EQ(fed.point.check(2).outcome, Outcome::resolution);
}

// A clock's step: the same number of whole nanoseconds in every batch is known to half of one.
TEST(OpenPoint, ATimeOfTheBatchAsAWholeIsCountedInNanoseconds) {
  for (const double step : {22.0, 4e6}) {
    SeriesPlan series = one_series();
    series.measurement.quantities.push_back({.name = "step", .per = Per::batch, .summary = {}});
    Fed fed(series);
    for (int i = 0; i < 8; ++i) {
      Batch batch = fed.batch(10);
      batch.members[0].claims.set(1, step);
      fed.visit(std::vector<Batch>(8, batch));
    }
    const PointRecord record = fed.point.finish(fed.point.check(2));
    ASSERT_EQ(record.results.size(), 2U);
    const Result& result = record.results[1];
    EXPECT_EQ(result.headline.value, step);
    EXPECT_LE(result.headline.interval.low, step - 0.5);
    EXPECT_GE(result.headline.interval.high, step + 0.5);
    EXPECT_EQ(result.verdict.outcome, step < 100 ? Outcome::resolution : Outcome::converged) << result.verdict.reason;
  }
}

TEST(OpenPoint, SaysWhenTheVisitsSpanTooLittle) {
  Fed fed(one_series());
  fed.series.precision.min_span = milliseconds(701);
  fed.visits(8, {10}, 0.001);  // 100 ms apart, 1 ms each
  EXPECT_EQ(fed.point.finish({}).results[0].term, Term::session);
  EXPECT_EQ(fed.point.finish({}).results[0].span, milliseconds(701));
  fed.series.precision.min_span = milliseconds(702);
  EXPECT_EQ(fed.point.finish({}).results[0].term, Term::short_term);
}

TEST(OpenPoint, ReportsSpreadWithinAndBetweenIncarnations) {
  Fed fed(one_series());
  for (int i = 0; i < 4; ++i) {
    const double centre = i % 2 == 0 ? 100 : 200;
    fed.visit({fed.batch(centre - 4), fed.batch(centre - 2), fed.batch(centre), fed.batch(centre + 2),
               fed.batch(centre + 4)});
  }
  const Result result = fed.point.finish({}).results.at(0);
  EXPECT_NEAR(result.between_spread, std::log(2.0) / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(result.within_spread, 4 / 150.0, 0.01);
}

TEST(OpenPoint, StoppedKeepsWhatItHas) {
  Fed fed(one_series());
  fed.visits(3, {10}, 0.01);
  const Verdict verdict = fed.point.stopped(Outcome::aborted, "stopped by a signal");
  EXPECT_EQ(verdict.outcome, Outcome::aborted);
  EXPECT_EQ(verdict.reason.find("stopped by a signal after 3 visits; "), 0U) << verdict.reason;
  EXPECT_EQ(fed.point.finish(verdict).results.at(0).summary.n, 24U);
}

TEST(OpenPoint, StoppedStillSaysConverged) {
  Fed fed(one_series());
  fed.visits(9, {10}, 0.001);
  EXPECT_EQ(fed.point.stopped(Outcome::max_time, "time limit reached").outcome, Outcome::converged);
}

TEST(OpenPoint, FinishingWithoutANumberSaysWhy) {
  const PointRecord record = finish_without(one_series(), Point{}, Outcome::not_applicable, "no progress", "N1");
  EXPECT_EQ(record.outcome, Outcome::not_applicable);
  EXPECT_EQ(record.reason, "no progress");
  EXPECT_EQ(record.code, "N1");
  EXPECT_TRUE(record.results.empty());
}

}  // namespace
}  // namespace assay::test
