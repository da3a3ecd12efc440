// SPDX-License-Identifier: Apache-2.0
// An open point: calibration again, the length of its visits, and what disturbs it.
#include <gtest/gtest.h>

#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

SeriesPlan tuned_series() { return fake_series("one", {}); }

TEST(OpenPoint, IsCalibratedAgainWhenItsBatchesTurnOutTooShort) {
  Fed fed(tuned_series());
  const auto tune = [&](std::int64_t reps) { fed.point.calibrated({{reps}, {10}, {1}, {1000}}); };
  tune(100);
  EXPECT_FALSE(fed.point.needs_calibration());
  fed.visit({fed.batch(10), fed.batch(10)});
  EXPECT_FALSE(fed.point.needs_calibration());
  fed.visit({fed.batch(10), fed.batch(4)});
  EXPECT_TRUE(fed.point.needs_calibration()) << "the host moved the members together";
  tune(250);
  EXPECT_FALSE(fed.point.needs_calibration());
  for (int i = 0; i < 8; ++i) fed.visit({fed.batch(4), fed.batch(4), fed.batch(4), fed.batch(4)});
  const PointRecord record = fed.point.finish(fed.point.stopped(Outcome::aborted, "enough"));
  EXPECT_EQ(record.results.at(0).summary.max, 4) << "what batches of another length said does not count";
  EXPECT_EQ(record.reps.count, 250);
}

TEST(OpenPoint, IsCalibratedAgainWhenItsBatchesAreLongByTheWaitsOfTheirMembersOnly) {
  Fed fed(tuned_series());
  fed.point.calibrated({{1}, {10'000'000}, {1}, {4000}});
  Batch batch = fed.batch(250);
  for (MemberReport& report : batch.members) report.wall = microseconds(20);
  fed.visit({batch, batch});
  EXPECT_TRUE(fed.point.needs_calibration()) << "a time slice was calibrated for a repetition";
  fed.point.calibrated({{16}, {250}, {1}, {4000}});
  fed.visit({fed.batch(250), fed.batch(40)});
  EXPECT_TRUE(fed.point.needs_calibration()) << "the host moved the members together";
}

TEST(OpenPoint, IsCalibratedAgainBeforeTheClockResolvesNoneOfItsBatches) {
  const auto again = [](double each) {
    Fed fed(tuned_series());
    fed.point.calibrated({{8}, {500}, {20}, {4000}});
    Batch batch = fed.batch(each);
    for (MemberReport& report : batch.members) report.wall = microseconds(6);
    fed.visit({batch, batch});
    return fed.point.needs_calibration();
  };
  EXPECT_FALSE(again(400));
  EXPECT_FALSE(again(150));
  EXPECT_TRUE(again(100)) << "a fifth of what is wanted";
}

TEST(OpenPoint, IsCalibratedAgainAtMostThreeTimes) {
  Fed fed(tuned_series());
  for (int again = 0; again < 3; ++again) {
    fed.point.calibrated({{100 + again}, {10}, {1}, {1000}});
    fed.visit({fed.batch(0.001)});
    EXPECT_EQ(fed.point.needs_calibration(), again < 2) << again;
  }
}

TEST(Tuning, ShortBatchesAreNeverMadeShorter) {
  SeriesPlan series = fake_series("one", {});
  series.precision.rule.eps = 0.001;
  series.precision.rule.budget.max_timings = 400;
  int turns = 0;
  Stage stage(fake_plan({series}), [&](const FakeTurn& turn, Rng& rng) {
    ++turns;  // the members are moved together for a while, and then share a CPU
    const double each = turns < 100 ? 1000 : (turns < 102 ? 50 : 1e6);
    return noisy(each, 0.1)(turn, rng);
  });
  stage.run();
  std::vector<std::int64_t> reps;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) reps.push_back(visit.batches[0].batch.reps.count);
  EXPECT_GT(reps.front(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(reps));
}

TEST(OpenPoint, TheSameRepetitionsAgainKeepWhatWasSeen) {
  Fed fed(tuned_series());
  fed.visit({fed.batch(10)});
  fed.tune(100, 9);
  EXPECT_EQ(fed.point.finish({}).results.at(0).summary.n, 1U);
}

