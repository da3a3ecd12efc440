// SPDX-License-Identifier: Apache-2.0
// The campaign's loop on a fake host: rounds, incarnations, waves, budgets, refinement, and what is journalled.
#include "run/session/campaign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "record/journal/codec.hpp"
#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

TEST(Campaign, MeasuresEveryPointOfTheDesign) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", 3)})}),
              [](const FakeTurn& turn, Rng& rng) { return noisy(100 * at(turn.point, "bytes"), 0.003)(turn, rng); });
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.reason, "complete");
  EXPECT_EQ(end.points, 3);
  EXPECT_EQ(end.exit_code(), 0);
  for (const PointRecord& record : stage.points()) {
    EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
    EXPECT_NEAR(record.results.at(0).headline.value / (100 * at(record.point, "bytes")), 1, 0.005);
  }
  EXPECT_EQ(stage.host.open_now(), 0U);
}

TEST(Campaign, WritesItsRecordsInOrder) {
  SeriesPlan series = fake_series("one", {levels("bytes", 2)});
  series.refused = {"placement smt: this machine has no siblings"};
  series.derived.push_back({"twice", DerivedSpec::Kind::ratio, "bytes", "2", "1", "ratio bytes 2 1"});
  Stage stage(fake_plan({series}), noisy(1000, 0.001));
  stage.run();
  const auto& records = stage.sink.records();
  EXPECT_TRUE(std::holds_alternative<SessionRecord>(records.at(0)));
  EXPECT_TRUE(std::holds_alternative<SeriesRecord>(records.at(1)));
  EXPECT_TRUE(std::holds_alternative<BeginRecord>(records.at(2)));
  EXPECT_TRUE(std::holds_alternative<IncarnationRecord>(records.at(3)));
  EXPECT_TRUE(std::holds_alternative<VisitRecord>(records.at(4)));
  EXPECT_TRUE(std::holds_alternative<EndRecord>(records.back()));
  EXPECT_EQ(stage.sink.all<SeriesRecord>()[0].rule.find("median-ci("), 0U);
  EXPECT_NEAR(stage.sink.all<DerivedRecord>().at(0).derived.value, 1, 0.01);
  EXPECT_EQ(stage.sink.all<NoteRecord>().at(0).text, "series one: placement smt: this machine has no siblings");
  EXPECT_EQ(stage.sink.all<EndRecord>().at(0).points, 2);
}

TEST(Campaign, VisitsCarryTheirPlaceAndAllBatches) {
  Stage stage(fake_plan({fake_series("one", {})}), noisy(1000, 0.001));
  stage.run();
  const auto visits = stage.sink.all<VisitRecord>();
  ASSERT_GE(visits.size(), 8U);
  Nanoseconds before{-1};
  for (std::size_t i = 0; i < visits.size(); ++i) {
    EXPECT_EQ(visits[i].visit, static_cast<int>(i));
    EXPECT_EQ(visits[i].discarded, 1);
    EXPECT_EQ(visits[i].batches.size(), 9U);
    EXPECT_GT(visits[i].at, before);
    EXPECT_NEAR(visits[i].took.count, 9 * 1000 * 3, 200);  // three repetitions last T = 2.5 us and more
    before = visits[i].at;
  }
}

TEST(Campaign, VariantsAreMeasuredInTurnToTheEnd) {
  // One needs many more visits than the other, which alone would end in another mood of the machine.
  Stage stage(fake_plan({fake_series("one", {words("variant", {"calm", "rough"})})}),
              [](const FakeTurn& turn, Rng& rng) {
                return noisy(1000, turn.point.text("variant") == "calm" ? 0.001 : 0.1)(turn, rng);
              });
  stage.run();
  std::map<std::string, int> last;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) last[visit.point.text("variant")] = visit.round;
  EXPECT_GT(last.at("rough"), 16);
  EXPECT_LE(std::abs(last.at("calm") - last.at("rough")), 1);
  for (const PointRecord& record : stage.points()) EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
}

