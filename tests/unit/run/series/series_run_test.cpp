// SPDX-License-Identifier: Apache-2.0
// What a design learns of a finished point.
#include "run/series/series_run.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "run/series/finished_index.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

PointRecord finished(Outcome outcome) {
  PointRecord record;
  record.outcome = outcome;
  record.results.emplace_back().headline = {"median", 100, {98, 101, 0.95}, "visits"};
  record.results.emplace_back().headline = {"median", 700, {600, 800, 0.95}, "visits"};
  return record;
}

/// A result of two members in this regime, free to move and found so spread.
PointRecord spread_over(Spread spread, Regime regime, bool simulated = false) {
  PointRecord record = finished(Outcome::converged);
  record.results.resize(1);
  record.results[0].regime = regime;
  record.results[0].state.spread = spread;
  record.results[0].term = Term::session;
  record.simulated = simulated;
  return record;
}

/// Whether it is one of what sleeps and is woken from another CPU.
bool wakes(Regime regime, Spread spread, bool simulated = false) {
  MeasuredPoints measured;
  measured.add(fake_team("pair", 2, Waiting::blocks), spread_over(spread, regime, simulated));
  MeasuredPoints all;
  all.add(measured);
  return all.wakes_other_cpus();
}

TEST(MeasuredPoints, KnowWhereSleepersAreWokenFromAnotherCpu) {
  EXPECT_TRUE(wakes(Regime::blocked, Spread::own_cpus));
  EXPECT_TRUE(wakes(Regime::mixed, Spread::own_cpus));
  EXPECT_TRUE(wakes(Regime::solo, Spread::own_cpus)) << "what one member starts";
  EXPECT_FALSE(wakes(Regime::spin, Spread::own_cpus));
  EXPECT_FALSE(wakes(Regime::blocked, Spread::one_cpu));
  EXPECT_FALSE(wakes(Regime::solo, Spread::unknown));
  EXPECT_FALSE(wakes(Regime::blocked, Spread::own_cpus, true));
}

TEST(MeasuredPoints, WhatAHypervisorWakesIsValidForTheMomentUntilSessionsAgree) {
  const SeriesPlan pair = fake_team("pair", 2, Waiting::blocks);
  const auto term = [&](PointRecord record, Term before) {
    record.results[0].term = before;
    record.others = record.results;
    limit_term_on_virtual_machine(pair, record);
    EXPECT_EQ(record.others[0].term, record.results[0].term);
    return record.results[0].term;
  };
  const PointRecord sleepers = spread_over(Spread::own_cpus, Regime::blocked);
  EXPECT_EQ(term(sleepers, Term::session), Term::short_term);
  EXPECT_EQ(term(sleepers, Term::long_term), Term::long_term);
  EXPECT_EQ(term(spread_over(Spread::one_cpu, Regime::blocked), Term::session), Term::session);
  PointRecord awake = spread_over(Spread::own_cpus, Regime::spin);
  EXPECT_EQ(term(awake, Term::session), Term::short_term) << "what the CPUs are apart may change";
  EXPECT_EQ(term(awake, Term::long_term), Term::long_term);
  awake.results[0].regime_share = 0.5;
  EXPECT_EQ(term(awake, Term::session), Term::short_term) << "the others slept";
  EXPECT_EQ(term(spread_over(Spread::one_cpu, Regime::spin), Term::session), Term::session);
}

TEST(MeasuredPoints, KnowWhereMembersPollOnCpusThatAHypervisorMayMove) {
  const auto poll = [](Regime regime, Spread spread, double share, bool simulated = false) {
    PointRecord record = spread_over(spread, regime, simulated);
    record.results[0].regime_share = share;
    MeasuredPoints measured;
    measured.add(fake_team("pair", 2, Waiting::blocks), record);
    MeasuredPoints all;
    all.add(measured);
    return all.polls_other_cpus();
  };
  EXPECT_TRUE(poll(Regime::spin, Spread::own_cpus, 1));
  EXPECT_FALSE(poll(Regime::spin, Spread::own_cpus, 0.5)) << "the others slept: another note says so";
  EXPECT_FALSE(poll(Regime::spin, Spread::one_cpu, 1));
  EXPECT_FALSE(poll(Regime::blocked, Spread::own_cpus, 1));
  EXPECT_FALSE(poll(Regime::spin, Spread::own_cpus, 1, true));
}

