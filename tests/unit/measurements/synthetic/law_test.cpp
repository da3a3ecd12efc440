// SPDX-License-Identifier: Apache-2.0
// The synthetic laws have the median they claim.
#include "synthetic/law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/measurements/point_setup.hpp"

namespace assay {
namespace {

double median_of(const std::string& law, const Point& point, int draws) {
  test::PointSetup setup(point, 1);
  LawDraws measurement(setup, law);
  std::atomic<std::int64_t> beats{0};
  Member member(0, 1, Stopwatch(), beats);
  std::vector<double> values;
  for (int i = 0; i < draws; ++i) values.push_back(measurement.run(member, Reps{3})[0] / 3);
  std::nth_element(values.begin(), values.begin() + draws / 2, values.end());
  return values[static_cast<std::size_t>(draws / 2)];
}

Point law_point(double median, double spread) {
  Point point;
  point.set("median", median);
  point.set("spread", spread);
  point.set("between", 0.0);
  return point;
}

TEST(Law, MediansAreTheOnesAskedFor) {
  EXPECT_EQ(median_of("constant", law_point(1000, 0.05), 10), 1000);
  EXPECT_NEAR(median_of("normal", law_point(1000, 0.05), 20001), 1000, 2);
  EXPECT_NEAR(median_of("heavy_tail", law_point(1000, 0.05), 20001), 1000, 6);
  EXPECT_NEAR(median_of("bimodal", law_point(1000, 0.02), 20001), 1000, 2);
}

TEST(Law, DriftGrowsByATenthPerThousandBatches) { EXPECT_NEAR(median_of("drift", law_point(1000, 0), 1000), 1050, 1); }

TEST(Law, StepIsATenthSlowerInTheFirstFortyBatches) {
  EXPECT_NEAR(median_of("step", law_point(1000, 0), 39), 1100, 0.001);
  EXPECT_NEAR(median_of("step", law_point(1000, 0), 400), 1000, 0.001);
}

TEST(Law, ImpossibleParametersAreUnsupported) {
  test::PointSetup no_median(law_point(0, 0.05), 1);
  EXPECT_THROW(LawDraws(no_median, "normal"), Unsupported);
  test::PointSetup negative_spread(law_point(1000, -0.1), 1);
  EXPECT_THROW(LawDraws(negative_spread, "normal"), Unsupported);
}

}  // namespace
}  // namespace assay
