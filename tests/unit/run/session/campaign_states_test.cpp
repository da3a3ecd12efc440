// SPDX-License-Identifier: Apache-2.0
// Campaigns on a simulated machine whose core others share: what is answered for, and what it costs.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "record/core_cycles.hpp"
#include "record/state_choice.hpp"
#include "record/table/table.hpp"
#include "support/campaigns/campaign_stage.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/machines/planted_machine.hpp"

namespace assay::test {
namespace {

constexpr double truth = 1000;

struct States {
  explicit States(const Planted& planted, int points = 4, std::uint64_t seed = 3)
      : stage(fake_plan({fake_series("one", {levels("bytes", points)})}, seed), noisy(truth, 0.003)),
        machine(stage.clock, planted, seed) {
    stage.cycles_per_step = 3;
    machine.plant_in(stage.host);
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> texts;
    for (const NoteRecord& note : stage.sink.all<NoteRecord>()) texts.push_back(note.text);
    return texts;
  }

  Stage stage;
  PlantedMachine machine;
};

std::string table_of(const Stage& stage) {
  std::ostringstream out;
  print_results(out, stage.sink.records());
  return out.str();
}

TEST(CampaignStates, TheHeadlineIsTheCoreAlone) {
  for (const double alone : {0.9, 0.5, 0.3}) {
    States states({alone});
    states.stage.run();
    for (const PointRecord& record : states.stage.points()) {
      EXPECT_EQ(record.outcome, Outcome::converged) << alone << ": " << record.reason;
      ASSERT_FALSE(record.results.empty());
      EXPECT_EQ(to_text(record.results[0].state), "alone");
      EXPECT_NEAR(record.results[0].headline.value / truth, 1, 0.01) << alone;
    }
  }
}

TEST(CampaignStates, OtherStatesAreRowsOfTheirOwn) {
  States states({0.5, microseconds(200)});
  states.stage.plan.series[0].precision.state = WantedState::any;
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  states.stage.run();
  for (const PointRecord& record : states.stage.points()) {
    EXPECT_EQ(record.results.at(0).state, CoreState{});
    EXPECT_EQ(record.results.at(0).state_share, 1);
    const auto of = [&](Sharing sharing) {
      return std::ranges::find_if(record.others, [&](const Result& r) { return r.state.sharing == sharing; });
    };
    ASSERT_NE(of(Sharing::shared), record.others.end());
    EXPECT_NEAR(of(Sharing::shared)->headline.value / truth, 1.4, 0.02);
    ASSERT_NE(of(Sharing::alone), record.others.end());
    EXPECT_LT(of(Sharing::alone)->state_share + of(Sharing::shared)->state_share, 1);
    const PointRecord alone = in_state(record, WantedState::alone);
    EXPECT_NEAR(alone.results.at(0).headline.value / truth, 1, 0.01);
    EXPECT_EQ(in_state(alone, WantedState::any).results.at(0).state, CoreState{});
    EXPECT_NEAR(in_state(alone, WantedState::shared).results.at(0).headline.value / truth, 1.4, 0.02);
  }
}

TEST(CampaignStates, SharesAreThoseOfTheMachine) {
  States states({0.6}, 6);
  states.stage.plan.series[0].precision.state = WantedState::any;
  states.stage.plan.series[0].precision.rule.budget.min_visits = 60;
  states.stage.run();
  const auto cores = states.stage.sink.all<CoresRecord>();
  ASSERT_EQ(cores.size(), 1U);
  EXPECT_NEAR(cores[0].alone, states.machine.alone_share(), 0.03);
  for (const PointRecord& record : states.stage.points()) EXPECT_EQ(record.results.at(0).state, CoreState{});
}

// A processor that changes between two clocks, as others on it begin and end.
TEST(CampaignStates, ClocksAreStatesOfTheirOwn) {
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
TEST(CampaignStates, AClockThatTheCoresHaveNoLongerIsNamed) {
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

TEST(CampaignStates, AMachineThatIsAlwaysAloneYieldsTheTablesOfBefore) {
  States planted({1});
  planted.stage.run();
  Stage before(fake_plan({fake_series("one", {levels("bytes", 4)})}, 3), noisy(truth, 0.003));
  before.run();
  EXPECT_EQ(table_of(planted.stage), table_of(before));
  EXPECT_EQ(planted.stage.host.looks(), 0U);
  for (const PointRecord& record : planted.stage.points()) EXPECT_TRUE(record.others.empty());
}

TEST(CampaignStates, ALookSparesVisitsThatAreNotWorthIt) {
  const auto run = [](double alone) {
    auto states = std::make_unique<States>(Planted{alone, milliseconds(1)}, 40);
    states->stage.plan.series[0].precision.rule.budget.min_visits = 40;
    states->stage.run();
    return states;
  };
  const auto lone_run = run(1);
  const auto shared_run = run(0.3);
  const States& lone = *lone_run;
  const States& shared = *shared_run;
  EXPECT_GT(shared.stage.host.looks(), 0U);
  const auto took = [](const Stage& stage) { return stage.sink.all<EndRecord>().at(0).took; };
  // Nothing but batches takes time here, and they cannot be had in less than the time that the core is alone.
  EXPECT_LT(took(shared.stage) / took(lone.stage), 1.5 / 0.3);
  const auto visits = [](const Stage& stage) { return static_cast<double>(stage.sink.all<VisitRecord>().size()); };
  EXPECT_LT(visits(shared.stage), 1.5 * visits(lone.stage));
}

/// What everything costs on a real machine: a process, a request to it, what surrounds the batches of a visit.
void plant_costs(FakeHost& host, FakeClock& clock) {
  host.opening = milliseconds(8);
  host.on_visit = [&clock](const IncarnationKey&, const VisitOrder& order) {
    clock.advance(microseconds(order.batches == 0 ? 40 : 200));
  };
}

TEST(CampaignStates, ACoreThatIsAloneNowAndThenCostsAtMostTwiceTheTime) {
  const auto time_of = [](const Planted& planted) {
    States states(planted, 40);
    plant_costs(states.stage.host, states.stage.clock);
    states.stage.run();
    for (const PointRecord& record : states.stage.points()) {
      EXPECT_EQ(record.outcome, Outcome::converged) << record.reason;
      EXPECT_NEAR(record.results.at(0).headline.value / truth, 1, 0.01);
    }
    return states.stage.sink.all<EndRecord>().at(0).took;
  };
  for (const Nanoseconds lasts : {microseconds(50), milliseconds(1), milliseconds(20), seconds(1)})
    EXPECT_LT(time_of({0.3, lasts}) / time_of({1, lasts}), 2) << lasts.count;
}

/// The point of a second series, whose core is shared after its first so many batches; 200 timings are allowed for.
PointRecord measured_on_a_core_that_is_shared_after(int batches) {
  States states({0.5}, 2);
  SeriesPlan busy = fake_series("busy", {});
  busy.precision.rule.budget.max_timings = 200;
  busy.precision.rule.budget.max_time = seconds(100);
  states.stage.plan.series.push_back(busy);
  const auto look = states.stage.host.look;
  const auto spoil = states.stage.host.spoil;
  const CoreReading alone{{0.072}, {0.9}};
  const CoreReading shared{{0.13}, {0.9}};
  states.stage.host.look = [=](const IncarnationKey& key) { return key.series == 0 ? look(key) : std::vector{shared}; };
  states.stage.host.spoil = [=, left = batches](const IncarnationKey& key, Batch& batch, Rng& rng) mutable {
    spoil(key, batch, rng);
    if (key.series != 0) batch.members[0].core_before = batch.members[0].core_after = left-- > 0 ? alone : shared;
  };
  states.stage.run();
  EXPECT_EQ(states.stage.points().back().series, "busy");
  return states.stage.points().back();
}

TEST(CampaignStates, WhoIsNeverAloneIsGivenUpWhenTheTimingsAreSpent) {
  const PointRecord record = measured_on_a_core_that_is_shared_after(0);
  EXPECT_EQ(record.outcome, Outcome::as_found);
  EXPECT_EQ(record.reason.find("the cores were alone in 0 of 200 batches: the value is as found; "), 0)
      << record.reason;
  ASSERT_FALSE(record.results.empty());
  EXPECT_EQ(to_text(record.results[0].state), "as found");
}

TEST(CampaignStates, AFewVisitsAloneThatMakeNoIntervalAreNoAnswerWhereAllTogetherAre) {
  const PointRecord record = measured_on_a_core_that_is_shared_after(30);
  EXPECT_EQ(record.outcome, Outcome::as_found) << record.reason;
  ASSERT_FALSE(record.results.empty());
  EXPECT_EQ(to_text(record.results[0].state), "as found");
  EXPECT_TRUE(record.results[0].headline.interval.available());
  EXPECT_THAT(record.reason, testing::MatchesRegex("the cores were alone in [1-9][0-9]* of 2[0-9]* batches: .*"));
}

TEST(CampaignStates, ACoreThatIsNeverAloneIsNotCalledSo) {
  States states({0});
  states.stage.run();
  for (const PointRecord& record : states.stage.points()) {
    ASSERT_FALSE(record.results.empty());
    EXPECT_EQ(to_text(record.results[0].state), "as found");
  }
  EXPECT_TRUE(std::ranges::any_of(
      states.notes(), [](const std::string& text) { return text.find("no core was proved to be alone") == 0; }));
}

TEST(CampaignStates, WhatOutlastsAStateIsAnsweredAsFound) {
  States states({0.5, microseconds(2)});
  states.stage.plan.series[0].precision.rule.budget.max_time = milliseconds(20);
  states.stage.run();
  for (const PointRecord& record : states.stage.points()) {
    ASSERT_FALSE(record.results.empty());
    EXPECT_EQ(to_text(record.results[0].state), "as found");
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
TEST(CampaignStates, WhatOutlastsAStateIsAsFoundAtOneClock) {
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

TEST(CampaignStates, WhatMixesClocksIsShortTerm) {
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
TEST(CampaignStates, WhatFollowsTheClockIsConvertedToTheOneThatIsAnsweredFor) {
  for (const double least_alone : {0.9, 1.0})
    for (const PointRecord& record : points_at_two_clocks(CoreCycles::always, true, least_alone)) {
      const Result& main = record.results.at(0);
      const double clock = main.state.clock_ghz > 0 ? main.state.clock_ghz : 10.0 / 3;
      EXPECT_NEAR(main.headline.value * clock / truth, 10.0 / 3, 0.015) << to_text(main.state);
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

TEST(CampaignStates, WhatDoesNotFollowTheClockIsNotConverted) {
  for (const bool is_declared : {false, true})
    for (const PointRecord& record :
         points_at_two_clocks(is_declared ? CoreCycles::always : CoreCycles::never, !is_declared)) {
      EXPECT_EQ(record.results.at(0).converted, 0) << is_declared;
      if (!is_declared) continue;
      EXPECT_NEAR(record.results.at(0).headline.value / truth, 1, 0.004);
    }
}

// Batches of about the longest that a state is trusted to last for: whether they outlast it is decided anew as more of
// them are known.
TEST(CampaignStates, AVerdictIsOnTheSampleThatIsReported) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Stage stage(fake_plan({fake_series("one", {levels("bytes", 4)})}, seed), noisy(1e6, 0.3));
    stage.plan.series[0].precision.rule.eps = 0.05;
    stage.cycles_per_step = 3;
    PlantedMachine machine(stage.clock, {0.6, milliseconds(4), 1.1}, seed);
    machine.plant_in(stage.host);
    stage.run();
    for (const PointRecord& record : stage.points()) {
      if (record.results.empty()) continue;
      const Result& main = record.results.front();
      EXPECT_EQ(main.verdict.estimate.value, main.headline.value)
          << seed << ", " << to_text(record.point) << ": " << to_text(main.state) << ", " << record.reason;
    }
  }
}

TEST(CampaignStates, AnotherSessionTakesUpWhatWasLearned) {
  States first({0.5});
  first.stage.run();
  History history;
  for (const Record& record : first.stage.sink.records()) history.add(record);
  ASSERT_TRUE(history.cores());
  ASSERT_EQ(history.cores()->levels.size(), 1U);
  EXPECT_NEAR(history.cores()->levels[0].alone, 0.08, 0.002);
  EXPECT_EQ(history.cores()->levels[0].because, AloneBecause::throughput);
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
TEST(CampaignStates, UnusualClocksAreApartWithoutTheCyclesOfAStep) {
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
