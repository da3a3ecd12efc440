// SPDX-License-Identifier: Apache-2.0
// What is believed of how times go with the distance.
#include "stats/core/distance_law.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace assay::test {
namespace {

using testing::DoubleNear;
using testing::Optional;

constexpr double distance = 128;  // ns

/// Visits that are `off` further than named on the whole, every third at a clock that is 3 % lower.
std::vector<PlaneDot> visits(int count, double noise, double off = 0, double clock_power = 0.3) {
  Rng rng(5);
  std::vector<PlaneDot> made;
  for (int i = 0; i < count; ++i) {
    const double further = off + 0.05 * rng.normal();
    const double slower = i % 3 == 0 ? 0.03 : 0;
    made.push_back({further, slower, std::log(80) + 0.6 * further + clock_power * slower + noise * rng.normal()});
  }
  return made;
}

TEST(DistanceLawOfVisits, HasBothPowers) {
  const DistanceLaw law = distance_law(visits(60, 0.002), distance);
  EXPECT_NEAR(law.distance_power, 0.6, 0.03);
  EXPECT_THAT(law.clock_power, Optional(DoubleNear(0.3, 0.1)));
}

// What is not known of a power is as good as nothing where the visits are where they are named, and not elsewhere.
TEST(DistanceLawOfVisits, IsNoneWhereWhatIsNotKnownOfItWouldMatter) {
  EXPECT_TRUE(distance_law(visits(40, 0.03, 0), distance));
  EXPECT_FALSE(distance_law(visits(40, 0.03, 0.15), distance));
  EXPECT_TRUE(distance_law(visits(40, 0.002, 0.15), distance));
}

TEST(DistanceLawOfVisits, SaysByHowMuchWhatIsNotKnownOfItMoves) {
  const double near = distance_law(visits(60, 0.01, 0), distance).unknown;
  const double off = distance_law(visits(60, 0.01, 0.1), distance).unknown;
  EXPECT_LT(near, 0.002);
  EXPECT_NEAR(off, 0.1 * 2 * 0.027, 0.003) << "errors of 0.027: 1 % over 5 and the root of 60";
}

TEST(DistanceLawOfVisits, SaysNothingOfAClockThatNeverDiffered) {
  std::vector<PlaneDot> same = visits(60, 0.002);
  for (PlaneDot& visit : same) visit.second = 0;
  EXPECT_EQ(distance_law(same, distance).clock_power, std::nullopt);
}

TEST(DistanceLawOfVisits, TakesAtMostAsMuchLongerAsTheClock) {
  EXPECT_THAT(distance_law(visits(60, 0.002, 0, 1.6), distance).clock_power, Optional(1.0));
  EXPECT_THAT(distance_law(visits(60, 0.002, 0, -0.5), distance).clock_power, Optional(0.0));
}

}  // namespace
}  // namespace assay::test
