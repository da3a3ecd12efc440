// SPDX-License-Identifier: Apache-2.0
// Levels of distances among readings that neighbours delayed.
#include "stats/core/distance_levels.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

auto level_near(double middle) { return Field(&DistanceLevel::middle, DoubleNear(middle, 0.03 * middle)); }

/// So many readings around a distance, their logarithms spread by `spread`.
void add_readings(std::vector<double>& to, double distance, double spread, int readings, Rng& rng) {
  for (int i = 0; i < readings; ++i) to.push_back(distance * std::exp(spread * rng.normal()));
}

TEST(DistanceLevels, AreWhereDistancesAreDensest) {
  EXPECT_THAT(distance_levels(std::vector<double>{100, 490, 104, 102, 500, 495, 0}),
              ElementsAre(AllOf(Field(&DistanceLevel::middle, 102), Field(&DistanceLevel::visits, 3)),
                          AllOf(Field(&DistanceLevel::middle, 495), Field(&DistanceLevel::visits, 3))));
  EXPECT_THAT(distance_levels({}), IsEmpty());
  EXPECT_THAT(distance_levels(std::vector{52.345}), ElementsAre(Field(&DistanceLevel::middle, DoubleNear(52.3, 1e-9))));
}

TEST(DistanceLevels, WithNoGapBetweenAreOne) {
  EXPECT_THAT(distance_levels(std::vector<double>{100, 120, 140, 160}), ElementsAre(level_near(140)));
}

// What neighbours delay lies anywhere between: with enough visits no gap is left.
TEST(DistanceLevels, AreNotJoinedByWhatLiesBetweenThem) {
  for (const int visits : {400, 4000, 40000}) {
    Rng rng(7);
    std::vector<double> distances;
    add_readings(distances, 49, 0.02, visits / 20, rng);
    add_readings(distances, 128, 0.06, visits, rng);
    add_readings(distances, 585, 0.06, visits / 15, rng);
    for (int i = 0; i < visits / 50; ++i) distances.push_back(45 * std::exp(4.2 * rng.uniform()));
    EXPECT_THAT(distance_levels(distances), ElementsAre(level_near(49), level_near(128), level_near(585))) << visits;
  }
}

TEST(DistanceLevels, OneIsOneHoweverWide) {
  for (int seed = 1; seed <= 200; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    std::vector<double> distances;
    add_readings(distances, 130, 0.1, 1000, rng);
    EXPECT_THAT(distance_levels(distances), ElementsAre(level_near(130))) << seed;
  }
}

TEST(DistanceLevels, FewDelaysAlikeAreNone) {
  Rng rng(3);
  std::vector<double> distances{1100, 1120, 1150};
  add_readings(distances, 128, 0.05, 200, rng);
  EXPECT_THAT(distance_levels(distances), ElementsAre(level_near(128))) << "under 3 %";
  distances.resize(30);
  EXPECT_THAT(distance_levels(distances), ElementsAre(level_near(128), level_near(1120)));
  distances.erase(distances.begin());
  EXPECT_THAT(distance_levels(distances), ElementsAre(level_near(128))) << "two visits";
}

TEST(DistanceLevels, ADistanceIsAtTheNearestByRatioIfAtAny) {
  const std::vector<DistanceLevel> levels{{100, 5}, {140, 5}, {400, 5}};
  EXPECT_EQ(level_at(levels, 117), 100);
  EXPECT_EQ(level_at(levels, 120), 140);
  EXPECT_EQ(level_at(levels, 81), 100);
  EXPECT_EQ(level_at(levels, 79), 0);
  EXPECT_EQ(level_at(levels, 176), 0);
  EXPECT_EQ(level_at(levels, 0), 0);
  EXPECT_EQ(level_at({}, 100), 0);
}

}  // namespace
}  // namespace assay::test
