// SPDX-License-Identifier: Apache-2.0
// Campaigns of synthetic/states: planted states come back, each with its own value and its share.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "api/simulated_cores.hpp"
#include "groups.hpp"
#include "record/export/observation_log.hpp"
#include "record/state_choice.hpp"
#include "record/table/table.hpp"
#include "stats/rule/rule_text.hpp"
#include "support/campaigns/fake_plan.hpp"
#include "support/campaigns/team_host.hpp"

namespace assay::test {
namespace {

constexpr double planted_time = 1000;
constexpr double planted_slower = 1.4;

using PlantedLevels = std::vector<std::pair<std::string, Value>>;

Registry synthetic_registry() {
  Registry registry;
  register_synthetic(registry);
  return registry;
}

SeriesPlan states_series(const PlantedLevels& levels) {
  static const Registry registry = synthetic_registry();
  SeriesPlan series;
  series.name = "states";
  series.measurement = registry.find("synthetic/states")->description;
  for (const auto& [factor, level] : levels) series.factors.push_back({factor, {{level}, {}}});
  series.precision.min_span = {};
  series.precision.batches = 8;
  // Of teams only what is read before a visit says what a core yields alone, which takes twenty visits.
  series.precision.rule.budget.min_visits = 30;
  return series;
}

/// A campaign of one point.
struct MeasuredStates {
  explicit MeasuredStates(SeriesPlan series, const Registry& registry = built_in(), std::uint64_t seed = 3)
      : campaign(fake_plan({std::move(series)}, seed), registry) {
    campaign.run();
  }
  static const Registry& built_in() {
    static const Registry registry = synthetic_registry();
    return registry;
  }

  PointRecord point() const { return campaign.sink.all<PointRecord>().at(0); }
  const Result& headline() const { return records().results.at(0); }
  /// Nothing where the state has no result.
  const Result* of(const std::string& state) const {
    for (const std::vector<Result>* results : {&records().results, &records().others})
      for (const Result& result : *results)
        if (to_text(result.state) == state) return &result;
    return nullptr;
  }
  std::string table() const {
    std::ostringstream out;
    print_results(out, campaign.sink.records());
    return out.str();
  }
  bool has_note(const std::string& part) const {
    return std::ranges::any_of(campaign.sink.all<NoteRecord>(),
                               [&](const NoteRecord& note) { return note.text.find(part) != std::string::npos; });
  }
  /// Of the observations that a result was made of: the share that is within 10 % of what its state has to yield.
  double right_share(const Result& result, double expected) const {
    ObservationLog log;
    for (const Record& record : campaign.sink.records()) log.add(record);
    const auto observations = log.of(records(), result);
    if (!observations) return 0;
    const auto right = std::ranges::count_if(
        *observations, [&](const LoggedObservation& one) { return std::fabs(one.value / expected - 1) < 0.1; });
    return static_cast<double>(right) / static_cast<double>(observations->size());
  }

  SimulatedCampaign campaign;

