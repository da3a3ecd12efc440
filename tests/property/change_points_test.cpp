// SPDX-License-Identifier: Apache-2.0
// Over many series: changes that are not there are seldom told, and those that are there are mostly found.
#include "stats/comparison/change_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr int trials = 1000;

// A campaign's value: the level, what campaigns differ by, and what its interval states.
KnownValue draw(Rng& rng, double level, double between, double within) {
  const double value = level * std::exp(between * rng.normal() + within * rng.normal());
  return {value, {value * std::exp(-1.96 * within), value * std::exp(1.96 * within), 0.95}};
}

// Heavy-tailed differences between campaigns, and intervals of very different widths.
KnownValue draw_wild(Rng& rng, double level) {
  const double tail = rng.below(10) == 0 ? 8 : 1;
  return draw(rng, level, 0.01 * tail, rng.below(4) == 0 ? 0.03 : 0.003);
}

TEST(ChangePointsOverManySeries, FalseAlarmsKeepToAlpha) {
  Rng rng(11);
  for (const std::size_t length : {8U, 12U, 25U, 60U}) {
    int alarms = 0;
    int wild_alarms = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<KnownValue> values;
      std::vector<KnownValue> wild;
      for (std::size_t i = 0; i < length; ++i) {
        values.push_back(draw(rng, 100, 0.01, 0.005));
        wild.push_back(draw_wild(rng, 100));
      }
      alarms += change_points(values, {0.05, 0}).empty() ? 0 : 1;
      wild_alarms += change_points(wild, {0.05, 0}).empty() ? 0 : 1;
    }
    // 50 are expected of 1000; 72 are three standard errors more.
    EXPECT_LE(alarms, 72) << length;
    EXPECT_LE(wild_alarms, 72) << length;
    RecordProperty("alarms_of_" + std::to_string(length),
                   std::to_string(alarms) + " and " + std::to_string(wild_alarms));
  }
}

TEST(ChangePointsOverManySeries, PlantedChangesAreFoundAtTheirPlace) {
  Rng rng(12);
  int found = 0;
  int in_place = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<KnownValue> values;
    for (int i = 0; i < 20; ++i) values.push_back(draw(rng, i < 12 ? 100 : 105, 0.01, 0.005));
    const auto changes = change_points(values);
    found += changes.empty() ? 0 : 1;
    for (const ChangePoint& change : changes) in_place += change.at >= 11 && change.at <= 13 ? 1 : 0;
  }
  EXPECT_GE(found, 970);
  EXPECT_GE(in_place, 950);
}

TEST(DepartureOverManySeries, IsAsSeldomAsItsPSays) {
  Rng rng(13);
  for (const int length : {3, 5, 12}) {
    int departures = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<KnownValue> earlier;
      for (int i = 0; i < length; ++i) earlier.push_back(draw(rng, 100, 0.01, 0.003));
      departures += departure_of(draw(rng, 100, 0.01, 0.003), earlier).p <= 0.05 ? 1 : 0;
    }
    EXPECT_LE(departures, 72) << length;
    EXPECT_GE(departures, 15) << length;
  }
}

}  // namespace
}  // namespace assay
