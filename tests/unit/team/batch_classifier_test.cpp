// SPDX-License-Identifier: Apache-2.0
// Regimes and disturbances from reports.
#include "team/batch_classifier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace assay {
namespace {

Traits waiting(Waiting how) {
  Traits traits;
  traits.waiting = how;
  return traits;
}

MemberReport quiet() {
  MemberReport report;
  report.claims = Nanoseconds{1000};
  report.cpu = report.wall = microseconds(100);
  return report;
}

MemberReport with_switches(std::int64_t voluntary, std::int64_t involuntary) {
  MemberReport report = quiet();
  report.voluntary = voluntary;
  report.involuntary = involuntary;
  return report;
}

Batch batch_of(std::vector<MemberReport> members, std::int64_t reps = 100) { return {Reps{reps}, std::move(members)}; }

Regime regime(const Batch& batch, const Traits& traits = waiting(Waiting::either)) {
  return judge(batch, traits, Description{}, Placement{}).regime;
}

Disturbances disturbances(const Batch& batch, Waiting how, const Placement& placement = {}) {
  return judge(batch, waiting(how), Description{}, placement).disturbed;
}

Disturbances only(Disturbance cause) { return Disturbances{}.set(static_cast<std::size_t>(cause)); }

Batch on_cpus(const std::vector<std::pair<int, int>>& before_and_after) {
  std::vector<MemberReport> members;
  for (const auto& [before, after] : before_and_after) {
    MemberReport& report = members.emplace_back(quiet());
    report.cpu_before = before;
    report.cpu_after = after;
  }
  return batch_of(std::move(members));
}

Spread spread(const Batch& batch, const Placement& placement = {}, const Description& description = {}) {
  return judge(batch, waiting(Waiting::blocks), description, placement).spread;
}

TEST(TeamSpread, IsOfUnboundMembersByWhereTheyAreAtBothEnds) {
  EXPECT_EQ(spread(on_cpus({{1, 1}, {1, 1}})), Spread::one_cpu);
  EXPECT_EQ(spread(on_cpus({{1, 1}, {0, 0}})), Spread::own_cpus);
  EXPECT_EQ(spread(on_cpus({{1, 0}, {0, 0}})), Spread::varied);
  EXPECT_EQ(spread(on_cpus({{1, 1}, {0, 0}, {0, 0}})), Spread::varied);
  EXPECT_EQ(spread(on_cpus({{1, 1}, {0, -1}})), Spread::unknown);
}

TEST(TeamSpread, IsUnknownWhereItSaysNothing) {
  EXPECT_EQ(spread(on_cpus({{1, 1}, {1, 1}}), {"same-pu", {1, 1}}), Spread::unknown);
  EXPECT_EQ(spread(on_cpus({{1, 1}})), Spread::unknown);
  Batch ranks = on_cpus({{1, 1}, {1, 1}});
  ranks.shares_cpus = true;
  EXPECT_EQ(spread(ranks), Spread::unknown);
  Traits simulated;
  simulated.simulated = true;
  EXPECT_EQ(judge(on_cpus({{1, 1}, {1, 1}}), simulated, {}, {}).spread, Spread::unknown);
}

TEST(TeamSpread, OfOneMemberIsThatOfWhatItStarted) {
  Description description;
  description.quantities = {{.name = "time"}, {.name = "elsewhere", .per = Per::batch, .is_elsewhere = true}};
  const auto with_share = [&](double share) {
    Batch batch = batch_of({quiet()});
    batch.members[0].claims.set(1, share);
    return batch;
  };
  EXPECT_EQ(spread(with_share(0.04), {}, description), Spread::one_cpu);
  EXPECT_EQ(spread(with_share(0.96), {}, description), Spread::own_cpus);
  EXPECT_EQ(spread(with_share(0.5), {}, description), Spread::varied);
  EXPECT_EQ(spread(with_share(0.96), {"bound", {1}}, description), Spread::unknown);
  EXPECT_EQ(spread(batch_of({quiet()}), {}, description), Spread::unknown);
}

TEST(TeamJudge, AloneIsSoloWhateverHappened) {
  EXPECT_EQ(regime(batch_of({with_switches(500, 500)})), Regime::solo);
  Traits simulated = waiting(Waiting::none);
  simulated.simulated = true;
  EXPECT_EQ(regime(batch_of({quiet()}), simulated), Regime::solo);
}

TEST(TeamJudge, SpinNeedsEveryMemberBelowTheLimitInSwitchesOfAnyKind) {
  EXPECT_EQ(regime(batch_of({with_switches(5, 0), with_switches(2, 3)})), Regime::spin);
  EXPECT_EQ(regime(batch_of({with_switches(6, 0), with_switches(0, 0)})), Regime::mixed);
  EXPECT_EQ(regime(batch_of({with_switches(0, 0), with_switches(3, 3)})), Regime::mixed);
}

TEST(TeamJudge, YieldingMembersAreBlockedBySwitchesOfAnyKindAndNotDisturbedByThem) {
  const Batch batch = batch_of({with_switches(0, 100), with_switches(0, 96)});
  EXPECT_EQ(regime(batch, waiting(Waiting::yields)), Regime::blocked);
  EXPECT_EQ(regime(batch, waiting(Waiting::either)), Regime::mixed);
  EXPECT_EQ(regime(batch_of({with_switches(0, 100), with_switches(0, 50)}), waiting(Waiting::yields)), Regime::mixed);
  EXPECT_EQ(regime(batch_of({quiet(), quiet()}), waiting(Waiting::yields)), Regime::spin);
  EXPECT_TRUE(disturbances(batch, Waiting::yields).none());
}

TEST(TeamJudge, BlockedNeedsEveryResponderButNotTheFirst) {
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(95, 0)})), Regime::blocked);
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(94, 50)})), Regime::mixed);
  EXPECT_EQ(regime(batch_of({with_switches(100, 0), quiet()})), Regime::mixed);
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(200, 0), with_switches(94, 0)})), Regime::mixed);
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(200, 0), with_switches(96, 0)})), Regime::blocked);
}

