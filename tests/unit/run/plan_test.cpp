// SPDX-License-Identifier: Apache-2.0
// What a point requires of the team, and what is N/A before measuring.
#include "run/plan.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/campaigns/fake_plan.hpp"

namespace assay::test {
namespace {

Point plan_point(const std::string& text) { return parse_point(text).value(); }

SeriesPlan pair(Waiting waiting) {
  SeriesPlan series = fake_team("pair", 2, waiting);
  series.measurement.members = at_least(2);
  series.measurement.traits.vehicles = {"thread", "process"};
  series.placements = {{"unbound", {}}, {"same-pu", {3, 3}}, {"smt", {2, 3}}, {"smt", {2, 3, 4}}, {"0+1", {0, 1}}};
  return series;
}

TEST(Plan, MembersAreTheFewestUnlessThePointSaysOtherwise) {
  const SeriesPlan series = pair(Waiting::blocks);
  EXPECT_EQ(members_of(series, Point{}), 2);
  EXPECT_EQ(members_of(series, plan_point("members=5")), 5);
  EXPECT_THROW(members_of(series, plan_point("members=many")), std::out_of_range);
}

TEST(Plan, CyclesAreOfWhatFitsTheNearestCacheAndIsNotGivenItsTime) {
  SeriesPlan series = fake_series("one", {levels("bytes", 1)});
  series.measurement.factors.push_back({.name = "work", .standard = std::string("none"), .words = {}, .summary = {}});
  EXPECT_EQ(core_cycles_at(series, plan_point("bytes=64")), CoreCycles::never) << "unless a measurement says so";
  series.measurement.core_cycles = CoreCycles::on_one_cpu;
  EXPECT_EQ(core_cycles_at(series, plan_point("bytes=32768")), CoreCycles::on_one_cpu);
  EXPECT_EQ(core_cycles_at(series, plan_point("bytes=32769")), CoreCycles::never);
  EXPECT_EQ(core_cycles_at(series, plan_point("bytes=1 work=compute")), CoreCycles::never);
}

TEST(Plan, VehicleIsTheFirstUnlessThePointSaysOtherwise) {
  SeriesPlan series = pair(Waiting::blocks);
  EXPECT_EQ(vehicle_of(series, Point{}), "thread");
  EXPECT_EQ(vehicle_of(series, plan_point("vehicle=process")), "process");
  series.measurement.traits.vehicles = {"process"};
  EXPECT_EQ(vehicle_of(series, Point{}), "process");
}

TEST(Plan, PlacementsAreFoundByNameAndMembers) {
  const SeriesPlan series = pair(Waiting::blocks);
  EXPECT_EQ(placement_of(series, plan_point("placement=smt")).cpus, (std::vector<int>{2, 3}));
  EXPECT_EQ(placement_of(series, plan_point("members=3 placement=smt")).cpus, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(placement_of(series, plan_point("placement=\"0+1\"")).cpus, (std::vector<int>{0, 1}));
  EXPECT_FALSE(placement_of(series, plan_point("members=9 placement=unbound")).bound());
  EXPECT_FALSE(placement_of(series, Point{}).bound());
}

TEST(Plan, AnUnknownPlacementIsOutOfRange) {
  const SeriesPlan series = pair(Waiting::blocks);
  EXPECT_THROW(placement_of(series, plan_point("placement=same-l3")), std::out_of_range);
  EXPECT_THROW(placement_of(series, plan_point("members=4 placement=smt")), std::out_of_range);
}

TEST(Plan, SpinningOnOneCpuIsN1) {
  const auto known = not_applicable(pair(Waiting::spins), plan_point("placement=same-pu"), 8);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->outcome, Outcome::not_applicable);
  EXPECT_EQ(known->code, "N1");
  EXPECT_EQ(known->reason, "members that spin on one CPU make no progress without preemption");
}

TEST(Plan, SpinningUnboundNeedsACpuForEach) {
  const SeriesPlan series = pair(Waiting::spins);
  EXPECT_FALSE(not_applicable(series, plan_point("placement=unbound"), 2));
  EXPECT_FALSE(not_applicable(series, plan_point("members=4 placement=unbound"), 4));
  const auto known = not_applicable(series, plan_point("members=4 placement=unbound"), 3);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->code, "N1");
  EXPECT_EQ(known->reason, "4 members that spin on 3 usable CPUs make no progress without preemption");
}

TEST(Plan, SpinningApartAndSleepingTogetherCanBeTried) {
  EXPECT_FALSE(not_applicable(pair(Waiting::spins), plan_point("placement=smt"), 8));
  for (const Waiting waiting : {Waiting::blocks, Waiting::either, Waiting::none})
    EXPECT_FALSE(not_applicable(pair(waiting), plan_point("placement=same-pu"), 1));
}

TEST(Plan, OneMemberSpinsWithNobody) {
  SeriesPlan series = fake_series("alone", {});
  series.measurement.traits.waiting = Waiting::spins;
  EXPECT_FALSE(not_applicable(series, Point{}, 0));
}

TEST(Plan, TheSelectorsLevelDecidesWhichTraitsHold) {
  SeriesPlan series = pair(Waiting::blocks);
  series.measurement.selector = "channel";
  Traits spinning = series.measurement.traits;
  spinning.waiting = Waiting::spins;
  spinning.vehicles = {"thread"};
  series.measurement.selected = {{"flag", spinning}, {"pipe", series.measurement.traits}};
  EXPECT_TRUE(not_applicable(series, plan_point("channel=flag placement=same-pu"), 8));
  EXPECT_FALSE(not_applicable(series, plan_point("channel=pipe placement=same-pu"), 8));
  EXPECT_EQ(not_applicable(series, plan_point("channel=flag vehicle=process"), 8)->outcome, Outcome::unsupported);
  EXPECT_FALSE(not_applicable(series, plan_point("channel=pipe vehicle=process"), 8));
}

TEST(Plan, WhatHasNoMeaningAtALevelIsKnownBeforeMeasuring) {
  SeriesPlan series = pair(Waiting::blocks);
  series.measurement.selector = "channel";
  Traits merging = series.measurement.traits;
  merging.code = "N2";
  merging.why_not = "messages merge";
  series.measurement.selected = {{"flag", merging}, {"pipe", series.measurement.traits}};
  const auto known = not_applicable(series, plan_point("channel=flag"), 8);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->outcome, Outcome::not_applicable);
  EXPECT_EQ(known->code, "N2");
  EXPECT_EQ(known->reason, "messages merge");
  EXPECT_FALSE(not_applicable(series, plan_point("channel=pipe"), 8));
}

TEST(Plan, AVehicleThatItDoesNotHaveIsUnsupported) {
  const auto known = not_applicable(pair(Waiting::spins), plan_point("vehicle=mpi"), 8);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->outcome, Outcome::unsupported);
  EXPECT_EQ(known->code, "");
  EXPECT_EQ(known->reason, "vehicle mpi is not among those it has: thread, process");
}

TEST(Plan, APlacementThatSoManyMembersCannotHaveIsN11) {
  const auto known = not_applicable(pair(Waiting::blocks), plan_point("members=4 placement=smt"), 8);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->code, "N11");
  EXPECT_EQ(known->reason, "placement smt is not available for 4 members");
}

TEST(Plan, CanSpinOnlyWithACpuForEach) {
  const SeriesPlan series = pair(Waiting::blocks);
  EXPECT_TRUE(can_spin(series, plan_point("placement=smt"), 1));
  EXPECT_FALSE(can_spin(series, plan_point("placement=same-pu"), 8));
  EXPECT_FALSE(can_spin(series, Point{}, 1));
}

}  // namespace
}  // namespace assay::test
