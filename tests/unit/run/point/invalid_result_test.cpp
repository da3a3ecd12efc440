// SPDX-License-Identifier: Apache-2.0
// Claims that are no results, whatever the machine did, and those that a machine may cause.
#include "run/point/invalid_result.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A visit of one member: the totals claimed of quantity 0 in each batch, of which the first is discarded.
VisitYield visit_of(const std::vector<double>& totals) {
  VisitYield yield;
  yield.discarded = 1;
  for (const double total : totals) {
    Batch batch{Reps{10}, std::vector<MemberReport>(1)};
    batch.members[0].claims.set(0, total);
    yield.batches.push_back(batch);
  }
  return yield;
}

Description of_unit(Unit unit, bool is_signed = false) {
  Description description{.name = "x/y"};
  description.quantities[0].unit = unit;
  description.quantities[0].is_signed = is_signed;
  return description;
}

TEST(InvalidResult, GoodClaimsAreNone) {
  EXPECT_EQ(invalid_result(visit_of({1, 2, 3}), of_unit(Unit::nanoseconds)), "");
  EXPECT_EQ(invalid_result(visit_of({0, 0, 0}), of_unit(Unit::nanoseconds)), "");
  EXPECT_EQ(invalid_result(VisitYield{}, of_unit(Unit::nanoseconds)), "");
}

TEST(InvalidResult, OneClaimThatIsNotFiniteIsEnough) {
  EXPECT_EQ(invalid_result(visit_of({1, nan, 3}), of_unit(Unit::nanoseconds)),
            "member 0 claimed nan ns of 'time' for 10 repetitions");
  EXPECT_NE(invalid_result(visit_of({1, 2e18, 3}), of_unit(Unit::nanoseconds)), "");
  EXPECT_EQ(invalid_result(visit_of({1, 2e18, 3}), of_unit(Unit::count)), "");
  EXPECT_EQ(invalid_result(visit_of({1, 2, std::numeric_limits<double>::infinity()}), of_unit(Unit::nanoseconds)),
            "member 0 claimed infinity ns of 'time' for 10 repetitions");
}

TEST(InvalidResult, NegativeTimesAreTheClocksDoingUntilAllAre) {
  EXPECT_EQ(invalid_result(visit_of({1, -9e6, 3}), of_unit(Unit::nanoseconds)), "");
  EXPECT_EQ(invalid_result(visit_of({1, -10, -10}), of_unit(Unit::nanoseconds)), "") << "corrections overshoot";
  EXPECT_EQ(invalid_result(visit_of({1, -2500, -2400}), of_unit(Unit::nanoseconds)),
            "member 0 claimed -2500 ns of 'time' for 10 repetitions");
  EXPECT_EQ(invalid_result(visit_of({1, -1, -1}), of_unit(Unit::count)),
            "member 0 claimed -1 1 of 'time' for 10 repetitions");
}

TEST(InvalidResult, WhatHasASignMayBeNegative) {
  EXPECT_EQ(invalid_result(visit_of({1, -9e6, -8e6}), of_unit(Unit::nanoseconds, true)), "");
}

TEST(InvalidResult, QuantitiesThatAreNotDeclaredAreRefused) {
  VisitYield yield = visit_of({1, 2});
  yield.batches[1].members[0].claims.set(3, 1.0);
  EXPECT_EQ(invalid_result(yield, of_unit(Unit::nanoseconds)), "member 0 claimed quantity 4 of 1");
}

TEST(InvalidResult, OnlyTheClaimantCounts) {
  VisitYield yield = visit_of({-5e6, -5e6});
  Description description = of_unit(Unit::nanoseconds);
  description.quantities[0].claimant = 1;
  EXPECT_EQ(invalid_result(yield, description), "");
}

}  // namespace
}  // namespace assay
