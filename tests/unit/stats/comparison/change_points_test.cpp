// SPDX-License-Identifier: Apache-2.0
// Changes of level among a few values, and one further value.
#include "stats/comparison/change_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace assay {
namespace {

KnownValue known(double value, double half = 0.002) { return {value, {value * (1 - half), value * (1 + half), 0.95}}; }

std::vector<KnownValue> values_around(double level, int count) {
  std::vector<KnownValue> values;
  for (int i = 0; i < count; ++i) values.push_back(known(level * (1 + 0.001 * ((i * 7) % 5 - 2))));
  return values;
}

std::vector<KnownValue> joined(std::vector<KnownValue> a, const std::vector<KnownValue>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ChangePoints, AreFoundWhereTheLevelChanges) {
  const auto values = joined(joined(values_around(100, 6), values_around(110, 9)), values_around(90, 6));
  const auto changes = change_points(values);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].at, 6U);
  EXPECT_NEAR(changes[0].before, 100, 0.2);
  EXPECT_NEAR(changes[0].after, 110, 0.2);
  EXPECT_EQ(changes[1].at, 15U);
  EXPECT_NEAR(changes[1].after, 90, 0.2);
  EXPECT_LE(changes[1].p, 0.05);
}

TEST(ChangePoints, OneOutlierIsNoChange) {
  auto values = joined(values_around(100, 10), {known(150)});
  EXPECT_TRUE(change_points(values).empty());
  EXPECT_TRUE(change_points(joined(values, values_around(100, 10))).empty());
}

TEST(ChangePoints, SmallerThanTheMarginAreNotTold) {
  const auto values = joined(values_around(100, 10), values_around(101, 10));
  EXPECT_TRUE(change_points(values).empty());
  EXPECT_EQ(change_points(values, {0.05, 0.005}).size(), 1U);
}

TEST(ChangePoints, ValuesKnownBadlyWeighLittle) {
  auto values = values_around(100, 16);
  for (std::size_t i = 10; i < 13; ++i) values[i] = known(130, 0.6);
  EXPECT_TRUE(change_points(values).empty());
}

TEST(ChangePoints, NeedEightValuesAtTheUsualAlpha) {
  EXPECT_EQ(fewest_for_a_change(), 8U);
  EXPECT_TRUE(change_points(joined(values_around(100, 3), values_around(200, 4))).empty());
  EXPECT_EQ(change_points(joined(values_around(100, 4), values_around(200, 4))).size(), 1U);
}

TEST(ChangePoints, TakeSignedAndEqualValues) {
  std::vector<KnownValue> values(6, KnownValue{-1, {}});
  values.resize(12, KnownValue{1, {}});
  ASSERT_EQ(change_points(values).size(), 1U);
  EXPECT_EQ(change_points(values).front().before, -1);
  EXPECT_TRUE(change_points(std::vector<KnownValue>(20, KnownValue{5, {5, 5, 1}})).empty());
  EXPECT_THROW(change_points(std::vector<KnownValue>(9, KnownValue{std::nan(""), {}})), std::invalid_argument);
}

TEST(Departure, IsOneOfAFurtherValueFromEarlierOnes) {
  const auto earlier = values_around(100, 6);
  EXPECT_GT(departure_of(known(100.1), earlier).p, 0.3);
  const Departure far = departure_of(known(110), earlier);
  EXPECT_LT(far.p, 0.001);
  EXPECT_NEAR(far.shift, 0.1, 0.002);
  EXPECT_FALSE(far.range.contains(110));
  // What is known badly is no departure.
  EXPECT_GT(departure_of(known(110, 0.2), earlier).p, 0.05);
  EXPECT_THROW(departure_of(known(1), values_around(1, 2)), std::invalid_argument);
}

// For normal values Student's interval of one further value, by hand: mean 2, deviation 1, t(2; 0.975) 4.3027.
TEST(Departure, HasStudentsPredictionInterval) {
  const std::vector<KnownValue> earlier{{std::exp(1), {}}, {std::exp(2), {}}, {std::exp(3), {}}};
  const Departure departure = departure_of({std::exp(2), {}}, earlier);
  EXPECT_NEAR(std::log(departure.range.high), 2 + 4.302653 * std::sqrt(4.0 / 3), 1e-6);
  EXPECT_NEAR(departure.expected, std::exp(2), 1e-9);
}

}  // namespace
}  // namespace assay