// One that is satisfied at one look need not be so at the next: where it went on alone, it ended in another mood.
TEST(Campaign, VariantsEndTogether) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CampaignPlan plan = fake_plan({fake_series("one", {words("variant", {"plain", "again"})})});
    plan.seed = seed;
    Stage stage(std::move(plan), noisy(1000, 0.1));
    stage.run();
    std::map<std::string, int> visits;
    for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) ++visits[visit.point.text("variant")];
    EXPECT_LE(std::abs(visits.at("plain") - visits.at("again")), 1) << "seed " << seed;
    for (const PointRecord& record : stage.points()) EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
  }
}

TEST(Campaign, VariantsHaveEqualRepetitions) {
  // Each takes so long that the clock would ask for three repetitions of one and two of the other.
  Stage stage(fake_plan({fake_series("one", {words("variant", {"plain", "again"}), words("lock", {"a", "b"})})}),
              [](const FakeTurn& turn, Rng& rng) {
                const double longer = turn.point.text("lock") == "b" ? 10 : 1;
                return noisy(longer * (turn.point.text("variant") == "plain" ? 1000 : 1300), 0.001)(turn, rng);
              });
  stage.run();
  std::map<std::string, std::set<std::int64_t>> reps;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    for (const JudgedBatch& batch : visit.batches) reps[visit.point.text("lock")].insert(batch.batch.reps.count);
  EXPECT_EQ(reps.at("a").size(), 1U);
  EXPECT_EQ(reps.at("b"), std::set<std::int64_t>{1}) << "of another point they are its own";
}

TEST(Campaign, TheWorstBoundOfACommonClockIsThePoints) {
  Stage stage(fake_plan({fake_series("one", {})}), noisy(1000, 0.001));
  double bound = 400;
  stage.host.on_visit = [&](const IncarnationKey&, const VisitOrder&) {
    stage.host.clock_look = VisitClock{Nanoseconds{bound = bound == 400 ? 700 : 400}, ""};
  };
  stage.run();
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) EXPECT_TRUE(visit.clock_bound);
  EXPECT_EQ(stage.points().at(0).clock_bound, Nanoseconds{700});
  EXPECT_EQ(stage.points().at(0).outcome, Outcome::converged);
}

TEST(Campaign, VisitsWhoseClocksDisagreedAreLeftOutWithTheReason) {
  Stage stage(fake_plan({fake_series("one", {})}), noisy(1000, 0.001));
  stage.host.clock_look = VisitClock{Nanoseconds{400}, "stamps of rank 1 cannot be compared"};
  stage.run();
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    for (const JudgedBatch& batch : visit.batches)
      EXPECT_TRUE(batch.judgement.disturbed.test(static_cast<std::size_t>(Disturbance::clock)));
  EXPECT_EQ(stage.points().at(0).outcome, Outcome::failed);
  EXPECT_TRUE(stage.points().at(0).results.empty());
  EXPECT_NE(stage.sink.all<NoteRecord>().at(0).text.find("stamps of rank 1 cannot be compared"), std::string::npos);
}

TEST(Campaign, EachRoundVisitsEachUnfinishedPointOnceInAnotherOrder) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", 8)})}), noisy(1000, 0.001));
  stage.run();
  std::set<std::vector<std::string>> orders;
  const auto rounds = stage.rounds();
  ASSERT_GE(rounds.size(), 8U);
  for (const auto& [round, points] : rounds) {
    EXPECT_EQ(std::set<std::string>(points.begin(), points.end()).size(), points.size());
    if (round >= 8) continue;  // no point is finished before its eighth visit
    EXPECT_EQ(points.size(), 8U);
    orders.insert(points);
  }
  EXPECT_GT(orders.size(), 5U);
}

TEST(Campaign, FinishedPointsLeaveTheRounds) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", 2)})}), [](const FakeTurn& turn, Rng& rng) {
    return noisy(1000, at(turn.point, "bytes") < 2 ? 0.001 : 0.1)(turn, rng);
  });
  stage.run();
  EXPECT_EQ(stage.incarnations_of("bytes=1").size(), 8U);
  EXPECT_GT(stage.incarnations_of("bytes=2").size(), 8U);
  EXPECT_EQ(stage.rounds()[9], std::vector<std::string>{"bytes=2"});
}

TEST(Campaign, TheSeedDecidesTheOrderAndTheJournal) {
  const auto journal = [](std::uint64_t seed) {
    Stage stage(fake_plan({fake_series("one", {levels("bytes", 6)})}, seed), noisy(1000, 0.05));
    stage.run();
    std::string text;
    for (const Record& record : stage.sink.records()) text += to_text(encode(record)) + "\n";
    return std::pair(text, stage.rounds()[0]);
  };
  EXPECT_EQ(journal(1).first, journal(1).first);
  EXPECT_NE(journal(1).second, journal(2).second);
}