TEST(TeamJudge, MembersThatPreemptEachOtherOnOneCpuAreNotBlocked) {
  const auto on = [](int cpu, MemberReport report) {
    report.cpu_before = report.cpu_after = cpu;
    return report;
  };
  const Batch preempted = batch_of({on(3, with_switches(0, 101)), on(3, with_switches(101, 0))});
  EXPECT_EQ(regime(preempted), Regime::preempted);
  EXPECT_EQ(regime(batch_of({on(3, with_switches(0, 101)), on(2, with_switches(101, 0))})), Regime::blocked);
  EXPECT_EQ(regime(preempted, waiting(Waiting::yields)), Regime::blocked) << "its switches are of yields";
  EXPECT_EQ(regime(batch_of({on(3, with_switches(101, 6)), on(3, with_switches(101, 0))})), Regime::blocked);
  EXPECT_EQ(regime(batch_of({on(3, with_switches(101, 0)), on(3, with_switches(101, 7))})), Regime::mixed);
}

TEST(TeamJudge, PreemptedIsAMemberThatNearlyAlwaysIsTheOne) {
  const auto pair = [](std::int64_t first, std::int64_t second) {
    Batch batch = batch_of({with_switches(50, first), with_switches(50, second)});
    for (MemberReport& report : batch.members) report.cpu_before = report.cpu_after = 3;
    return regime(batch);
  };
  EXPECT_EQ(pair(101, 0), Regime::preempted);
  EXPECT_EQ(pair(0, 101), Regime::preempted) << "whichever it is";
  EXPECT_EQ(pair(86, 15), Regime::preempted);
  EXPECT_EQ(pair(50, 51), Regime::mixed) << "by turns";
  EXPECT_EQ(pair(84, 17), Regime::mixed) << "they changed over within the batch";
  EXPECT_EQ(pair(49, 0), Regime::mixed) << "in fewer than half of the events";
  EXPECT_EQ(pair(50, 0), Regime::preempted);
  Batch three = batch_of({with_switches(50, 90), with_switches(50, 8), with_switches(50, 8)});
  for (MemberReport& report : three.members) report.cpu_before = report.cpu_after = 3;
  EXPECT_EQ(regime(three), Regime::mixed);
  three.members[0].involuntary = 100;
  EXPECT_EQ(regime(three), Regime::preempted);
}

TEST(TeamJudge, RegimeCountsEventsNotRepetitions) {
  Traits traits = waiting(Waiting::either);
  traits.events_per_rep = 4;
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(100, 0)}), traits), Regime::mixed);
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(380, 0)}), traits), Regime::blocked);
  EXPECT_EQ(regime(batch_of({quiet(), with_switches(20, 0)}), traits), Regime::spin);
}

TEST(TeamJudge, AMemberThatNeverWaitsSpinsUnlessSomethingSwitched) {
  EXPECT_EQ(regime(batch_of({quiet(), quiet()}, 1), waiting(Waiting::none)), Regime::spin);
  EXPECT_EQ(regime(batch_of({with_switches(0, 1), quiet()}, 1), waiting(Waiting::none)), Regime::mixed);
}

TEST(TeamJudge, LimitsAreParameters) {
  GuardLimits limits;
  limits.spin_per_event = 0.5;
  const auto judged = judge(batch_of({with_switches(50, 0), quiet()}), waiting(Waiting::either), {}, {}, limits);
  EXPECT_EQ(judged.regime, Regime::spin);
}