TEST(MeasuredPoints, SayHowFarApartWhatPolledWas) {
  const auto apart = [](const std::vector<double>& distances, Regime regime = Regime::spin) {
    MeasuredPoints measured;
    for (const double distance : distances) {
      PointRecord record = spread_over(Spread::own_cpus, regime);
      record.reference = {20, distance, distance, distance, false};
      measured.add(fake_team("pair", 2, Waiting::blocks), record);
    }
    MeasuredPoints all;
    all.add(measured);
    return all.distances();
  };
  EXPECT_EQ(apart({281.6, 264.2, 270}), "264 to 282 ns");
  EXPECT_EQ(apart({281.6, 0, 282.4}), "282 ns");
  EXPECT_EQ(apart({0}), "");
  EXPECT_EQ(apart({281.6}, Regime::blocked), "") << "how far what sleeps is apart is nothing beside its waking";
}

TEST(MeasuredPoints, WhatTheKernelGivesMemoryForIsValidForTheMomentUntilSessionsAgree) {
  SeriesPlan series = fake_series("one", {});
  const auto term = [&](bool takes, Term before, bool simulated = false) {
    series.measurement.traits.takes_memory = takes;
    PointRecord record = spread_over(Spread::unknown, Regime::solo, simulated);
    record.results[0].term = before;
    MeasuredPoints measured;
    measured.add(series, record);
    EXPECT_EQ(measured.take_memory(), takes && !simulated);
    limit_term_on_virtual_machine(series, record);
    return record.results[0].term;
  };
  EXPECT_EQ(term(true, Term::session), Term::short_term);
  EXPECT_EQ(term(true, Term::long_term), Term::long_term);
  EXPECT_EQ(term(false, Term::session), Term::session);
  EXPECT_EQ(term(true, Term::session, true), Term::session);
}

/// A refined line of visits that span ten seconds.
SeriesPlan spanning_line() {
  SeriesPlan series = fake_series("one", {{"bytes", {{std::int64_t{1}, std::int64_t{4096}}, 0.1, true}}});
  series.precision.span = seconds(10);
  return series;
}

Response level_response(const Point& point) {
  const double bytes = number_of(point.level("bytes")).value();
  return {true, bytes <= 100 ? 1000.0 : 3000.0, 0.01};
}

PointRecord level_record(const Point& point) {
  PointRecord record = finished(Outcome::converged);
  record.series = "one";
  record.point = point;
  const Response known = level_response(point);
  for (Result& result : record.results)
    result.headline = {"median", known.value, {0.99 * known.value, 1.01 * known.value, 0.95}, "visits"};
  return record;
}

TEST(SeriesRun, ADesignLearnsOfPointsThatAreNotFinished) {
  const CampaignPlan campaign = fake_plan({spanning_line()});
  SeriesRun run(campaign, campaign.series[0], {});
  const auto first = run.ask();
  ASSERT_GT(first.size(), 2U);
  const Estimate known{"median", 1000, {976, 1024, 0.95}, "visits"};
  const Estimate vague{"median", 1000, {930, 1070, 0.95}, "visits"};
  EXPECT_TRUE(run.awaits(first[0].point, known));
  EXPECT_FALSE(run.awaits(first[0].point, vague)) << "wider than a quarter of the tolerance";
  EXPECT_FALSE(run.awaits(first[0].point, {"median", 1000, {}, "visits"}));
  EXPECT_TRUE(run.learns_early(first[0].point));
  for (const PointRequest& request : first) run.answer(request.point, level_response(request.point));
  EXPECT_FALSE(run.learns_early(first[0].point));
  EXPECT_FALSE(run.awaits(first[0].point, known)) << "it has answered";
  EXPECT_FALSE(run.ask().empty()) << "the step is looked for";
}