TEST(Campaign, SeriesAreInterleaved) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", 2)}), fake_series("two", {levels("bytes", 2)})}),
              noisy(1000, 0.001));
  stage.run();
  std::set<std::string> first_round;
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>())
    if (visit.round == 0) first_round.insert(visit.series);
  EXPECT_EQ(first_round, (std::set<std::string>{"one", "two"}));
}

TEST(Campaign, DealsIncarnationsInTurnAndKeepsThemOpen) {
  SeriesPlan series = fake_series("one", {});
  series.precision.incarnations = 3;
  Stage stage(fake_plan({series}), noisy(1000, 0.001));
  stage.run();
  const std::vector<int> dealt = stage.incarnations_of("");
  ASSERT_GE(dealt.size(), 8U);
  for (std::size_t i = 0; i < dealt.size(); ++i) EXPECT_EQ(dealt[i], static_cast<int>(i % 3)) << i;
  EXPECT_EQ(stage.host.opened_in_all(), 3U);
  EXPECT_EQ(stage.host.most_open(), 3U);
  const auto opened = stage.sink.all<IncarnationRecord>();
  ASSERT_EQ(opened.size(), 3U);
  EXPECT_EQ(opened[2].incarnation, 2);
  EXPECT_EQ(opened[2].process, 1002);
}

TEST(Campaign, TellsWhatOpeningTookWithoutTheWarmUp) {
  Stage stage(fake_plan({fake_series("one", {})}), noisy(1000, 0.001));
  stage.host.opening = milliseconds(8);
  stage.host.opened.warm_up_took = milliseconds(5);
  stage.run();
  for (const IncarnationRecord& opened : stage.sink.all<IncarnationRecord>())
    EXPECT_EQ(opened.took, milliseconds(3)) << opened.incarnation;
}

TEST(Campaign, KeepsWhichCopyOfItsLoopsAProcessRuns) {
  Stage stage(fake_plan({fake_series("one", {})}), noisy(1000, 0.001));
  stage.host.opened.loop_copy = 3;
  stage.run();
  const auto opened = stage.sink.all<IncarnationRecord>();
  ASSERT_FALSE(opened.empty());
  for (const IncarnationRecord& one : opened) EXPECT_EQ(one.loop_copy, 3);
}

TEST(Campaign, AddsIncarnationsWhereProcessesDiffer) {
  SeriesPlan series = fake_series("one", {});
  series.precision.incarnations = 5;
  series.precision.rule.max_incarnations = 8;
  series.precision.rule.budget.max_time = milliseconds(20);
  const TimeLaw law = [](const FakeTurn& turn, Rng& rng) {
    return noisy(1000 * (1 + 0.02 * (turn.incarnation % 5)), 0.001)(turn, rng);
  };
  Stage many(fake_plan({series}), law);
  many.run();
  EXPECT_EQ(many.host.opened_in_all(), 8U);
  EXPECT_GT(many.points().at(0).results.at(0).between_spread, 0.01);
  Stage few(fake_plan({series}), law);
  few.host.pool = 6;
  few.run();
  EXPECT_EQ(few.host.opened_in_all(), 6U) << "the pool bounds them too";
}

TEST(Campaign, WavesFitThePoolAndFinishBeforeTheNextOpens) {
  SeriesPlan series = fake_series("one", {levels("bytes", 7)});
  Stage stage(fake_plan({series}), [](const FakeTurn& turn, Rng& rng) {
    return noisy(1000, std::fmod(at(turn.point, "bytes"), 2) < 1 ? 0.001 : 0.1)(turn, rng);
  });
  stage.host.pool = 5;  // two points of two incarnations
  stage.run();
  EXPECT_EQ(stage.points().size(), 7U);
  EXPECT_LE(stage.host.most_open(), 5U);
  for (const auto& [round, points] : stage.rounds()) EXPECT_LE(points.size(), 2U);
  std::set<std::string> finished;
  std::set<std::string> wave;
  for (const Record& record : stage.sink.records()) {
    if (const auto* visit = std::get_if<VisitRecord>(&record)) wave.insert(to_text(visit->point));
    if (const auto* point = std::get_if<PointRecord>(&record)) finished.insert(to_text(point->point));
    EXPECT_LE(wave.size(), finished.size() / 2 * 2 + 2) << "a point was opened before its wave";
  }
}

