// SPDX-License-Identifier: Apache-2.0
// Who is compared with whom, and every reason why not.
#include "record/compare/pairing.hpp"

#include <gmock/gmock-more-matchers.h>

#include <cmath>
#include <limits>

#include "unit/record/compared.hpp"

namespace assay::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::Lt;
using testing::SizeIs;

/// Two campaigns of one point each, alike but for what a test changes.
struct PairingTest : testing::Test {
  PairingTest() {
    a.points = {compared_point(1, compared_result(100))};
    b.points = {compared_point(1, compared_result(110))};
  }
  Pairing paired() const { return pair_results(a.records(), b.records(), request); }
  /// How many results were left unpaired, where none was paired.
  std::size_t refused() const {
    const Pairing pairing = paired();
    EXPECT_THAT(pairing.pairs, IsEmpty());
    return pairing.unpaired.size();
  }
  Result& of_a() { return a.points.front().results.front(); }
  Result& of_b() { return b.points.front().results.front(); }

  ComparedCampaign a;
  ComparedCampaign b;
  PairingRequest request;
};

TEST_F(PairingTest, ThePointsBothHave) {
  a.points.push_back(compared_point(7, compared_result(50)));
  b.points.insert(b.points.begin(), compared_point(7, compared_result(60, 12)));
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(2));
  EXPECT_THAT(pairing.unpaired, IsEmpty());
  EXPECT_EQ(pairing.pairs[1].point, point_of({{"n", std::int64_t{7}}}));
  EXPECT_EQ(pairing.pairs[1].a.median, 50);
  EXPECT_EQ(pairing.pairs[1].b.median, 60);
  EXPECT_THAT(pairing.pairs[1].a.processes, SizeIs(10));
  EXPECT_THAT(pairing.pairs[1].b.processes, SizeIs(12));
}

Result in_state_of(Result result, const char* state) {
  result.state = parse_core_state(state).value();
  return result;
}

TEST_F(PairingTest, StatesOfOnePointStayApart) {
  of_a() = in_state_of(compared_result(100), "alone, distance 102 ns");
  of_b() = in_state_of(compared_result(110), "alone, distance 104 ns");
  a.points[0].others = {in_state_of(compared_result(300), "alone, distance 490 ns")};
  b.points[0].others = {in_state_of(compared_result(310), "alone, distance 480 ns")};
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_THAT(pairing.pairs[0].a.processes, Each(Lt(200))) << "those of the headline's distance only";
  EXPECT_THAT(pairing.pairs[0].b.processes, Each(Lt(200)));
  EXPECT_TRUE(pairing.pairs[0].is_of_headlines);
}

TEST_F(PairingTest, SessionsWhoseDistancesDifferALittleGoTogether) {
  a.points = {compared_point(1, in_state_of(compared_result(100, 10, 0), "alone, distance 102 ns")),
              compared_point(1, in_state_of(compared_result(104, 10, 1), "alone, distance 106 ns"))};
  of_b() = in_state_of(compared_result(110), "alone, distance 104 ns");
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_THAT(pairing.pairs[0].a.sessions, ElementsAre(100, 104));
}

TEST_F(PairingTest, AStateThatIsNobodysHeadlineIsTold) {
  of_a() = in_state_of(compared_result(100), "alone");
  a.points[0].others = {compared_result(130)};
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_EQ(pairing.pairs[0].a.median, 130);
  EXPECT_FALSE(pairing.pairs[0].is_of_headlines);
  EXPECT_EQ(pairing.pairs[0].state, CoreState{});
  EXPECT_EQ(pairing.pairs[0].headline_a, (CoreState{Sharing::alone, 0, 0}));
  EXPECT_EQ(pairing.pairs[0].headline_b, CoreState{});
}

CoreLevel level_of(std::int64_t readings, std::int64_t alone, AloneBecause because) {
  CoreLevel level;
  level.because = because;
  level.readings = readings;
  level.readings_alone = alone;
  return level;
}

Result at_step(Result result, double step) {
  result.state.step = {step};
  return result;
}

// "Alone" of two campaigns is at the usual clock of each.
TEST_F(PairingTest, CoresAtOtherClocksAreNotCompared) {
  of_a() = at_step(in_state_of(compared_result(100), "alone"), 1.1);
  of_b() = at_step(in_state_of(compared_result(108), "alone"), 1.188);
  const Pairing pairing = paired();
  EXPECT_THAT(pairing.pairs, IsEmpty());
  ASSERT_THAT(pairing.unpaired, SizeIs(1));
  EXPECT_EQ(pairing.unpaired[0].reason,
            "the cores were never in the same state: alone in A, alone in B, but the clock of A was 1.08 times that of "
            "B");
}