TEST(TeamJudge, SwitchesDisturbOnlyThoseWhoNeverSleep) {
  for (const Batch& batch : {batch_of({quiet(), with_switches(1, 0)}), batch_of({with_switches(0, 1), quiet()})}) {
    EXPECT_EQ(disturbances(batch, Waiting::none), only(Disturbance::switched));
    EXPECT_EQ(disturbances(batch, Waiting::spins), only(Disturbance::switched));
    EXPECT_TRUE(disturbances(batch, Waiting::blocks).none());
    EXPECT_TRUE(disturbances(batch, Waiting::either).none());
  }
  EXPECT_TRUE(disturbances(batch_of({quiet(), quiet()}), Waiting::none).none());
}

TEST(TeamJudge, WhatTakesTheCpuOfAWatcherIsMeasuredAndNoDisturbance) {
  MemberReport lost = with_switches(0, 7);
  lost.cpu = lost.wall / 2;
  lost.major_faults = 1;
  EXPECT_TRUE(disturbances(batch_of({lost}), Waiting::watches).none());
  lost.cpu_before = lost.cpu_after = 1;
  EXPECT_EQ(disturbances(batch_of({lost}), Waiting::watches, Placement{"0", {0}}), only(Disturbance::migrated));

  EXPECT_TRUE(spoiling_visits(waiting(Waiting::none)).all());
  const Disturbances measured = only(Disturbance::stolen) | only(Disturbance::throttled) | only(Disturbance::speed);
  EXPECT_EQ(spoiling_visits(waiting(Waiting::watches)), ~measured);
  Traits window = waiting(Waiting::blocks);
  window.includes_losses = true;
  EXPECT_EQ(spoiling_visits(window), ~measured);
  Traits simulated = waiting(Waiting::none);
  simulated.simulated = true;
  EXPECT_TRUE(spoiling_visits(simulated).none());
}

TEST(TeamJudge, MigrationIsMeasuredAgainstTheBinding) {
  const Placement placement{"0+1", {0, 1}};
  const auto at = [](int before, int after) {
    MemberReport report = quiet();
    report.cpu_before = before;
    report.cpu_after = after;
    return report;
  };
  const auto verdict = [&](MemberReport second) {
    return disturbances(batch_of({at(0, 0), second}), Waiting::blocks, placement);
  };
  EXPECT_TRUE(verdict(at(1, 1)).none());
  EXPECT_EQ(verdict(at(1, 0)), only(Disturbance::migrated));
  EXPECT_EQ(verdict(at(0, 1)), only(Disturbance::migrated));
  EXPECT_EQ(verdict(at(0, 0)), only(Disturbance::migrated));                        // stayed, but elsewhere
  EXPECT_TRUE(verdict(at(-1, -1)).none());                                          // not known
  EXPECT_TRUE(disturbances(batch_of({at(0, 1), at(1, 0)}), Waiting::none).none());  // unbound
}

TEST(TeamJudge, StolenTimeNeedsBothAShareAndAFloor) {
  const auto missing = [](Nanoseconds wall, Nanoseconds lost) {
    MemberReport report = quiet();
    report.wall = wall;
    report.cpu = wall - lost;
    return batch_of({quiet(), report});
  };
  EXPECT_EQ(disturbances(missing(microseconds(100), microseconds(11)), Waiting::spins), only(Disturbance::stolen));
  EXPECT_TRUE(disturbances(missing(microseconds(20), microseconds(9)), Waiting::none).none());      // below the floor
  EXPECT_TRUE(disturbances(missing(microseconds(1000), microseconds(40)), Waiting::none).none());   // below the share
  EXPECT_TRUE(disturbances(missing(microseconds(100), microseconds(90)), Waiting::blocks).none());  // sleeps anyway
}