TEST(Campaign, APoolSmallerThanAPointsIncarnationsIsEnough) {
  SeriesPlan series = fake_series("one", {levels("bytes", 2)});
  series.precision.incarnations = 5;
  Stage stage(fake_plan({series}), noisy(1000, 0.001));
  stage.host.pool = 3;
  EXPECT_EQ(stage.run().points, 2);
  EXPECT_EQ(stage.host.most_open(), 3U);
}

TEST(Campaign, CalibratesOnceInTheFirstIncarnation) {
  Stage stage(fake_plan({fake_series("one", {})}), noisy(10, 0));
  stage.run();
  std::set<std::int64_t> reps;
  std::vector<FakeHost::Asked> trials;
  for (const auto& asked : stage.host.asked())
    if (asked.is_trial())
      trials.push_back(asked);
    else
      reps.insert(asked.order.reps.count);
  EXPECT_EQ(reps, std::set<std::int64_t>{250});  // 5 * 10 ns / 2 %
  EXPECT_EQ(trials.size(), 6U + 1U);             // 1 to 32: 320 ns exceed 20 steps; then four more at once
  for (const auto& trial : trials) EXPECT_EQ(trial.key.incarnation, 0);
  EXPECT_EQ(stage.points().at(0).reps.count, 250);
}

TEST(Campaign, ACalibrationThatIsNotATimeUsesTheWallClock) {
  SeriesPlan series = fake_series("one", {});
  series.measurement.quantities[0].unit = Unit::count;
  Stage stage(fake_plan({series}), noisy(10, 0));
  stage.host.spoil = [](const IncarnationKey&, Batch& batch, Rng&) {
    batch.members[0].claims = Claims().set(0, 3.0 * static_cast<double>(batch.reps.count));
  };
  stage.run();
  EXPECT_EQ(stage.points().at(0).reps.count, 250);
  EXPECT_DOUBLE_EQ(stage.points()[0].results.at(0).headline.value, 3);
}

TEST(Campaign, SimulatedTimeHasStepsOfANanosecond) {
  SeriesPlan series = fake_series("one", {});
  series.measurement.traits.simulated = true;
  Stage stage(fake_plan({series}), noisy(5600, 0));
  stage.host.opened.clock_step = milliseconds(10);
  stage.run();
  EXPECT_EQ(stage.points().at(0).reps.count, 1);
  EXPECT_EQ(stage.points()[0].outcome, Outcome::converged);
}

TEST(Campaign, AFrozenClockFailsThePointAndNothingElse) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", 2)})}), [](const FakeTurn& turn, Rng& rng) {
    return at(turn.point, "bytes") < 2 ? Nanoseconds{} : noisy(1000, 0.001)(turn, rng);
  });
  EXPECT_EQ(stage.run().exit_code(), 1);
  EXPECT_EQ(stage.point("bytes=1").outcome, Outcome::failed);
  EXPECT_NE(stage.point("bytes=1").reason.find("clock does not advance"), std::string::npos);
  EXPECT_EQ(stage.point("bytes=2").outcome, Outcome::converged);
}

TEST(Campaign, TellsAboutBatchesOfAnotherLengthThanWanted) {
  SeriesPlan series = fake_series("one", {});
  series.measurement.traits.reps.most = {20};
  Stage stage(fake_plan({series}), noisy(10, 0));
  stage.run();
  EXPECT_NE(stage.sink.all<NoteRecord>().at(0).text.find("shorter than required"), std::string::npos);
}

TEST(Campaign, StopsAPointExactlyAtItsTimeBudget) {
  SeriesPlan series = fake_series("one", {});
  series.precision.rule.budget.max_time = milliseconds(90);
  Stage stage(fake_plan({series}), [n = 0](const FakeTurn&, Rng&) mutable {
    return ++n % 2 == 0 ? milliseconds(0.5) : milliseconds(1.5);  // 9 batches: 8.5 or 9.5 ms
  });
  stage.run();
  EXPECT_EQ(stage.points().at(0).outcome, Outcome::max_time) << stage.points()[0].reason;
  Nanoseconds spent{};
  for (const VisitRecord& visit : stage.sink.all<VisitRecord>()) {
    EXPECT_LT(spent, milliseconds(90)) << "a visit after the budget was spent";
    spent += visit.took;
  }
  EXPECT_GE(spent, milliseconds(90));
}