// A core takes as many cycles at each clock.
TEST_F(PairingTest, WhatFollowsTheClockIsComparedAtOne) {
  of_a() = at_step(in_state_of(compared_result(100), "alone"), 1.1);
  of_b() = at_step(in_state_of(compared_result(108), "alone"), 1.188);
  of_a().clock.ghz = of_b().clock.ghz = 2.7;
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_NEAR(pairing.pairs[0].b.median, 100, 1e-9);
  EXPECT_NEAR(pairing.pairs[0].b.processes.at(0), of_b().processes.at(0).value / 1.08, 1e-9);
  EXPECT_NEAR(pairing.pairs[0].clock_scale, 1 / 1.08, 1e-9);
  EXPECT_TRUE(pairing.pairs[0].is_of_headlines);
  of_b().state.sharing = Sharing::shared;
  EXPECT_THAT(paired().pairs, IsEmpty());
}

// A share of a per cent more or less decides whether batches outlast what others do.
/// What two members polled for, each on a CPU of its own that a hypervisor may move.
void make_polled(PointRecord& point, double distance) {
  point.results.front().regime = Regime::spin;
  point.results.front().term = Term::short_term;
  point.reference = {20, distance, distance, distance, false};
}

TEST_F(PairingTest, WhatPollsIsNotComparedAcrossDistancesThatAHypervisorChose) {
  make_polled(a.points.front(), 282);
  make_polled(b.points.front(), 268);
  const Pairing pairing = paired();
  EXPECT_THAT(pairing.pairs, IsEmpty());
  ASSERT_THAT(pairing.unpaired, SizeIs(1));
  EXPECT_EQ(pairing.unpaired.front().reason,
            "the hypervisor had the members' CPUs at another distance: 282 ns in A, 268 ns in B (G-APART); "
            "--accept-marked compares them nevertheless");
  request.accept_marked = true;
  EXPECT_THAT(paired().pairs, SizeIs(1));
}

// It is known how they go with it.
TEST_F(PairingTest, WhatWasConvertedToADistanceIsComparedAtThatOfA) {
  make_polled(a.points.front(), 131);
  make_polled(b.points.front(), 125);
  of_a().state = {Sharing::alone, 0, 130};
  of_b().state = {Sharing::alone, 0, 126};
  EXPECT_THAT(paired().pairs, IsEmpty());
  of_a().law.distance_power = 0.5;
  EXPECT_THAT(paired().pairs, IsEmpty()) << "of one only";
  of_b().law.distance_power = 0.7;
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_NEAR(pairing.pairs[0].distance_scale, std::pow(130.0 / 126, 0.6), 1e-12);
  EXPECT_NEAR(pairing.pairs[0].b.median / of_b().headline.value, pairing.pairs[0].distance_scale, 1e-12);
  EXPECT_EQ(pairing.pairs[0].clock_scale, 1);
  of_b().state.distance_ns = 110;
  EXPECT_THAT(paired().pairs, IsEmpty()) << "too far for what was found about one of them";
}

TEST_F(PairingTest, AnotherDistanceIsNoObstacleWhereItIsNoOneElsesChoice) {
  const auto are_compared = [this] { return paired().pairs.size() == 1; };
  make_polled(a.points.front(), 282);
  make_polled(b.points.front(), 278);
  EXPECT_TRUE(are_compared()) << "as good as the same";
  make_polled(b.points.front(), 0);
  EXPECT_TRUE(are_compared()) << "not known";
  make_polled(b.points.front(), 268);
  of_b().term = Term::long_term;
  EXPECT_TRUE(are_compared()) << "several sessions, or a machine whose CPUs stay where they are";
  of_b().term = Term::short_term;
  of_a().regime_share = of_b().regime_share = 0.5;
  EXPECT_TRUE(are_compared()) << "what was awake by luck";
}

TEST_F(PairingTest, AsFoundOnCoresThatWereHardlySharedIsComparedWithAlone) {
  of_a() = at_step(in_state_of(compared_result(100), "alone"), 1.1);
  of_b() = at_step(in_state_of(compared_result(110), "as found, clock 2.72 GHz"), 1.102);
  for (const std::int64_t alone : {97, 60}) {
    b.points[0].cores = {level_of(100, alone, AloneBecause::two_levels)};
    const Pairing pairing = paired();
    ASSERT_EQ(pairing.pairs.size(), alone > 90 ? 1U : 0U);
    if (alone < 90) continue;
    EXPECT_TRUE(pairing.pairs[0].is_of_headlines);
    EXPECT_EQ(pairing.pairs[0].clock_scale, 1);
    EXPECT_NEAR(pairing.pairs[0].b.shared.value(), 0.03, 1e-9) << "a change has to be larger than what that explains";
  }
}

