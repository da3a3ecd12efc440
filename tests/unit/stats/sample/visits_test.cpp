// SPDX-License-Identifier: Apache-2.0
// Tests: the length of visits.
#include "stats/sample/visits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

/// Visits of eight normal values around a normal centre of their own.
Sample visits(int count, double within, double between) {
  Rng rng(5);
  Sample sample;
  for (int visit = 0; visit < count; ++visit) {
    const double centre = 100 + between * rng.normal();
    for (int i = 0; i < 8; ++i) sample.add({centre + within * rng.normal(), 0, 0, visit});
  }
  return sample;
}

TEST(VisitLength, IsEightWhileLittleIsKnown) {
  EXPECT_EQ(visit_length(visits(4, 1, 1), 100), 8);
  EXPECT_EQ(visit_length(Sample{}, 100), 8);
}

TEST(VisitLength, GrowsWithTheRootOfACostlyVisit) {
  const Sample sample = visits(2000, 1, 1);
  // For normal values of equal variances within and between, a third of the indicators' variance lies between.
  EXPECT_NEAR(visit_length(sample, 50), std::sqrt(50 * 2.0), 1);
  EXPECT_NEAR(visit_length(sample, 200), std::sqrt(200 * 2.0), 1);
}

TEST(VisitLength, StaysBetweenFourAndThirtyTwo) {
  EXPECT_EQ(visit_length(visits(200, 1, 10), 1), 4);
  EXPECT_EQ(visit_length(visits(200, 1, 0), 250), 32);
  EXPECT_EQ(visit_length(visits(200, 1, 1), 256, 0.01), 32);
}

TEST(VisitLength, IsUpToFourTimesAsLongWhereAVisitCostsMoreThanMany) {
  EXPECT_EQ(visit_length(visits(200, 1, 0), 1000), 128);
  EXPECT_EQ(visit_length(visits(200, 1, 1), 1e12), 128);
  EXPECT_EQ(visit_length(Sample{}, 300), 128) << "a few more cost little, and show whether more are worth it";
}

TEST(VisitLength, CountsWhatIsInTheSampleOnly) {
  const Sample sample = visits(2000, 1, 1);
  EXPECT_NEAR(visit_length(sample, 50, 0.5), std::sqrt(50 * 2.0) / 0.5, 2);
}

TEST(VisitLength, IsEightWhereVisitsHoldOneObservation) {
  Sample sample;
  for (int visit = 0; visit < 50; ++visit) sample.add({1.0 + visit, 0, 0, visit});
  EXPECT_EQ(visit_length(sample, 100), 8);
}

}  // namespace
}  // namespace assay