TEST(OpenPoint, VisitsAreNotLongerBecauseFewOfThemCount) {
  SeriesPlan choosing = tuned_series();
  choosing.precision.batches.reset();
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i) levels.add(0, {{0.072}, {0.9}});
  const auto length = [&](int every) {
    Fed fed(choosing);
    fed.point.judge_by(levels);
    for (int i = 0; i < 40; ++i) {
      std::vector<Batch> batches;
      for (int k = 0; k < 8; ++k) {
        MemberReport& report = batches.emplace_back(fed.batch(10 * (1 + 0.2 * fed.rng.normal()))).members[0];
        report.cpu_before = report.cpu_after = 0;
        report.core_before = report.core_after = {{i % every == 0 ? 0.072 : 0.13}, {0.9}};
      }
      fed.visit(std::move(batches), 0, milliseconds(100));
      if (fed.point.check(2).stop()) ADD_FAILURE() << "after visit " << i;
    }
    return fed.point.next_order().batches;
  };
  EXPECT_GT(length(1), 16);
  EXPECT_EQ(length(5), length(1)) << "a hundred visits of what the rule allows of timings";
}

TEST(OpenPoint, ChoosesTheLengthOfItsVisits) {
  // Visits that cost a hundred times their batches and do not differ: long ones are cheaper.
  SeriesPlan choosing = tuned_series();
  choosing.precision.batches.reset();
  Fed far(choosing);
  for (int i = 0; i < 8; ++i) {
    std::vector<Batch> batches;
    for (int k = 0; k < 8; ++k) batches.push_back(far.batch(10 * (1 + 0.2 * far.rng.normal())));
    far.visit(std::move(batches), 0, microseconds(800));
  }
  EXPECT_FALSE(far.point.check(2).stop());
  EXPECT_GT(far.point.next_order().batches, 16);

  // A time slice at the start of each is no part of what a further batch costs.
  Fed sliced(choosing);
  for (int i = 0; i < 8; ++i) {
    std::vector<Batch> batches(1, sliced.batch(1e6));
    for (int k = 0; k < 8; ++k) batches.push_back(sliced.batch(10 * (1 + 0.2 * sliced.rng.normal())));
    sliced.visit(std::move(batches), 0, milliseconds(101));
  }
  EXPECT_FALSE(sliced.point.check(2).stop());
  EXPECT_GT(sliced.point.next_order().batches, 32);
  EXPECT_LE(sliced.point.next_order().batches, 48) << "a hundred visits of what the rule allows of timings";

  // Visits that differ far more than they vary within: long ones tell nothing new.
  Fed moody(choosing);
  for (int i = 0; i < 8; ++i) {
    const double mood = 10 * (1 + 0.3 * moody.rng.normal());
    std::vector<Batch> batches;
    for (int k = 0; k < 8; ++k) batches.push_back(moody.batch(mood * (1 + 0.001 * moody.rng.normal())));
    moody.visit(std::move(batches), 0, microseconds(10));
  }
  EXPECT_FALSE(moody.point.check(2).stop());
  EXPECT_EQ(moody.point.next_order().batches, 4);

  SeriesPlan asked = tuned_series();
  asked.precision.batches = 6;
  EXPECT_EQ(Fed(asked).point.next_order().batches, 6);
}

TEST(OpenPoint, FailsWhereTheClockKeepsGoingWrong) {
  Fed fed(tuned_series());
  while (!fed.point.check(2).stop()) {
    std::vector<Batch> batches(8, fed.batch(10 + 5 * fed.rng.normal()));
    batches[0].members[0].claims = Claims(Nanoseconds{-1e6});
    fed.visit(std::move(batches), 0, milliseconds(50));
  }
  const Verdict verdict = fed.point.check(2);
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_NE(verdict.reason.find("clock anomalies in"), std::string::npos) << verdict.reason;
}

TEST(Faults, F30_clock_that_fails_in_more_than_one_per_cent_fails_a_point_that_converged) {
  Fed fed(tuned_series());
  int visits = 0;
  while (!fed.point.check(2).stop()) {
    std::vector<Batch> batches(8, fed.batch(10 + 0.001 * fed.rng.normal()));
    if (visits++ % 4 == 0) batches[0].members[0].claims = Claims(Nanoseconds{0});
    fed.visit(std::move(batches));
    ASSERT_LT(visits, 1000);
  }
  EXPECT_EQ(fed.point.check(2).outcome, Outcome::failed);
}