TEST(SeriesRun, AReplayAsksAgainForWhatTheDesignOnlyKnewOf) {
  const CampaignPlan campaign = fake_plan({spanning_line()});
  SeriesRun before(campaign, campaign.series[0], {});
  std::vector<Finished> journal;
  const auto first = before.ask();
  for (const PointRequest& request : first) {
    Finished interim;
    interim.record.series = "one";
    interim.record.point = request.point;
    interim.same_rule = true;
    interim.interim = level_response(request.point);
    before.answer(request.point, *interim.interim);
    journal.push_back(interim);
  }
  before.finish(level_record(first[0].point));
  journal.push_back({level_record(first[0].point), 7, true});
  const auto second = before.ask();
  ASSERT_FALSE(second.empty());
  SeriesRun after(campaign, campaign.series[0], {});
  EXPECT_EQ(after.replay(journal).at(to_text(first[0].point)), 7);
  EXPECT_TRUE(journal.empty()) << "all of it is in the plan";
  std::set<std::string> asked;
  for (const PointRequest& request : after.ask()) asked.insert(to_text(request.point));
  EXPECT_EQ(asked.size(), first.size() - 1 + second.size());
  EXPECT_FALSE(asked.contains(to_text(first[0].point)));
  for (const PointRequest& request : second) EXPECT_TRUE(asked.contains(to_text(request.point)));
  const Estimate known{"median", 1000, {976, 1024, 0.95}, "visits"};
  EXPECT_FALSE(after.awaits(first[1].point, known)) << "it answered before";
  EXPECT_TRUE(after.awaits(second[0].point, known));
}

TEST(ResponseOf, IsTheHeadlineOfTheFirstResult) {
  const Response response = response_of(finished(Outcome::converged));
  EXPECT_TRUE(response.usable);
  EXPECT_EQ(response.value, 100);
  EXPECT_DOUBLE_EQ(response.relative_half_width, 0.02);
}

TEST(ResponseOf, IsTheNamedQuantityInItsDominantRegime) {
  PointRecord record = finished(Outcome::converged);
  record.results[0].quantity = "time";
  record.results[1].quantity = "one-way";
  record.results[1].regime_share = 0.3;
  record.results.push_back(record.results[1]);
  record.results[2].regime_share = 0.7;
  record.results[2].headline.value = 50;
  EXPECT_EQ(response_of(record, "one-way").value, 50);
  EXPECT_EQ(response_of(record, "time").value, 100);
  EXPECT_FALSE(response_of(record, "cpu").usable);
}

TEST(ResponseOf, ASpentBudgetLeavesAUsableValue) {
  for (const Outcome outcome : {Outcome::max_time, Outcome::max_timings, Outcome::as_found})
    EXPECT_TRUE(response_of(finished(outcome)).usable) << to_text(outcome);
}

TEST(ResponseOf, NothingUnsteadyOrMissingIsUsable) {
  for (const Outcome outcome :
       {Outcome::bimodal, Outcome::drift, Outcome::resolution, Outcome::too_noisy, Outcome::aborted, Outcome::timeout,
        Outcome::failed, Outcome::unsupported, Outcome::not_applicable})
    EXPECT_FALSE(response_of(finished(outcome)).usable) << to_text(outcome);
}

TEST(ResponseOf, AValueWithoutAnIntervalIsNotUsable) {
  PointRecord record = finished(Outcome::max_time);
  record.results[0].headline.interval = {};
  EXPECT_FALSE(response_of(record).usable);
  record.results.clear();
  EXPECT_FALSE(response_of(record).usable);
}

}  // namespace
}  // namespace assay::test
