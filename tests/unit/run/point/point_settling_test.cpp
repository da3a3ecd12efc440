// SPDX-License-Identifier: Apache-2.0
// What a point learns of the start of its visits, and what it leaves out.
#include "run/point/open_point.hpp"

#include <gtest/gtest.h>

#include "support/campaigns/fed_point.hpp"

namespace assay::test {
namespace {

SeriesPlan settling_series() { return fake_series("one", {}); }

/// Visits whose first batches are slower; the last of all of them is not.
void slow_starts(Fed& fed, int visits, int slow) {
  for (int v = 0; v < visits; ++v) {
    const VisitOrder order = fed.point.next_order();
    std::vector<Batch> batches;
    for (int i = 0; i < order.discard + order.batches; ++i) batches.push_back(fed.batch(i < slow ? 11 : 10));
    fed.visit(batches, order.discard);
  }
}

TEST(PointSettling, LearnsHowManyBatchesAVisitNeedsToSettle) {
  Fed fed(settling_series());
  EXPECT_EQ(fed.point.next_order().discard, 1);
  slow_starts(fed, 10, 4);
  EXPECT_EQ(fed.point.next_order().discard, 4);
  EXPECT_EQ(fed.point.next_order().batches, 8);
}

TEST(PointSettling, WhatEarlierVisitsKeptOfAStartIsInNoResult) {
  Fed fed(settling_series());
  slow_starts(fed, 10, 4);
  const PointRecord point = fed.point.finish(Outcome::max_time, "enough");
  EXPECT_EQ(point.settled, 4);
  EXPECT_DOUBLE_EQ(point.results.at(0).summary.max, 10);
  EXPECT_EQ(point.results.at(0).visits, 10);
}

TEST(PointSettling, TheStartIsWhatIsAskedForWithoutAWarmUp) {
  SeriesPlan series = settling_series();
  series.precision.warm_up = {};
  Fed fed(series);
  slow_starts(fed, 10, 4);
  EXPECT_EQ(fed.point.next_order().discard, 1);
  EXPECT_EQ(fed.point.finish(Outcome::max_time, "enough").settled, 0);
}

TEST(PointSettling, LongBatchesAreNotSpentOnSettling) {
  Fed fed(settling_series());
  fed.tune(200, 2e4);
  EXPECT_EQ(fed.point.next_order().discard, 0)
      << "the first of 4 ms is as good as the others, until it is seen not to be";
  slow_starts(fed, 10, 3);
  EXPECT_EQ(fed.point.next_order().discard, 2) << "batches of 4 ms: two are all that 10 ms have room for";
}

TEST(PointSettling, OfLongActionsTheFirstOfAProcessIsLeftOut) {
  Fed fed(fake_team("pair", 2, Waiting::blocks));
  fed.tune(1, 2e7);
  std::vector<int> discards;
  for (int visit = 0; visit < 4; ++visit) {
    discards.push_back(fed.point.next_order().discard);
    fed.visit({fed.batch(2e7), fed.batch(2e7)}, 1);
  }
  EXPECT_EQ(discards, (std::vector<int>{1, 1, 0, 0})) << "two processes";
}

TEST(PointSettling, RestoredVisitsSettleAsTheyDidWhenTheyWereMade) {
  Fed fed(settling_series());
  Fed again(settling_series());
  for (int v = 0; v < 10; ++v) {
    VisitRecord visit;
    visit.visit = v;
    visit.discarded = 1;
    std::vector<Batch> batches;
    for (int i = 0; i < 9; ++i) batches.push_back(fed.batch(i < 4 ? 11 : 10));
    visit.batches = fed.visit(batches, 1);
    again.point.restore(visit, {1});
  }
  EXPECT_EQ(again.point.next_order().discard, fed.point.next_order().discard);
  EXPECT_EQ(again.point.finish(Outcome::max_time, "enough").settled, 4);
}

}  // namespace
}  // namespace assay::test
