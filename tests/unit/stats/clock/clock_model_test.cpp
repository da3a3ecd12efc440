// SPDX-License-Identifier: Apache-2.0
// Models of clocks: conversion to the nanosecond, models over models, fits on clocks of known offset and drift.
#include "stats/clock/clock_model.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "stats/clock/clock_fit.hpp"
#include "support/machines/clock_pair.hpp"

namespace assay {
namespace {

using test::ClockPair;
using testing::HasSubstr;

constexpr std::int64_t second = 1'000'000'000;

TEST(ClockModel, LosesNoNanosecondAtReadingsOfYears) {
  ClockModel model;
  model.local_base = {1'700'000'000'123'456'789};
  model.reference_base = {1'000'000'000'007};
  model.drift = 0x1p-14;  // 61 ppm, and exact
  const std::int64_t since = std::int64_t{1} << 40U;
  const Instant local{model.local_base.ns + since};
  EXPECT_EQ(model.to_reference(local).ns, model.reference_base.ns + since + (since >> 14U));
  EXPECT_EQ(model.to_local(model.to_reference(local)), local);
  EXPECT_EQ(model.to_reference({local.ns + 1}).ns, model.to_reference(local).ns + 1);
}

TEST(ClockModel, JoinedModelsConvertAsOneAfterTheOther) {
  ClockPair near;
  near.local_origin = 1'700'000'000 * second;
  near.rate = 80e-6;
  near.jitter = 200;
  ClockPair far;
  far.reference_origin = -1000 * second;
  far.rate = -30e-6;
  far.jitter = 200;
  const ClockModel first = fitted_clock(near.points(0, second, 10));
  const ClockModel second_model = fitted_clock(far.points(0, second, 10));
  const ClockModel both = joined(first, second_model);
  for (const std::int64_t time : {0 * second, 5 * second, 100 * second}) {
    const Instant local = near.local(time);
    EXPECT_NEAR(
        static_cast<double>(both.to_reference(local).ns - second_model.to_reference(first.to_reference(local)).ns), 0,
        1);
    EXPECT_GE(both.bound_at(local), first.bound_at(local) + second_model.bound);
  }
  // HCA2 writes a drift as a slope s that is taken off: s = s1 + s2 - s1 s2.
  const double s1 = -first.drift;
  const double s2 = -second_model.drift;
  EXPECT_DOUBLE_EQ(-both.drift, s1 + s2 - s1 * s2);
}

TEST(ClockModel, OneClockIsConvertedToItself) {
  const ClockModel model = identity_model({5}, {9}, {40});
  EXPECT_EQ(model.to_reference({123456789}), Instant{123456789});
  EXPECT_EQ(model.to_local({123456789}), Instant{123456789});
  EXPECT_EQ(model.bound_at({1'000'000}).count, 40);
}

TEST(ClockModel, BoundsOfAClockLearnedFromALearnedOneAddUp) {
  ClockModel far;
  far.to = {1000};
  far.bound = {10};
  far.drift_bound = 0.01;
  ClockModel near;
  near.from = near.to = {2000};
  near.bound = {5};
  near.drift_bound = 0.02;
  const ClockModel model = joined(near, far);
  EXPECT_DOUBLE_EQ(model.bound.count, 5 + 10 + 0.01 * 1000 + 0.5);
  EXPECT_DOUBLE_EQ(model.drift_bound, 0.03);
  EXPECT_DOUBLE_EQ(model.keeps_for().count, 25.5 / 0.03);
  EXPECT_GT(identity_model({5}, {9}, {40}).keeps_for(), seconds(1e8));
}

TEST(ClockModel, IsNoOlderThanTheClockThatItWasLearnedFrom) {
  ClockModel far;
  far.from = far.to = {1000};
  far.drift_bound = 0.01;
  ClockModel near;
  near.from = {-5000};
  near.to = {1000};
  EXPECT_EQ(joined(near, far).from, Instant{1000});
  EXPECT_EQ(joined(near, far).bound.count, 0.5);
  EXPECT_EQ(joined(near, identity_model({1000}, {1000}, {})).from, Instant{-5000}) << "the reference always was";
}

TEST(FittedClock, FindsAThousandSecondsWithinTheBound) {
  ClockPair clocks;
  clocks.local_origin = 1'000 * second;
  clocks.jitter = 300;
  const ClockModel model = fitted_clock(clocks.points(0, second / 100, 10));
  EXPECT_LE(clocks.error(model, second / 20), model.bound);
  EXPECT_LT(model.bound, microseconds(1.6)) << "half a round trip of 2 us, and some jitter";
  EXPECT_GE(model.round_trip, microseconds(2));
}

TEST(FittedClock, FindsFiftyMillionthsOverTenSeconds) {
  ClockPair clocks;
  clocks.rate = -50e-6;
  clocks.jitter = 300;
  const ClockModel model = fitted_clock(clocks.points(0, second, 11));
  const double drift = 1 / (1 - 50e-6) - 1;
  EXPECT_NEAR(model.drift, drift, model.drift_bound);
  EXPECT_NEAR(model.drift, drift, 0.05e-6) << "half a microsecond over ten seconds";
  EXPECT_LE(clocks.error(model, 5 * second), model.bound);
}

TEST(FittedClock, OneWayDelaysShowInTheBound) {
  ClockPair clocks;
  clocks.there = 9000;
  const ClockModel model = fitted_clock(clocks.points(0, second, 5));
  EXPECT_NEAR(clocks.error(model, second).count, 4000, 2) << "half the difference of the directions cannot be seen";
  EXPECT_NEAR(model.bound.count, 5000, 4);
}

TEST(FittedClock, SpikesOfCongestionDoNotMoveIt) {
  ClockPair calm;
  calm.rate = 20e-6;
  ClockPair congested = calm;
  congested.spike = 50'000;
  congested.spike_chance = 0.5;
  std::vector<FitPoint> points = congested.points(0, second, 10);
  congested.spike_chance = 1;  // two times at which no exchange came through undisturbed
  points[3] = congested.point(3 * second);
  points[8] = congested.point(8 * second);
  const ClockModel model = fitted_clock(points);
  const ClockModel undisturbed = fitted_clock(calm.points(0, second, 10));
  EXPECT_NEAR(model.bound.count, undisturbed.bound.count, 3);
  for (const std::int64_t time : {0 * second, 9 * second})
    EXPECT_NEAR(
        static_cast<double>((model.to_reference(calm.local(time)) - undisturbed.to_reference(calm.local(time))).count),
        0, 3);
}

TEST(FittedClock, RefusesWhatTellsNoDrift) {
  ClockPair clocks;
  EXPECT_THROW(fitted_clock({}), std::invalid_argument);
  EXPECT_THROW(fitted_clock(clocks.points(0, 0, 1)), std::invalid_argument);
  EXPECT_THROW(fitted_clock(clocks.points(0, 0, 2)), std::invalid_argument);
  EXPECT_THROW(fit_point({}), std::invalid_argument);
  const Stamps backward{{5}, {7}, {4}};
  EXPECT_THROW(fit_point({&backward, 1}), std::invalid_argument);
}

TEST(ClockAgreement, AcceptsClocksThatKeptTheirRates) {
  ClockPair clocks;
  clocks.rate = 10e-6;
  clocks.jitter = 100;
  const ClockModel model = fitted_clock(clocks.points(0, second, 10));
  const ClockAgreement agreement = agrees(model, clocks.point(20 * second));
  EXPECT_TRUE(agreement.accepted) << refusal(agreement);
  EXPECT_EQ(refusal(agreement), "");
  for (std::int64_t time = 9 * second; time < 20 * second; time += second / 3)
    EXPECT_LE(clocks.error(model, time), agreement.bound);
}

TEST(ClockAgreement, WhatIsOpenOfTheDriftIsExplainedHoweverFarOff) {
  ClockPair clocks;
  clocks.there = clocks.back = 30'000;
  clocks.jitter = 10'000;
  const ClockModel model = fitted_clock(clocks.points(0, second / 100, 10));
  EXPECT_LT(model.bound, microseconds(60));
  EXPECT_GT(model.bound_at(clocks.local(5 * second)), milliseconds(1)) << "a tenth of a second tells little of drift";
  const ClockAgreement agreement = agrees(model, clocks.point(5 * second));
  EXPECT_TRUE(agreement.accepted) << refusal(agreement);
  EXPECT_GE(agreement.bound, clocks.error(model, 5 * second));
}

TEST(ClockHistory, KnowsADriftTheBetterTheLongerItWasSeen) {
  ClockPair clocks;
  clocks.rate = 30e-6;
  ClockHistory history;
  for (const FitPoint& point : clocks.points(0, second / 10, 5)) history.add(point);
  const double before = history.model().drift_bound;
  history.add(clocks.point(20 * second));
  EXPECT_LT(history.model().drift_bound, before / 20);
  EXPECT_EQ(history.points().size(), 6U);
}

TEST(ClockHistory, ForgetsWhatWasBeforeAClockChangedItsRate) {
  ClockPair clocks;
  ClockHistory history;
  for (const FitPoint& point : clocks.points(0, second / 10, 8)) history.add(point);
  clocks.rate = 5e-6;
  clocks.local_origin = -5'000;  // it goes faster from the first second on
  for (const FitPoint& point : clocks.points(second, second / 10, 20)) history.add(point);
  EXPECT_LT(history.points().size(), 25U);
  EXPECT_GT(history.points().size(), 15U);
  EXPECT_NEAR(history.model().drift, -5e-6, history.model().drift_bound);
  EXPECT_LE(clocks.error(history.model(), 3 * second), history.model().bound);
}

TEST(ClockHistory, KeepsAHundredSecondsAndFewPoints) {
  ClockPair clocks;
  ClockHistory history;
  for (const FitPoint& point : clocks.points(0, second / 4, 1000)) history.add(point);
  EXPECT_LE(history.points().size(), 64U);
  EXPECT_GE(history.points().size(), 30U);
  EXPECT_NEAR((history.model().to - history.model().from).count / 1e9, 85, 16);
  const auto last = history.points().back();
  EXPECT_THROW(history.add(last), std::invalid_argument);
  history.restart(last);
  EXPECT_FALSE(history.tells_drift());
  EXPECT_THROW(history.model(), std::invalid_argument);
}

TEST(FittedClock, LeavesRoomForWhatRatesWander) {
  // Points that leave hardly a line: no bound is below half of the sharpest of them.
  std::vector<FitPoint> points;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = i * second;
    const std::int64_t moved = i == 1 ? 998 : 0;
    points.push_back({{{at}, {at + 1000 + moved}}, {{at + 10}, {at - 990 + moved}}, Nanoseconds{2000}});
  }
  const ClockModel model = fitted_clock(points);
  EXPECT_GE(model.bound, Nanoseconds{1000});
  EXPECT_GE(model.drift_bound, 1e-7);
}

TEST(ClockAgreement, RefusesAClockThatWasSetOrChangedItsRate) {
  ClockPair clocks;
  const ClockModel model = fitted_clock(clocks.points(0, second, 10));
  ClockPair set = clocks;
  set.local_origin = 12'000;
  const ClockAgreement parted = agrees(model, set.point(20 * second));
  EXPECT_FALSE(parted.accepted);
  EXPECT_NEAR(parted.miss.count, 12'000, 2);
  EXPECT_THAT(refusal(parted), HasSubstr("was 12 us off, where its bound and the comparison explain 4.45 us"));
  ClockPair warm = clocks;
  warm.rate = 3e-6;
  EXPECT_FALSE(agrees(model, warm.point(20 * second)).accepted);
}

}  // namespace
}  // namespace assay
