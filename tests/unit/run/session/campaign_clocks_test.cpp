// SPDX-License-Identifier: Apache-2.0
// Campaigns on a simulated machine whose clock changes: what is answered for, what is converted to it, and cycles.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>

#include "record/core_cycles.hpp"
#include "record/export/observation_log.hpp"
#include "record/state_choice.hpp"
#include "stats/sample/summary.hpp"
#include "support/campaigns/planted_campaign.hpp"

namespace assay::test {
namespace {

// A processor that changes between two clocks, as others on it begin and end.
TEST(CampaignClocks, ClocksAreStatesOfTheirOwn) {
  Planted planted;
  planted.second_clock = 2.6 / 2.7;
  planted.at_second = 0.4;
  planted.clock_lasts = microseconds(200);
  States states(planted, 6);
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  states.stage.run();
  for (const PointRecord& record : states.stage.points()) {
    ASSERT_FALSE(record.results.empty());
    EXPECT_EQ(to_text(record.results[0].state), "alone");
    EXPECT_NEAR(record.results[0].headline.value / truth, 1, 0.004);
    EXPECT_NEAR(record.results[0].state.step.count, 0.9, 0.002);
    const auto slower = std::ranges::find_if(
        record.others, [](const Result& result) { return std::fabs(result.state.clock_ghz - 3.21) < 0.015; });
    ASSERT_NE(slower, record.others.end());
    EXPECT_NEAR(slower->headline.value / truth, 2.7 / 2.6, 0.004);
  }
  EXPECT_THAT(states.notes(), testing::Contains(testing::HasSubstr("the clock of the cores changed between 3.2")));
  EXPECT_THAT(states.notes(),
              testing::Contains(testing::HasSubstr(" of the time, unless stated otherwise; times that")));
}

// What was finished is of the clock of that time, and so is "alone" afterwards.
TEST(CampaignClocks, AClockThatTheCoresHaveNoLongerIsNamed) {
  States states({}, 5);
  SeriesPlan longer = states.stage.plan.series[0];
  longer.name = "two";
  longer.precision.rule.budget.min_visits = 100;
  states.stage.plan.series.push_back(longer);
  int visits = 0;
  states.stage.host.on_visit = [&](const IncarnationKey&, const VisitOrder&) {
    if (++visits == 150) states.machine.planted().clock = states.machine.planted().odd_clock = 2.4 / 2.7;
  };
  states.stage.run();
  ASSERT_EQ(states.stage.points().size(), 10U);
  for (const PointRecord& record : states.stage.points()) {
    ASSERT_FALSE(record.results.empty());
    const Result& result = record.results[0];
    const bool is_slow = record.series == "two";
    EXPECT_EQ(to_text(result.state), is_slow ? "alone, clock 2.96 GHz" : "alone");
    EXPECT_NEAR(result.headline.value / truth, is_slow ? 2.7 / 2.4 : 1, 0.01);
  }
}

/// Neighbours that come and go within a batch, and a clock that stays for many.
Planted brief_neighbours_at_two_clocks() {
  Planted planted{0.9, microseconds(2)};
  planted.slower = 1;
  planted.second_clock = 0.9;
  planted.at_second = 0.4;
  planted.clock_lasts = microseconds(300);
  return planted;
}

// All clocks together are precise, and another day's are others.
TEST(CampaignClocks, WhatOutlastsAStateIsAsFoundAtOneClock) {
  States states(brief_neighbours_at_two_clocks(), 6);
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  states.stage.run();
  for (const PointRecord& record : states.stage.points()) {
    EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
    ASSERT_FALSE(record.results.empty());
    EXPECT_THAT(to_text(record.results[0].state), testing::MatchesRegex("as found, clock 3(.33)? GHz"));
    std::vector<const Result*> at_a_clock{&record.results[0]};
    for (const Result& other : record.others)
      if (other.state.clock_ghz > 0) at_a_clock.push_back(&other);
    EXPECT_EQ(at_a_clock.size(), 2U);
    for (const Result* result : at_a_clock) {
      EXPECT_NEAR(result->headline.value * result->state.clock_ghz / truth, 10.0 / 3, 0.015);
      EXPECT_NEAR(result->state.step.count * result->state.clock_ghz, 3, 0.015);
    }
    EXPECT_EQ(in_state(record, WantedState::any).results.at(0).state, CoreState{});
  }
}

TEST(CampaignClocks, WhatMixesClocksIsShortTerm) {
  for (const double at_second : {0.0, 0.03, 0.4}) {
    Planted planted = brief_neighbours_at_two_clocks();
    planted.at_second = at_second;
    States states(planted, 6);
    Precision& precision = states.stage.plan.series[0].precision;
    precision.state = WantedState::any;
    precision.min_span = {};
    precision.rule.budget.min_visits = 60;
    states.stage.run();
    for (const PointRecord& record : states.stage.points()) {
      ASSERT_FALSE(record.results.empty());
      EXPECT_EQ(record.results[0].state, CoreState{});
      EXPECT_EQ(record.results[0].term, at_second > 0.1 ? Term::short_term : Term::session) << at_second;
    }
  }
}

/// Of what is declared to follow the clock, at two clocks; `really`: it does.
std::vector<PointRecord> points_at_two_clocks(CoreCycles declared, bool really, double least_alone = 0.9) {
  Planted planted = brief_neighbours_at_two_clocks();
  planted.alone = least_alone;
  States states(planted, 6);
  states.stage.plan.series[0].measurement.core_cycles = declared;
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  if (!really)
    states.stage.host.spoil = [spoil = states.stage.host.spoil](const IncarnationKey& key, Batch& batch, Rng& rng) {
      spoil(key, batch, rng);
      MemberReport& report = batch.members.front();
      report.claims = Claims(Nanoseconds{report.claims[0] * 0.9 / report.core_before.chain.count});
    };
  states.stage.run();
  return states.stage.points();
}

// One budget is enough for all clocks.
TEST(CampaignClocks, WhatFollowsTheClockIsConvertedToTheOneThatIsAnsweredFor) {
  for (const double least_alone : {0.9, 1.0})
    for (const PointRecord& record : points_at_two_clocks(CoreCycles::always, true, least_alone)) {
      const Result& main = record.results.at(0);
      EXPECT_NEAR(main.headline.value / truth * (0.9 / main.state.step.count), 1, 0.005) << to_text(main.state);
      EXPECT_GT(main.converted, 0.2);
      EXPECT_LT(main.converted, 0.7);
      const auto other = std::ranges::find_if(record.others, [&](const Result& result) {
        return std::fabs(result.state.step / main.state.step - 1) > 0.05 && result.state != CoreState{};
      });
      ASSERT_NE(other, record.others.end());
      EXPECT_EQ(other->converted, 0);
      EXPECT_GT(main.summary.n, other->summary.n);
    }
}

// Readers of a journal find the observations that a result was made of, converted as they were.
TEST(CampaignClocks, WhatWasConvertedIsFoundInTheJournal) {
  Planted planted = brief_neighbours_at_two_clocks();
  States states(planted, 3);
  states.stage.plan.series[0].measurement.core_cycles = CoreCycles::always;
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  states.stage.run();
  ObservationLog log;
  for (const Record& record : states.stage.sink.records()) log.add(record);
  for (const PointRecord& record : states.stage.points()) {
    const Result& main = record.results.at(0);
    ASSERT_GT(main.converted, 0.2);
    const auto found = log.of(record, main);
    ASSERT_TRUE(found);
    std::vector<double> values;
    for (const LoggedObservation& one : *found) values.push_back(one.value);
    EXPECT_EQ(values.size(), main.summary.n);
    EXPECT_NEAR(median(values), main.summary.median, 1e-9 * truth);
  }
}

TEST(CampaignClocks, WhatDoesNotFollowTheClockIsNotConverted) {
  for (const bool is_declared : {false, true})
    for (const PointRecord& record :
         points_at_two_clocks(is_declared ? CoreCycles::always : CoreCycles::never, !is_declared)) {
      EXPECT_EQ(record.results.at(0).converted, 0) << is_declared;
      if (!is_declared) continue;
      EXPECT_NEAR(record.results.at(0).headline.value / truth, 1, 0.004);
    }
}

constexpr double true_cycles = truth * 10 / 3;

const Result& only(const PointRecord& record) { return record.results.at(0); }

std::vector<PointRecord> points_at(Planted planted, CoreCycles declared = CoreCycles::always, int processes = 2) {
  States states(planted);
  states.stage.plan.series[0].measurement.core_cycles = declared;
  states.stage.plan.series[0].precision.incarnations = processes;
  states.stage.plan.series[0].precision.rule.budget.min_visits = 10 * processes;
  states.stage.run();
  return states.stage.points();
}

void expect_true_cycles(const Result& result) {
  const auto cycles = cycles_of(result);
  ASSERT_TRUE(cycles) << why_no_cycles(result);
  ASSERT_TRUE(cycles->interval.available());
  EXPECT_LE(cycles->interval.low, true_cycles);
  EXPECT_GE(cycles->interval.high, true_cycles);
  EXPECT_NEAR(cycles->value / true_cycles, 1, 0.006);
}

TEST(CampaignCycles, AreTheSameAtTwoClocks) {
  for (const double clock : {1.0, 0.8}) {
    for (const PointRecord& record : points_at({.clock = clock, .odd_clock = clock})) {
      EXPECT_NEAR(only(record).headline.value * clock / truth, 1, 0.01);
      EXPECT_NEAR(only(record).clock.ghz, clock * 10 / 3, 0.01);
      expect_true_cycles(only(record));
    }
  }
}

TEST(CampaignCycles, EachStateIsToldByItsOwnClock) {
  // Incarnations 0, 2 and 4 at the usual clock, 1 and 3 at four fifths of it.
  int slower = 0;
  for (const PointRecord& record : points_at({.odd_clock = 0.8}, CoreCycles::always, 5)) {
    expect_true_cycles(only(record));
    for (const Result& other : record.others)
      if (other.state.clock_ghz > 0) {
        ++slower;
        EXPECT_NEAR(other.state.clock_ghz, 8.0 / 3, 0.011);
        EXPECT_NEAR(other.headline.value / truth, 1.25, 0.02);
        expect_true_cycles(other);
      } else if (other.state == CoreState{}) {
        EXPECT_EQ(other.clock.why, NoClock::changed) << "as found is of both clocks";
      }
  }
  EXPECT_EQ(slower, 4);
}

// No yardstick says what the clock is in GHz: its states are apart all the same.
TEST(CampaignClocks, UnusualClocksAreApartWithoutTheCyclesOfAStep) {
  for (const double clock : {0.7, 0.87, 1.15}) {
    States states({.alone = 0.8, .odd_clock = clock});
    states.stage.cycles_per_step = 0;
    states.stage.plan.series[0].precision.incarnations = 5;
    states.stage.plan.series[0].precision.rule.budget.min_visits = 50;
    states.stage.run();
    for (const PointRecord& record : states.stage.points()) {
      EXPECT_EQ(only(record).state, (CoreState{Sharing::alone, 0, 0})) << clock;
      // Either may be the usual one, whichever had more readings when the first point was finished.
      const double usual = std::fabs(only(record).headline.value / truth - 1) < 0.01 ? 1 : clock;
      const double unusual = usual == 1 ? clock : 1;
      EXPECT_NEAR(only(record).headline.value * usual / truth, 1, 0.01) << clock;
      const auto other =
          std::ranges::find_if(record.others, [](const Result& result) { return result.state.clock_ratio > 0; });
      ASSERT_NE(other, record.others.end()) << clock;
      EXPECT_NEAR(other->state.clock_ratio, unusual / usual, 0.011);
      EXPECT_EQ(other->state.clock_ghz, 0);
      EXPECT_NEAR(other->headline.value * unusual / truth, 1, 0.02) << clock;
    }
  }
}

TEST(CampaignCycles, AreOfTheCoreAlone) {
  States states({.alone = 0.4, .lasts = microseconds(200)});
  states.stage.plan.series[0].measurement.core_cycles = CoreCycles::always;
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  states.stage.run();
  int shared = 0;
  for (const PointRecord& record : states.stage.points()) {
    expect_true_cycles(only(record));
    for (const Result& other : record.others)
      if (other.state.sharing == Sharing::shared) {
        ++shared;
        EXPECT_EQ(other.clock.why, NoClock::shared);
      }
  }
  EXPECT_GT(shared, 0);
}

TEST(CampaignCycles, ThereAreNoneOfWhatDoesNotFollowTheClock) {
  for (const PointRecord& record : points_at({}, CoreCycles::never))
    EXPECT_EQ(only(record).clock.why, NoClock::not_of_core);
  for (const PointRecord& record : points_at({}, CoreCycles::on_one_cpu))
    EXPECT_EQ(only(record).clock.why, NoClock::unbound);
  States blind({});
  blind.stage.cycles_per_step = 0;
  blind.stage.plan.series[0].measurement.core_cycles = CoreCycles::always;
  blind.stage.run();
  for (const PointRecord& record : blind.stage.points()) EXPECT_EQ(only(record).clock.why, NoClock::no_yardstick);
}

}  // namespace
}  // namespace assay::test
