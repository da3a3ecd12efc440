// SPDX-License-Identifier: Apache-2.0
// Observations from claims.
#include <gtest/gtest.h>

#include <limits>

#include "team/batch_classifier.hpp"

namespace assay {
namespace {

Description one(Combine combine, int claimant = 0, Per per = Per::event) {
  Description description;
  description.quantities = {{.name = "time", .combine = combine, .claimant = claimant, .per = per}};
  return description;
}

// Ten repetitions, claims 100, 400, 250.
Batch three() {
  Batch batch{Reps{10}, std::vector<MemberReport>(3)};
  batch.members[0].claims = Nanoseconds{100};
  batch.members[1].claims = Nanoseconds{400};
  batch.members[2].claims = Nanoseconds{250};
  return batch;
}

TEST(TeamObserve, CombinesTheMembersAsDeclared) {
  EXPECT_EQ(observe(three(), one(Combine::only), 0, {}), 10.0);
  EXPECT_EQ(observe(three(), one(Combine::only, 2), 0, {}), 25.0);
  EXPECT_EQ(observe(three(), one(Combine::slowest), 0, {}), 40.0);
  EXPECT_EQ(observe(three(), one(Combine::fastest), 0, {}), 10.0);
  EXPECT_EQ(observe(three(), one(Combine::mean), 0, {}), 25.0);
  EXPECT_EQ(observe(three(), one(Combine::sum), 0, {}), 75.0);
}

TEST(TeamObserve, DividesPerEventAndNotPerBatch) {
  Traits traits;
  traits.events_per_rep = 4;
  EXPECT_EQ(observe(three(), one(Combine::only), 0, traits), 2.5);
  EXPECT_EQ(observe(three(), one(Combine::only, 0, Per::batch), 0, traits), 100.0);
}

TEST(TeamObserve, ReadsTheQuantityAskedFor) {
  Description description = one(Combine::only);
  description.quantities.push_back({.name = "other", .combine = Combine::only, .claimant = 1});
  Batch batch = three();
  batch.members[1].claims.set(1, 7);
  EXPECT_EQ(observe(batch, description, 1, {}), 0.7);
  EXPECT_THROW(observe(batch, description, 2, {}), std::out_of_range);
}

TEST(TeamObserve, AMissingClaimThatCountsLeavesNothing) {
  Batch batch = three();
  batch.members[1].claims = {};
  EXPECT_EQ(observe(batch, one(Combine::only), 0, {}), 10.0);  // member 1 does not count
  EXPECT_EQ(observe(batch, one(Combine::only, 1), 0, {}), std::nullopt);
  EXPECT_EQ(observe(batch, one(Combine::only, 3), 0, {}), std::nullopt);
  for (const Combine combine : {Combine::slowest, Combine::fastest, Combine::mean, Combine::sum})
    EXPECT_EQ(observe(batch, one(combine), 0, {}), std::nullopt);
}

TEST(TeamObserve, WhatIsNotFiniteIsNothing) {
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const Combine combine : {Combine::only, Combine::slowest, Combine::fastest, Combine::mean, Combine::sum}) {
      Batch batch = three();
      batch.members[0].claims.set(0, odd);
      EXPECT_EQ(observe(batch, one(combine), 0, {}), std::nullopt);
    }
  Batch none = three();
  none.reps = Reps{0};
  EXPECT_EQ(observe(none, one(Combine::only), 0, {}), std::nullopt);
}

}  // namespace
}  // namespace assay