TEST_F(PairingTest, TheClockThatBothHadIsCompared) {
  of_a() = at_step(in_state_of(compared_result(100), "alone"), 1.1);
  of_b() = at_step(in_state_of(compared_result(108), "alone"), 1.188);
  b.points[0].others = {at_step(in_state_of(compared_result(104), "alone, clock 2.6 GHz"), 1.15),
                        at_step(in_state_of(compared_result(101), "alone, clock 2.72 GHz"), 1.105)};
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_EQ(pairing.pairs[0].b.median, 101);
  EXPECT_FALSE(pairing.pairs[0].is_of_headlines);
}

TEST_F(PairingTest, ResultsAsFoundSayHowMuchOthersSharedTheirCores) {
  a.points[0].cores = {level_of(100, 80, AloneBecause::two_levels), level_of(100, 40, AloneBecause::earlier)};
  b.points[0].cores = {level_of(100, 80, AloneBecause::two_levels), level_of(100, 40, AloneBecause::nothing)};
  EXPECT_NEAR(paired().pairs.at(0).a.shared.value_or(0), 0.4, 1e-9);
  EXPECT_FALSE(paired().pairs.at(0).b.shared) << "nobody knows when the second of them is alone";
  of_a() = in_state_of(compared_result(100), "alone");
  of_b() = in_state_of(compared_result(110), "alone");
  EXPECT_FALSE(paired().pairs.at(0).a.shared);
}

TEST_F(PairingTest, RegimesOfARefusedPointAreRefused) {
  of_a().verdict.outcome = Outcome::open;
  EXPECT_THAT(paired().pairs, SizeIs(1));
  a.points[0].outcome = Outcome::too_noisy;
  EXPECT_EQ(refused(), 1U);
}

TEST_F(PairingTest, IncarnationsOfAllSessionsCount) {
  a.points = {compared_point(1, compared_result(100, 10, 0)), compared_point(1, compared_result(104, 10, 1))};
  const Pairing pairing = paired();
  ASSERT_THAT(pairing.pairs, SizeIs(1));
  EXPECT_THAT(pairing.pairs[0].a.processes, SizeIs(20));
  EXPECT_THAT(pairing.pairs[0].a.sessions, ElementsAre(100, 104));
  EXPECT_EQ(pairing.pairs[0].a.median, 104) << "as reported last";
}

TEST_F(PairingTest, PointsOfOneSideOnly) {
  a.points.push_back(compared_point(2, compared_result(50)));
  b.points.push_back(compared_point(3, compared_result(50)));
  b.points.push_back(compared_point(1, compared_result(50), "other"));
  const Pairing pairing = paired();
  EXPECT_THAT(pairing.pairs, SizeIs(1));
  ASSERT_THAT(pairing.unpaired, SizeIs(3));
  EXPECT_EQ(pairing.unpaired[2].series, "other");
}

TEST_F(PairingTest, AnotherVehicleOrPlacementIsNamed) {
  a.points[0].point.set("vehicle", std::string("thread"));
  b.points[0].point.set("vehicle", std::string("process"));
  const Pairing pairing = paired();
  EXPECT_THAT(pairing.pairs, IsEmpty());
  ASSERT_THAT(pairing.unpaired, SizeIs(2));
  EXPECT_THAT(pairing.unpaired[0].reason, EndsWith("process"));
  EXPECT_THAT(pairing.unpaired[1].reason, EndsWith("thread"));
  for (ComparedCampaign* side : {&a, &b}) side->points[0].point.set("vehicle", std::string("thread"));
  a.points[0].point.set("placement", std::string("same-l3"));
  b.points[0].point.set("placement", std::string("cross-package"));
  EXPECT_THAT(paired().unpaired.at(0).reason, EndsWith("cross-package"));
}

TEST_F(PairingTest, AnotherMeasurement) {
  b.points[0].measurement = "logp/burst";
  EXPECT_EQ(refused(), 1U);
}

TEST_F(PairingTest, SimulatedTimeIsNoTime) {
  b.points[0].simulated = true;
  EXPECT_EQ(refused(), 1U);
  a.points[0].simulated = true;
  EXPECT_THAT(paired().pairs, SizeIs(1));
}

TEST_F(PairingTest, AnotherUnit) {
  of_b().unit = Unit::per_second;
  EXPECT_EQ(refused(), 1U);
}

TEST_F(PairingTest, RegimesAreNeverCompared) {
  of_a().regime = Regime::spin;
  of_b().regime = Regime::blocked;
  of_b().regime_share = 0.8;
  const Pairing pairing = paired();
  EXPECT_THAT(pairing.pairs, IsEmpty());
  ASSERT_THAT(pairing.unpaired, SizeIs(2));
}

