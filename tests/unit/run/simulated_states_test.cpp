// SPDX-License-Identifier: Apache-2.0
// Campaigns of synthetic/states: planted states come back, each with its own value and its share.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <sstream>

#include "record/observation_log.hpp"
#include "record/state_choice.hpp"
#include "record/table.hpp"
#include "stats/rule_text.hpp"
#include "support/fake_plan.hpp"
#include "support/team_host.hpp"
#include "synthetic/register.hpp"

namespace assay::test {
namespace {

constexpr double alone_takes = 1000;
constexpr double beside_others = 1.4;

using Levels = std::vector<std::pair<std::string, Value>>;

Registry synthetic() {
  Registry registry;
  register_synthetic(registry);
  return registry;
}

SeriesPlan states_series(const Levels& levels) {
  static const Registry registry = synthetic();
  SeriesPlan series;
  series.name = "states";
  series.measurement = registry.find("synthetic/states")->description;
  for (const auto& [factor, level] : levels) series.factors.push_back({factor, {{level}, {}}});
  series.precision.min_span = {};
  series.precision.batches = 8;
  return series;
}

/// A campaign of one point.
struct Measured {
  explicit Measured(SeriesPlan series, const Registry& registry = built_in(), std::uint64_t seed = 3)
      : campaign(fake_plan({std::move(series)}, seed), registry) {
    campaign.run();
  }
  static const Registry& built_in() {
    static const Registry registry = synthetic();
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
SeriesPlan as_found(const Levels& levels, const std::string& rule = "fixed:4000") {
  SeriesPlan series = states_series(levels);
  series.precision.state = WantedState::any;
  series.precision.rule = parse_rule(rule, {});
  series.precision.batches = 2;
  return series;
}

void expect_value(const Measured& measured, const std::string& state, double expected, const std::string& what) {
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
      const Measured measured(series);
      const std::string what = std::to_string(shared) + " for " + std::to_string(lasts);
      EXPECT_EQ(measured.point().outcome, Outcome::converged) << what << ": " << measured.point().reason;
      EXPECT_EQ(to_text(measured.headline().state), "alone") << what;
      expect_value(measured, "alone", alone_takes, what);
      EXPECT_TRUE(measured.has_note("the simulated cores were shared by others")) << what;
      EXPECT_GT(measured.campaign.host.looks(), 0) << what;
    }
}

TEST(SimulatedStates, EachStateHasItsValueAndItsShare) {
  for (const double shared : {0.25, 0.5, 0.75, 0.97})
    for (const std::int64_t lasts : {100'000, 1'000'000}) {
      const Measured measured(as_found({{"shared", shared}, {"lasts", lasts}, {"pause", std::int64_t{10'000'000}}}));
      const std::string what = std::to_string(shared) + " for " + std::to_string(lasts);
      EXPECT_EQ(measured.headline().state, CoreState{}) << what;
      expect_value(measured, "alone", alone_takes, what);
      expect_value(measured, "shared", beside_others * alone_takes, what);
      EXPECT_NEAR(measured.of("alone")->state_share, 1 - shared, 0.03) << what;
      EXPECT_NEAR(measured.of("shared")->state_share, shared, 0.03) << what;
      EXPECT_EQ(measured.campaign.host.looks(), 0) << what;
    }
}

TEST(SimulatedStates, AnotherClockIsAStateOfItsOwn) {
  for (const auto& [clock, name] : {std::pair{0.8, "alone, clock 2.9 GHz"}, std::pair{1.2, "alone, clock 4.3 GHz"}})
    for (const double share : {0.1, 0.3}) {
      const Measured measured(as_found({{"shared", 0.0}, {"clock", clock}, {"clock_share", share}}));
      const std::string what = std::to_string(clock) + " in " + std::to_string(share);
      expect_value(measured, "alone", alone_takes, what);
      expect_value(measured, name, alone_takes / clock, what);
      EXPECT_NEAR(measured.of(name)->state_share, share, 0.03) << what;
      EXPECT_NEAR(measured.of("alone")->state_share, 1 - share, 0.03) << what;
    }
}

TEST(SimulatedStates, AnotherDistanceIsAStateOfItsOwn) {
  for (const double share : {0.1, 0.3}) {
    const Measured measured(as_found({{"members", std::int64_t{2}}, {"shared", 0.0}, {"far_share", share}}));
    const std::string what = std::to_string(share);
    expect_value(measured, "alone, distance 100 ns", alone_takes, what);
    expect_value(measured, "alone, distance 490 ns", alone_takes + 390, what);
    EXPECT_NEAR(measured.of("alone, distance 490 ns")->state_share, share, 0.03) << what;
  }
}

TEST(SimulatedStates, APartnerOnTheSameCoreIsNoNeighbour) {
  const Measured never(states_series({{"members", std::int64_t{2}}, {"shared", 0.0}, {"cores", std::string("one")}}));
  EXPECT_EQ(to_text(never.headline().state), "alone");
  EXPECT_NEAR(never.headline().headline.value / alone_takes, 1, 0.01);
  EXPECT_FALSE(never.has_note("shared by others"));
  const Measured often(states_series({{"members", std::int64_t{2}}, {"shared", 0.3}, {"cores", std::string("one")}}));
  EXPECT_EQ(to_text(often.headline().state), "alone");
  expect_value(often, "alone", alone_takes, "with neighbours as well");
}

TEST(SimulatedStates, WhatLastsLongerThanAStateIsAsFound) {
  for (const std::int64_t lasts : {1'000, 1'000'000}) {
    const Measured measured(states_series({{"median", lasts * 2}, {"shared", 0.5}, {"lasts", lasts}}));
    EXPECT_EQ(to_text(measured.headline().state), "as found") << lasts;
  }
}

TEST(SimulatedStates, TheOtherStateCanBeAskedFor) {
  SeriesPlan series = states_series({{"shared", 0.5}});
  series.precision.state = WantedState::shared;
  const Measured measured(series);
  EXPECT_EQ(measured.point().outcome, Outcome::converged) << measured.point().reason;
  EXPECT_EQ(to_text(measured.headline().state), "shared");
  expect_value(measured, "shared", beside_others * alone_takes, "asked for");
}

TEST(SimulatedStates, ACoreThatIsNeverAloneIsNotCalledSo) {
  const Measured measured(states_series({{"shared", 1.0}}));
  EXPECT_EQ(to_text(measured.headline().state), "as found");
  EXPECT_TRUE(measured.has_note("no simulated core was seen to be alone for sure"));
}

/// The same measurement to those who ask for its cores: it has none.
class WithoutCores final : public Measurement {
 public:
  explicit WithoutCores(Setup& setup) : own_(Measured::built_in().find("synthetic/states")->make(setup)) {}
  void enter(Member& member) override { own_->enter(member); }
  Claims run(Member& member, Reps reps) override { return own_->run(member, reps); }
  void rest(Member& member) override { own_->rest(member); }
  void leave(Member& member) override { own_->leave(member); }

 private:
  std::unique_ptr<Measurement> own_;
};

TEST(SimulatedStates, ACoreThatIsAlwaysAloneYieldsTheTableOfOneThatIsNotRead) {
  Registry blind;
  blind.add<WithoutCores>(Measured::built_in().find("synthetic/states")->description);
  for (const std::int64_t members : {1, 2}) {
    const SeriesPlan series = states_series({{"members", members}, {"shared", 0.0}});
    const Measured read(series);
    const Measured unread(series, blind);
    EXPECT_EQ(to_text(read.headline().state), "alone");
    EXPECT_EQ(to_text(unread.headline().state), "as found");
    EXPECT_EQ(read.table(), unread.table());
    EXPECT_EQ(read.campaign.host.looks(), 0);
    EXPECT_TRUE(read.point().others.empty());
  }
}

TEST(SimulatedStates, TheSameSeedGivesTheSameTable) {
  const SeriesPlan series = states_series({{"members", std::int64_t{2}}, {"shared", 0.5}, {"far_share", 0.2}});
  EXPECT_EQ(Measured(series).table(), Measured(series).table());
  EXPECT_NE(Measured(series).table(), Measured(series, Measured::built_in(), 4).table());
}

}  // namespace
}  // namespace assay::test
