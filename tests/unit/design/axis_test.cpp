// SPDX-License-Identifier: Apache-2.0
// Scales, start levels and midpoints of refined factors.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "design/axis.hpp"

namespace assay {
namespace {

Domain open(Value low, Value high) { return {{std::move(low), std::move(high)}, 0.05, true}; }
Domain open(std::int64_t low, std::int64_t high) { return open(Value(low), Value(high)); }

std::vector<double> start(const Domain& domain, std::size_t most = 64) {
  std::vector<double> levels;
  for (const auto& [x, level] : Axis(domain).start(most)) levels.push_back(x);
  return levels;
}

using Levels = std::vector<double>;

TEST(Axis, IsLogarithmicFromAFactorOfEightOn) {
  EXPECT_TRUE(Axis(open(1, 8)).logarithmic());
  EXPECT_FALSE(Axis(open(1, 7)).logarithmic());
  EXPECT_FALSE(Axis(open(0, 1000)).logarithmic());
  EXPECT_FALSE(Axis(open(Value(0.5), Value(100.0))).logarithmic());
}

TEST(Axis, StartsWithPowersOfFourAndBothEnds) {
  EXPECT_EQ(start(open(3, 70000)), (Levels{3, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 70000}));
}

TEST(Axis, StartsWithPowersOfTwoUpTo4096) { EXPECT_EQ(start(open(1, 100)), (Levels{1, 2, 4, 8, 16, 32, 64, 100})); }

TEST(Axis, StartsWithFiveOnALinearScale) {
  EXPECT_EQ(start(open(100, 500)), (Levels{100, 200, 300, 400, 500}));
  EXPECT_EQ(start(open(Value(0.0), Value(2.0))), (Levels{0, 0.5, 1, 1.5, 2}));
}

TEST(Axis, StartsSmallIntegerRangesWithPowersOfTwo) {
  EXPECT_EQ(start(open(5, 20)), (Levels{5, 8, 16, 20}));
  EXPECT_EQ(start(open(0, 6)), (Levels{0, 1, 2, 4, 6}));
}

TEST(Axis, ThinsTheStartOfAnOpenRangeToTheBudget) {
  EXPECT_EQ(start(open(1, 4096), 3), (Levels{1, 64, 4096}));
  EXPECT_EQ(start(open(1, 4096), 1).size(), 13U);
}

TEST(Axis, ListedLevelsStandAloneAndWhole) {
  const Domain listed{{std::int64_t{1}, std::int64_t{4096}, std::int64_t{100}}, 0.05, false};
  EXPECT_EQ(start(listed, 2), (Levels{1, 100, 4096}));
}

TEST(Axis, TwoListedLevelsAreARange) {
  const Domain ends{{std::int64_t{1}, std::int64_t{4096}}, 0.05, false};
  EXPECT_EQ(start(ends), start(open(1, 4096)));
}

TEST(Axis, SplitsIntegersGeometricallyAndStaysInside) {
  const Axis axis(open(1, 4096));
  EXPECT_EQ(axis.split(1, 4096), 64);
  EXPECT_EQ(axis.split(4, 6), 5);
  EXPECT_EQ(axis.split(1, 3), 2);
  EXPECT_EQ(axis.split(2, 3), std::nullopt);
}

TEST(Axis, SplitsIntegersOnALinearScaleArithmetically) {
  const Axis axis(open(100, 200));
  EXPECT_EQ(axis.split(100, 200), 150);
  EXPECT_EQ(axis.split(100, 102), 101);
  EXPECT_EQ(axis.split(100, 101), std::nullopt);
}

TEST(Axis, LevelsBetweenTheWrittenOnesAreMultiplesWhereAsked) {
  Domain domain = open(1, 1000);
  domain.multiple = 48;
  const Axis axis(domain);
  for (const double level : start(domain))
    EXPECT_TRUE(level == 1 || level == 1000 || std::fmod(level, 48) == 0) << level;
  EXPECT_EQ(axis.split(96, 960), 288);  // their geometric mean is 303.6
  EXPECT_EQ(axis.split(48, 144), 96);   // 83.1 is nearer to 96 than to 48
  EXPECT_EQ(axis.split(90, 100), 96) << "the only one there is";
  EXPECT_EQ(axis.split(48, 96), std::nullopt);
  EXPECT_EQ(axis.split(960, 1000), std::nullopt);
}

TEST(Axis, SplitsRealsToFourDigits) {
  const Axis axis(open(Value(1.0), Value(1000.0)));
  EXPECT_EQ(axis.split(1, 10), 3.162);
  EXPECT_EQ(axis.split(1.00001, 1.00002).has_value(), true);
  EXPECT_EQ(axis.split(1, std::nextafter(1.0, 2.0)), std::nullopt);
}

TEST(Axis, LevelsKeepTheirKind) {
  EXPECT_EQ(Axis(open(1, 100)).value(10), Value(std::int64_t{10}));
  const Axis mixed(open(Value(std::int64_t{1}), Value(2.5)));
  EXPECT_EQ(mixed.value(1), Value(std::int64_t{1}));
  EXPECT_EQ(mixed.value(2), Value(2.0));
}

TEST(Axis, WidthsAreLogarithmsOrSharesOfTheRange) {
  EXPECT_DOUBLE_EQ(Axis(open(1, 100)).width(10, 20), std::log(2.0));
  EXPECT_DOUBLE_EQ(Axis(open(100, 200)).width(150, 175), 0.25);
}

TEST(Axis, RefusesWordsAndNothing) {
  EXPECT_THROW(Axis(open(Value("small"), Value(2.0))), std::invalid_argument);
  EXPECT_THROW(Axis(Domain{}), std::invalid_argument);
}

}  // namespace
}  // namespace assay
