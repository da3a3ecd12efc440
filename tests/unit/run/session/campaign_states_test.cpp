// SPDX-License-Identifier: Apache-2.0
// Campaigns on a simulated machine whose core others share: what is answered for, and what it costs.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <sstream>

#include "record/core_cycles.hpp"
#include "record/state_choice.hpp"
#include "record/table/table.hpp"
#include "support/campaigns/planted_campaign.hpp"

namespace assay::test {
namespace {

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

TEST(CampaignStates, WithoutATimeLimitProbesMayCostMoreThanVisits) {
  const auto visits = [](double alone, std::optional<Nanoseconds> limit) {
    States states({alone, milliseconds(1)}, 40);
    states.stage.plan.time_limit = limit;
    states.stage.plan.series[0].precision.rule.budget.min_visits = 40;
    states.stage.host.on_visit = [&](const IncarnationKey&, const VisitOrder& order) {
      if (order.batches == 0) states.stage.clock.advance(microseconds(40));
    };
    states.stage.run();
    return static_cast<double>(states.stage.sink.all<VisitRecord>().size());
  };
  const double lone = visits(1, std::nullopt);
  EXPECT_LT(visits(0.3, std::nullopt), 1.5 * lone);
  EXPECT_GT(visits(0.3, seconds(1000)), 1.5 * lone);
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

}  // namespace
}  // namespace assay::test
