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

/// Whether a result of two members in this regime, free to move and found so spread, is one of sleepers on two CPUs.
bool wakes(Regime regime, Spread spread, bool simulated = false) {
  PointRecord record = finished(Outcome::converged);
  record.results.resize(1);
  record.results[0].regime = regime;
  record.results[0].state.spread = spread;
  record.simulated = simulated;
  MeasuredPoints measured;
  measured.add(fake_team("pair", 2, Waiting::blocks), record);
  MeasuredPoints all;
  all.add(measured);
  return all.wakes_other_cpus();
}

TEST(MeasuredPoints, KnowWhereSleepersAreWokenFromAnotherCpu) {
  EXPECT_TRUE(wakes(Regime::blocked, Spread::own_cpus));
  EXPECT_TRUE(wakes(Regime::mixed, Spread::own_cpus));
  EXPECT_FALSE(wakes(Regime::spin, Spread::own_cpus));
  EXPECT_FALSE(wakes(Regime::blocked, Spread::one_cpu));
  EXPECT_FALSE(wakes(Regime::blocked, Spread::own_cpus, true));
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