TEST_F(PairingTest, MinorRegimesOnRequest) {
  for (PointRecord* point : {&a.points[0], &b.points[0]}) {
    point->results.push_back(compared_result(500));
    point->results[1].regime = Regime::blocked;
    point->results[1].regime_share = 0.2;
    point->results[1].verdict.outcome = Outcome::open;
  }
  EXPECT_THAT(paired().pairs, SizeIs(1));
  request.all = true;
  EXPECT_THAT(paired().pairs, SizeIs(2));
}

TEST_F(PairingTest, QuantitiesOnRequest) {
  for (ComparedCampaign* side : {&a, &b}) {
    side->series.quantities.push_back({"drop", Unit::count, Combine::sum, 0, Per::batch, true, ""});
    side->points[0].results.push_back(compared_result(3));
    side->points[0].results[1].quantity = "drop";
  }
  ASSERT_THAT(paired().pairs, SizeIs(1)) << "the primary one";
  EXPECT_EQ(paired().pairs[0].quantity, "time");
  EXPECT_FALSE(paired().pairs[0].is_signed);
  request.quantity = "drop";
  ASSERT_THAT(paired().pairs, SizeIs(1));
  EXPECT_EQ(paired().pairs[0].quantity, "drop");
  EXPECT_TRUE(paired().pairs[0].is_signed);
  request = {};
  request.all = true;
  EXPECT_THAT(paired().pairs, SizeIs(2));
  b.points[0].results.pop_back();
  EXPECT_THAT(paired().unpaired, SizeIs(1)) << "which is missing in B";
}

TEST_F(PairingTest, OutcomesThatSpeakAgainstTheNumber) {
  for (const Outcome outcome : {Outcome::bimodal, Outcome::drift, Outcome::too_noisy, Outcome::resolution,
                                Outcome::aborted, Outcome::timeout, Outcome::failed}) {
    request.accept_marked = false;
    of_b().verdict.outcome = outcome;
    EXPECT_EQ(refused(), 1U) << to_text(outcome);
    request.accept_marked = true;
    EXPECT_THAT(paired().pairs, SizeIs(1));
  }
}

TEST_F(PairingTest, ASpentBudgetIsNoReason) {
  of_a().verdict.outcome = Outcome::max_timings;
  of_b().verdict.outcome = Outcome::max_time;
  EXPECT_THAT(paired().pairs, SizeIs(1));
}

TEST_F(PairingTest, WithoutANumberOnOneSideOrBoth) {
  b.points[0].results.clear();
  b.points[0].outcome = Outcome::not_applicable;
  b.points[0].code = "N1";
  b.points[0].reason = "members spin and share a CPU";
  EXPECT_EQ(refused(), 1U);
  a.points[0].results.clear();
  EXPECT_EQ(paired().numberless, 1U);
  EXPECT_THAT(paired().unpaired, IsEmpty());
}

TEST_F(PairingTest, OneIncarnationIsNoSample) {
  of_a() = compared_result(100, 1);
  EXPECT_EQ(refused(), 1U);
}

TEST_F(PairingTest, NotANumber) {
  of_b().processes[3].value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refused(), 1U);
}

TEST_F(PairingTest, SeriesThatWereNotMeasuredAlike) {
  request.refused["one"] = "because";
  EXPECT_EQ(refused(), 1U);
  EXPECT_EQ(paired().unpaired.at(0).reason, "because");
}

TEST_F(PairingTest, LevelsOfAFactor) {
  const auto variant = [](const char* level, std::int64_t n, double median) {
    PointRecord point = compared_point(n, compared_result(median));
    point.point.set("variant", std::string(level));
    return point;
  };
  a.points = {variant("old", 1, 100), variant("new", 1, 110), variant("old", 2, 50), variant("new", 2, 50),
              compared_point(3, compared_result(1))};
  const auto records = a.records();
  EXPECT_THAT(levels_of(records, "variant"), ElementsAre("new", "old"));
  EXPECT_THAT(levels_of(records, "n"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(levels_of(records, "other"), IsEmpty());
  const Pairing pairing =
      pair_results(at_level(records, "variant", "old"), at_level(records, "variant", "new"), {}, "new");
  ASSERT_THAT(pairing.pairs, SizeIs(2));
  EXPECT_THAT(pairing.unpaired, IsEmpty());
  EXPECT_EQ(pairing.pairs[0].point, point_of({{"n", std::int64_t{1}}}));
  EXPECT_EQ(pairing.pairs[0].level, "new");
  EXPECT_EQ(pairing.pairs[0].a.median, 100);
  EXPECT_EQ(pairing.pairs[0].b.median, 110);
}

}  // namespace
}  // namespace assay::test