TEST(Faults, F23_binding_that_is_gone_for_good_fails_the_point) {
  SeriesPlan series = tuned_series();
  series.placements = {Placement{.name = "single", .cpus = {1}}};
  Point at;
  at.set("placement", std::string("single"));
  const auto rule = make_rule(series.precision.rule);
  OpenPoint point(series, 0, at, *rule, 2);
  point.calibrated({Reps{100}, {10}, {1}});
  Fed fed(series);
  const auto visit = [&](int cpu) {
    Batch batch = fed.batch(10);
    batch.members[0].cpu_before = batch.members[0].cpu_after = cpu;
    const VisitPlace place{0, 0, point.visits(), milliseconds(100) * point.visits(), milliseconds(1)};
    point.add({0, {}, std::vector<Batch>(8, batch)}, place);
    return point.check(2);
  };
  for (const int cpu : {1, 0, 0, 1, 0, 0}) EXPECT_NE(visit(cpu).outcome, Outcome::failed) << "it came back";
  const Verdict verdict = visit(0);
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_NE(verdict.reason.find("the binding is no longer in effect"), std::string::npos) << verdict.reason;
}

TEST(OpenPoint, CountsDisturbancesByCauseAndMarksNoisyResults) {
  SeriesPlan series = tuned_series();
  series.precision.noisy = 0.1;
  Fed fed(series);
  fed.visit({fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10), fed.batch(10),
             fed.switched(10, 1)});
  const PointRecord record = fed.point.finish({});
  EXPECT_EQ(to_text(record.disturbed), "switched 1");
  EXPECT_TRUE(record.results.at(0).noisy);
  series.precision.noisy = 0.2;
  Fed tolerant(series);
  tolerant.visit({tolerant.batch(10), tolerant.batch(10), tolerant.batch(10), tolerant.batch(10), tolerant.batch(10),
                  tolerant.batch(10), tolerant.batch(10), tolerant.switched(10, 1)});
  EXPECT_FALSE(tolerant.point.finish({}).results.at(0).noisy);
}

/// Repetitions per batch of two members that sleep, of 1.9 us each, where cores are interrupted every 52 us.
std::int64_t interrupted_reps(std::vector<int> cpus, bool simulated) {
  SeriesPlan series = fake_team("pair", 2, Waiting::blocks);
  series.measurement.traits.simulated = simulated;
  Stage stage(fake_plan({series}), noisy(1900, 0.001));
  stage.host.opened.cpus = std::move(cpus);
  stage.interruptions = {77, {154e3}, {4e6}};
  stage.run();
  const auto notes = stage.sink.all<NoteRecord>();
  EXPECT_EQ(std::ranges::any_of(notes, [](const NoteRecord& note) { return note.text.ends_with("(G-TAKEN)"); }),
            !simulated);
  return stage.points().at(0).reps.count;
}

TEST(Tuning, BatchesFitBetweenInterruptionsOfTheMachinesOwnCores) {
  EXPECT_EQ(interrupted_reps({0, 0}, false), 4) << "on one CPU";
  EXPECT_EQ(interrupted_reps({0, 1}, false), 8);
  EXPECT_EQ(interrupted_reps({}, false), 8);
  EXPECT_EQ(interrupted_reps({0, 0}, true), 1);
}

TEST(Tuning, WhatOthersTakeOfTheCpusIsSeenInTheTermOfResults) {
  const auto term = [](Interruptions found) {
    SeriesPlan series = fake_team("pair", 2, Waiting::blocks);
    series.precision.min_span = {};
    Stage stage(fake_plan({series}), noisy(1900, 0.001));
    stage.interruptions = found;
    stage.run();
    return stage.points().at(0).results.at(0).term;
  };
  EXPECT_EQ(term({77, {154e3}, {4e6}}), Term::session);
  EXPECT_EQ(term({77, {800e3}, {4e6}}), Term::short_term);
}

}  // namespace
}  // namespace assay::test