 private:
  const PointRecord& records() const {
    if (!point_) point_ = point();
    return *point_;
  }
  mutable std::optional<PointRecord> point_;
};

/// So many batches in whatever state they are found, in visits that know nothing of each other.
SeriesPlan as_found_series(const PlantedLevels& levels, const std::string& rule = "fixed:4000") {
  SeriesPlan series = states_series(levels);
  series.precision.state = WantedState::any;
  series.precision.rule = parse_rule(rule, {});
  series.precision.batches = 2;
  return series;
}

/// The state has a result, which is of nothing but what was planted for it in 99 % of the batches.
void expect_planted(const MeasuredStates& measured, const std::string& state, double expected,
                    const std::string& what) {
  const Result* result = measured.of(state);
  ASSERT_NE(result, nullptr) << what << ": " << measured.table();
  EXPECT_NEAR(result->headline.value / expected, 1, 0.01) << what << ", " << state;
  EXPECT_GE(measured.right_share(*result, expected), 0.99) << what << ", " << state;
}

TEST(SimulatedStates, TheHeadlineIsTheCoreAloneHoweverOftenItIsShared) {
  for (const double shared : {0.25, 0.5, 0.75, 0.97})
    for (const std::int64_t lasts : {30'000, 1'000'000, 20'000'000}) {
      SeriesPlan series = states_series({{"shared", shared}, {"lasts", lasts}});
      series.precision.rule.budget.min_visits = 300;  // else a core may be seen in one state only
      const MeasuredStates measured(series);
      const std::string what = std::to_string(shared) + " for " + std::to_string(lasts);
      EXPECT_EQ(measured.point().outcome, Outcome::converged) << what << ": " << measured.point().reason;
      EXPECT_EQ(to_text(measured.headline().state), "alone") << what;
      expect_planted(measured, "alone", planted_time, what);
      EXPECT_TRUE(measured.has_note("the simulated cores were shared with other work")) << what;
      EXPECT_GT(measured.campaign.host.looks(), 0) << what;
    }
}

// By its throughput the core is alone all the time, or for as long as nobody works.
TEST(SimulatedStates, ACoreBesideANeighbourThatWaitsIsNotAlone) {
  for (const double shared : {0.0, 0.3})
    for (const double waits : {0.02, 0.3, 0.6}) {
      SeriesPlan series = states_series({{"shared", shared}, {"waits", waits}});
      series.precision.rule.budget.min_visits = 300;
      const MeasuredStates measured(series);
      const std::string what = std::to_string(shared) + " and " + std::to_string(waits);
      EXPECT_EQ(measured.point().outcome, Outcome::converged) << what << ": " << measured.point().reason;
      EXPECT_EQ(to_text(measured.headline().state), "alone") << what;
      expect_planted(measured, "alone", planted_time, what);
      EXPECT_EQ(measured.point().cores.at(0).call.cost > 0, true) << what;
    }
}

TEST(SimulatedStates, EachStateHasItsValueAndItsShare) {
  using Stay = std::pair<double, std::int64_t>;
  for (const auto& [shared, lasts] :
       {Stay{0.25, 1'000'000}, Stay{0.5, 100'000}, Stay{0.75, 1'000'000}, Stay{0.97, 100'000}}) {
    const MeasuredStates measured(
        as_found_series({{"shared", shared}, {"lasts", lasts}, {"pause", std::int64_t{10'000'000}}}));
    const std::string what = std::to_string(shared) + " for " + std::to_string(lasts);
    EXPECT_EQ(measured.headline().state, CoreState{}) << what;
    expect_planted(measured, "alone", planted_time, what);
    expect_planted(measured, "shared", planted_slower * planted_time, what);
    EXPECT_NEAR(measured.of("alone")->state_share, 1 - shared, 0.03) << what;
    EXPECT_NEAR(measured.of("shared")->state_share, shared, 0.03) << what;
    EXPECT_EQ(measured.campaign.host.looks(), 0) << what;
  }
}

TEST(SimulatedStates, AnotherClockIsAStateOfItsOwn) {
  for (const auto& [clock, name] : {std::pair{0.8, "alone, clock 2.9 GHz"}, std::pair{1.25, "alone, clock 4.5 GHz"}})
    for (const double share : {0.3}) {
      const MeasuredStates measured(as_found_series({{"shared", 0.0}, {"clock", clock}, {"clock_share", share}}));
      const std::string what = std::to_string(clock) + " in " + std::to_string(share);
      expect_planted(measured, "alone", planted_time, what);
      expect_planted(measured, name, planted_time / clock, what);
      EXPECT_NEAR(measured.of(name)->state_share, share, 0.03) << what;
      EXPECT_NEAR(measured.of("alone")->state_share, 1 - share, 0.03) << what;
    }
}

TEST(SimulatedStates, AnotherDistanceIsAStateOfItsOwn) {
  for (const double share : {0.3}) {
    const MeasuredStates measured(
        as_found_series({{"members", std::int64_t{2}}, {"shared", 0.0}, {"far_share", share}}));
    const std::string what = std::to_string(share);
    expect_planted(measured, "alone, distance 100 ns", planted_time, what);
    expect_planted(measured, "alone, distance 490 ns", planted_time + 390, what);
    EXPECT_NEAR(measured.of("alone, distance 490 ns")->state_share, share, 0.03) << what;
  }
}

// A hypervisor moves the CPUs: no two visits are at one distance, and the action takes as much longer.
TEST(SimulatedStates, DistancesThatWanderAreConvertedToOne) {
  constexpr double near = 200;
  const MeasuredStates measured(states_series({{"members", std::int64_t{2}},
                                               {"shared", 0.3},
                                               {"near", std::int64_t{200}},
                                               {"far_share", 0.3},
                                               {"wander", 0.06}}));
  const Result& headline = measured.headline();
  EXPECT_EQ(headline.state.sharing, Sharing::alone);
  EXPECT_NEAR(headline.state.distance_ns, near, 0.05 * near);
  EXPECT_NEAR(headline.headline.value / (planted_time + headline.state.distance_ns - near), 1, 0.01);
  EXPECT_NEAR(headline.law.distance_power, near / planted_time, 0.05);
  EXPECT_GT(headline.converted, 0.1);
  // Readers find the observations, converted as they were.
  ObservationLog log;
  for (const Record& record : measured.campaign.sink.records()) log.add(record);
  const auto found = log.of(measured.point(), headline);
  ASSERT_TRUE(found);
  std::vector<double> values;
  for (const LoggedObservation& one : *found) values.push_back(one.value);
  EXPECT_EQ(values.size(), headline.summary.n);
  EXPECT_NEAR(median(values), headline.summary.median, 1e-9 * planted_time);
}

TEST(SimulatedStates, APartnerOnTheSameCoreIsNoNeighbour) {
  const MeasuredStates never(
      states_series({{"members", std::int64_t{2}}, {"shared", 0.0}, {"cores", std::string("one")}}));
  EXPECT_EQ(to_text(never.headline().state), "alone");
  EXPECT_NEAR(never.headline().headline.value / planted_time, 1, 0.01);
  EXPECT_FALSE(never.has_note("shared with other work"));
  const MeasuredStates often(
      states_series({{"members", std::int64_t{2}}, {"shared", 0.3}, {"cores", std::string("one")}}));
  EXPECT_EQ(to_text(often.headline().state), "alone");
  expect_planted(often, "alone", planted_time, "with neighbours as well");
}

TEST(SimulatedStates, WhatLastsLongerThanAStateIsAsFound) {
  for (const std::int64_t lasts : {1'000, 1'000'000}) {
    const MeasuredStates measured(states_series({{"median", lasts * 2}, {"shared", 0.5}, {"lasts", lasts}}));
    EXPECT_EQ(to_text(measured.headline().state), "as found") << lasts;
  }
}

TEST(SimulatedStates, TheOtherStateCanBeAskedFor) {
  SeriesPlan series = states_series({{"shared", 0.5}});
  series.precision.state = WantedState::shared;
  const MeasuredStates measured(series);
  EXPECT_EQ(measured.point().outcome, Outcome::converged) << measured.point().reason;
  EXPECT_EQ(to_text(measured.headline().state), "shared");
  expect_planted(measured, "shared", planted_slower * planted_time, "asked for");
}

TEST(SimulatedStates, ACoreThatIsNeverAloneIsNotCalledSo) {
  const MeasuredStates measured(states_series({{"shared", 1.0}}));
  EXPECT_EQ(to_text(measured.headline().state), "as found");
  EXPECT_TRUE(measured.has_note("no simulated core was proved to be alone"));
}

/// The same measurement, and nothing is read of its cores. Its time is simulated all the same.
class WithoutCores final : public Measurement, public SimulatedCores {
 public:
  explicit WithoutCores(Setup& setup) : own_(MeasuredStates::built_in().find("synthetic/states")->make(setup)) {}
  void enter(Member& member) override { own_->enter(member); }
  Claims run(Member& member, Reps reps) override { return own_->run(member, reps); }
  void rest(Member& member) override { own_->rest(member); }
  void leave(Member& member) override { own_->leave(member); }
  CoreReading read_core(Member& /*member*/, bool /*others_rest*/) override { return {}; }

 private:
  std::unique_ptr<Measurement> own_;
};

TEST(SimulatedStates, ACoreThatIsAlwaysAloneYieldsTheTableOfOneThatIsNotRead) {
  Registry blind;
  blind.add<WithoutCores>(MeasuredStates::built_in().find("synthetic/states")->description);
  for (const std::int64_t members : {1, 2}) {
    const SeriesPlan series = states_series({{"members", members}, {"shared", 0.0}});
    const MeasuredStates read(series);
    const MeasuredStates unread(series, blind);
    EXPECT_EQ(to_text(read.headline().state), "alone");
    EXPECT_EQ(to_text(unread.headline().state), "as found");
    EXPECT_EQ(read.table(), unread.table());
    EXPECT_EQ(read.campaign.host.looks(), 0);
    EXPECT_TRUE(read.point().others.empty());
  }
}

TEST(SimulatedStates, TheSameSeedGivesTheSameTable) {
  const SeriesPlan series = states_series({{"members", std::int64_t{2}}, {"shared", 0.5}, {"far_share", 0.2}});
  EXPECT_EQ(MeasuredStates(series).table(), MeasuredStates(series).table());
  EXPECT_NE(MeasuredStates(series).table(), MeasuredStates(series, MeasuredStates::built_in(), 4).table());
}

}  // namespace
}  // namespace assay::test
