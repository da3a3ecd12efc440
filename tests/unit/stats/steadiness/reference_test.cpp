// SPDX-License-Identifier: Apache-2.0
// Reference round trips of CPUs that stay, that move, and that have other work.
#include "stats/steadiness/reference.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace assay {
namespace {

// So many visits about each centre in turn.
std::vector<double> trips(const std::vector<double>& centres, int each, double noise = 0.03) {
  Rng rng(5);
  std::vector<double> values;
  for (const double centre : centres)
    for (int i = 0; i < each; ++i) values.push_back(centre * (1 + noise * rng.normal()));
  return values;
}

TEST(ReferenceTrips, OfCpusThatStayHaveNotMoved) {
  for (const int visits : {1, 5, 20, 80}) {
    const ReferenceTrips found = summarize_reference(trips({95}, visits));
    EXPECT_EQ(found.visits, static_cast<std::size_t>(visits));
    EXPECT_FALSE(found.moved) << visits;
    EXPECT_NEAR(found.median, 95, 10);
  }
}

TEST(ReferenceTrips, OfTwoDistancesAreTwoModes) {
  const ReferenceTrips found = summarize_reference(trips({62, 367, 62}, 16));
  EXPECT_TRUE(found.moved);
  EXPECT_NEAR(found.low, 62, 3);
  EXPECT_NEAR(found.high, 367, 15);
}

// Too few for a test of modes, too far apart for one place.
TEST(ReferenceTrips, OfFewVisitsMoveByAFactor) {
  EXPECT_TRUE(summarize_reference(trips({95, 367}, 5)).moved);
  EXPECT_FALSE(summarize_reference(trips({95, 130}, 5)).moved);
  EXPECT_FALSE(summarize_reference({95, 95, 367, 367}).moved);
}

TEST(ReferenceTrips, OfAMoveThatFewVisitsSawAreNotMoved) {
  std::vector<double> values = trips({95}, 40);
  values[7] = 400;
  values[31] = 420;
  EXPECT_FALSE(summarize_reference(values).moved);
}

// Half of the visits found the partner without its CPU: that is no distance.
TEST(ReferenceTrips, OfAPartnerThatDidNotRunAreLeftOut) {
  const ReferenceTrips found = summarize_reference(trips({95, 20000}, 20));
  EXPECT_EQ(found.visits, 20U);
  EXPECT_FALSE(found.moved);
  EXPECT_EQ(summarize_reference({20000, 30000}).visits, 0U);
  EXPECT_EQ(summarize_reference({4700, 5300, 95}).visits, 1U) << "two turns on one CPU";
  EXPECT_EQ(summarize_reference({}).visits, 0U);
}

TEST(ReferenceTrips, OfSmallShiftsWithinOneDistanceHaveNotMoved) {
  EXPECT_FALSE(summarize_reference(trips({95, 105}, 30, 0.005)).moved);
}

}  // namespace
}  // namespace assay