TEST(TeamJudge, OnlyTimesThatCountCanBeClockAnomalies) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Description description;
  description.quantities = {{.name = "time"},
                            {.name = "signed", .is_signed = true},
                            {.name = "ratio", .unit = Unit::ratio},
                            {.name = "other", .claimant = 1}};
  const auto clock = [&](std::size_t quantity, double claim, std::size_t rank = 0) {
    Batch batch = batch_of({quiet(), quiet()}, 10);
    batch.members[rank].claims.set(quantity, claim);
    return judge(batch, waiting(Waiting::none), description, {})
        .disturbed.test(static_cast<std::size_t>(Disturbance::clock));
  };
  EXPECT_TRUE(clock(0, nan));
  EXPECT_TRUE(clock(0, std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(clock(0, -1001));
  EXPECT_FALSE(clock(0, -999));     // a correction may overshoot
  EXPECT_FALSE(clock(0, nan, 1));   // member 1 does not claim the time
  EXPECT_TRUE(clock(3, -2000, 1));  // but this one
  EXPECT_FALSE(clock(1, -1e6));     // signed
  EXPECT_TRUE(clock(1, nan));
  EXPECT_FALSE(clock(2, nan));  // not a time
}

TEST(Faults, F30_timings_below_or_without_width_are_rejected) {
  const auto clock = [](double claim, std::int64_t reps, Nanoseconds wall = microseconds(100)) {
    MemberReport report = quiet();
    report.claims = Nanoseconds{claim};
    report.wall = report.cpu = wall;
    return disturbances(batch_of({report}, reps), Waiting::none).test(static_cast<std::size_t>(Disturbance::clock));
  };
  EXPECT_TRUE(clock(-10e9, 1000));       // a step back of ten seconds
  EXPECT_TRUE(clock(-4294967296., 10));  // a wrap of 32 bits
  EXPECT_TRUE(clock(0, 1000));           // a frozen clock
  EXPECT_TRUE(clock(-22, 1000));         // the same, less the cost of a reading
  EXPECT_FALSE(clock(-3, 1));            // that cost, corrected too far
  EXPECT_FALSE(clock(5000, 1000));
  EXPECT_TRUE(clock(5000, 1000, Nanoseconds{-1}));
}

TEST(TeamJudge, APartnerWhoseHeartStoodStillWasNotRunning) {
  const auto beating = [](std::int64_t first, std::int64_t second, std::int64_t third) {
    Batch batch = batch_of({quiet(), quiet(), quiet()});
    batch.members[0].beats = first;
    batch.members[1].beats = second;
    batch.members[2].beats = third;
    return batch;
  };
  EXPECT_TRUE(disturbances(beating(0, 0, 0), Waiting::spins).none());  // no heartbeats in this measurement
  EXPECT_TRUE(disturbances(beating(0, 9, 9), Waiting::spins).none());  // the initiator need not beat
  EXPECT_EQ(disturbances(beating(9, 9, 0), Waiting::spins), only(Disturbance::partner));
  EXPECT_EQ(disturbances(beating(9, 0, 0), Waiting::spins), only(Disturbance::partner));
  EXPECT_TRUE(disturbances(beating(9, 0, 9), Waiting::either).none());
}

TEST(TeamJudge, MajorFaultsDisturbThoseWhoNeverSleep) {
  Batch batch = batch_of({quiet(), quiet()});
  batch.members[1].major_faults = 1;
  EXPECT_EQ(disturbances(batch, Waiting::none), only(Disturbance::fault));
  EXPECT_TRUE(disturbances(batch, Waiting::blocks).none());
}

TEST(TeamJudge, CausesAddUp) {
  Batch batch = batch_of({with_switches(0, 1), quiet()});
  batch.members[1].major_faults = 1;
  EXPECT_EQ(disturbances(batch, Waiting::none), only(Disturbance::switched) | only(Disturbance::fault));
}

TEST(TeamJudge, NothingDisturbsSimulatedTime) {
  Traits traits = waiting(Waiting::spins);
  traits.simulated = true;
  Batch batch = batch_of({with_switches(100, 100), quiet()});
  batch.members[0].claims.set(0, -1e9);
  batch.members[0].beats = 1;
  batch.members[0].cpu_before = 7;
  batch.members[1].wall = seconds(1);
  const Judgement judged = judge(batch, traits, Description{}, {"0+1", {0, 1}});
  EXPECT_TRUE(judged.disturbed.none());
  EXPECT_EQ(judged.regime, Regime::spin);
}

TEST(Judge, WhoPollsIsDisturbedByASwitchOnlyWithACpuToItself) {
  Description description;
  const Traits polls{.vehicles = {"mpi"}, .waiting = Waiting::polls};
  Batch batch{Reps{100}, std::vector<MemberReport>(2)};
  batch.members[1].involuntary = 1;
  const auto switched = [&] {
    return judge(batch, polls, description, {}).disturbed.test(static_cast<std::size_t>(Disturbance::switched));
  };
  EXPECT_TRUE(switched());
  batch.shares_cpus = true;
  EXPECT_FALSE(switched());
}

TEST(Judge, ABatchThatARankCameLateToIsDisturbed) {
  Description description;
  Batch batch{Reps{100}, std::vector<MemberReport>(2)};
  const auto late = [&](Nanoseconds by) {
    batch.members[1].late = by;
    return judge(batch, {.waiting = Waiting::polls}, description, {})
        .disturbed.test(static_cast<std::size_t>(Disturbance::late));
  };
  EXPECT_FALSE(late(Nanoseconds{900}));
  EXPECT_TRUE(late(Nanoseconds{1100}));
}

}  // namespace
}  // namespace assay
