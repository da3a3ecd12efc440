// SPDX-License-Identifier: Apache-2.0
// Levels of distances that hardly differ, of readings with known truth.
#include "stats/core/near_distances.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/rng.hpp"

namespace assay::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

/// Readings around a distance, their logarithms spread by 1.3 %.
void add_readings(NearDistances& to, double distance, int readings, Rng& rng, double spread = 0.013) {
  for (int i = 0; i < readings; ++i) to.add(distance * std::exp(spread * rng.normal()));
}

// The cores of one cache, as they were found.
TEST(NearDistances, AreToldApartWhereTheyDifferByEightPerCent) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Rng rng(seed);
    NearDistances distances;
    for (int i = 0; i < 20; ++i) {
      add_readings(distances, 118, 4, rng);
      add_readings(distances, 128, 30, rng);
      add_readings(distances, 138.5, 10, rng);
    }
    EXPECT_THAT(distances.levels(), ElementsAre(DoubleNear(118, 1), DoubleNear(128, 1), DoubleNear(138.5, 1.5)))
        << seed;
  }
}

TEST(NearDistances, OneIsOneHoweverWideAndWithDelays) {
  for (const double spread : {0.01, 0.02, 0.04})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Rng rng(seed);
      NearDistances distances;
      for (int i = 0; i < 60; ++i) {
        add_readings(distances, 128, 10, rng, spread);
        distances.add(128 * std::exp(0.3 * rng.uniform()));
      }
      EXPECT_EQ(distances.levels().size(), 1U) << spread << ' ' << seed;
    }
}

TEST(NearDistances, ChanceMakesNone) {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    NearDistances distances;
    add_readings(distances, 128, 80, rng, 0.08);
    several += distances.levels().size() > 1 ? 1 : 0;
  }
  EXPECT_LE(several, 6) << "of 200 that are spread widely";
}

TEST(NearDistances, FewReadingsSayNothing) {
  NearDistances distances;
  for (int i = 0; i < 59; ++i) distances.add(i % 2 == 0 ? 118 : 128);
  EXPECT_THAT(distances.levels(), IsEmpty());
  EXPECT_EQ(distances.version(), 0);
  distances.add(118);
  EXPECT_THAT(distances.levels(), ElementsAre(118, 128));
  EXPECT_EQ(distances.version(), 1);
}

TEST(NearDistances, WhatIsRareIsNone) {
  NearDistances distances;
  for (int i = 0; i < 1000; ++i) distances.add(i % 25 == 0 ? 118 : 128);
  EXPECT_THAT(distances.levels(), ElementsAre(128)) << "one in twenty-five";
}

TEST(NearDistances, WhatIsNoDistanceIsPassedOver) {
  NearDistances distances;
  for (int i = 0; i < 100; ++i)
    for (const double none : {0.0, -3.0, std::nan(""), std::numeric_limits<double>::infinity()}) distances.add(none);
  EXPECT_THAT(distances.levels(), IsEmpty());
}

TEST(NearDistances, EarlierOnesHoldUntilOwnReadingsShowAsManyOrAreMany) {
  NearDistances distances;
  distances.confirm({118, 128});
  EXPECT_THAT(distances.levels(), ElementsAre(118, 128));
  for (int i = 0; i < 400; ++i) distances.add(138);
  EXPECT_THAT(distances.levels(), ElementsAre(118, 128));
  for (int i = 0; i < 400; ++i) distances.add(138);
  EXPECT_THAT(distances.levels(), ElementsAre(138));
  NearDistances others;
  others.confirm({118, 128});
  for (int i = 0; i < 100; ++i) others.add(i % 2 == 0 ? 121 : 138);
  EXPECT_THAT(others.levels(), ElementsAre(121, 138));
}

TEST(NearDistances, ADistanceIsAtTheNearestWithinTwoPerCent) {
  const std::vector<double> levels{118, 128};
  EXPECT_EQ(near_level(levels, 120), 118);
  EXPECT_EQ(near_level(levels, 130), 128);
  EXPECT_EQ(near_level(levels, 121), 0);
  EXPECT_EQ(near_level(levels, 131), 0);
  EXPECT_EQ(near_level(levels, 0), 0);
  EXPECT_EQ(near_level({}, 118), 0);
}

}  // namespace
}  // namespace assay::test
