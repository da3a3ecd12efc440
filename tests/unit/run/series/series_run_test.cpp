// SPDX-License-Identifier: Apache-2.0
// What a design learns of a finished point.
#include "run/series/series_run.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(term(awake, Term::session), Term::session);
  awake.results[0].regime_share = 0.5;
  EXPECT_EQ(term(awake, Term::session), Term::short_term) << "the others slept";
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