TEST(Campaign, LongActionsAreSpreadOneBatchAtATime) {
  SeriesPlan series = fake_series("one", {});
  Stage stage(fake_plan({series}), noisy(2e9, 0.001));
  stage.run();
  const auto visits = stage.sink.all<VisitRecord>();
  ASSERT_GE(visits.size(), 5U);
  std::size_t kept = 0;
  for (const VisitRecord& visit : visits) kept += visit.batches.size() - static_cast<std::size_t>(visit.discarded);
  EXPECT_EQ(kept, visits.size());
  EXPECT_EQ(visits[0].discarded, 1);
  EXPECT_EQ(visits[1].discarded, 1);
  EXPECT_EQ(visits[2].discarded, 0);
  EXPECT_GE(stage.points().at(0).results.at(0).summary.n, 5U);
}

TEST(Campaign, PointsWithoutMeaningAreFinishedAtOnce) {
  SeriesPlan series = fake_team("pair", 2, Waiting::spins);
  series.placements = {{"same-pu", {1, 1}}, {"smt", {0, 1}}};
  series.factors = {words("placement", {"same-pu", "smt"})};
  Stage stage(fake_plan({series}), noisy(1000, 0.001));
  const CampaignEnd end = stage.run();
  EXPECT_EQ(end.points, 2);
  EXPECT_EQ(end.exit_code(), 0);
  EXPECT_EQ(stage.point("placement=same-pu").outcome, Outcome::not_applicable);
  EXPECT_EQ(stage.point("placement=same-pu").code, "N1");
  EXPECT_EQ(stage.point("placement=smt").outcome, Outcome::converged);
  for (const auto& asked : stage.host.asked()) EXPECT_EQ(to_text(asked.key.point), "placement=smt");
}

TEST(Campaign, TeamsThatMaySpinGetTheReferenceChannel) {
  const auto asks_for_reference = [](SeriesPlan series, const std::string& placement) {
    series.placements = {{"same-pu", {1, 1}}, {"smt", {0, 1}}, {"unbound", {}}};
    series.factors = {words("placement", {placement})};
    Stage stage(fake_plan({series}), noisy(1000, 0.001));
    stage.run();
    for (const auto& asked : stage.host.visits()) return asked.order.reference;
    throw std::logic_error("no visit");
  };
  EXPECT_TRUE(asks_for_reference(fake_team("pair", 2, Waiting::blocks), "smt"));
  EXPECT_TRUE(asks_for_reference(fake_team("pair", 2, Waiting::blocks), "unbound"));
  EXPECT_FALSE(asks_for_reference(fake_team("pair", 2, Waiting::blocks), "same-pu"));
  EXPECT_FALSE(asks_for_reference(fake_team("crowd", 5, Waiting::blocks), "unbound"));
  EXPECT_FALSE(asks_for_reference(fake_team("alone", 1, Waiting::none), "unbound"));
}

TEST(Campaign, ProgressCountsUp) {
  Stage stage(fake_plan({fake_series("one", {levels("bytes", 4)})}), [](const FakeTurn& turn, Rng& rng) {
    return noisy(1000 * at(turn.point, "bytes"), 0.02 * at(turn.point, "bytes"))(turn, rng);
  });
  stage.host.pool = 4;
  stage.run();
  const auto& seen = stage.progress;
  ASSERT_EQ(seen.size(), stage.sink.all<VisitRecord>().size());
  EXPECT_EQ(seen.front().done, 0);
  EXPECT_EQ(seen.front().known, 4);
  EXPECT_EQ(seen.front().left, Nanoseconds{0});
  EXPECT_EQ(seen.front().current.find("one bytes="), 0U);
  EXPECT_EQ(seen.back().done, 3);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].elapsed, seen[i - 1].elapsed);
    EXPECT_GE(seen[i].left, Nanoseconds{0});
  }
}

}  // namespace
}  // namespace assay::test
