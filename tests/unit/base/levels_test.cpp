// SPDX-License-Identifier: Apache-2.0
// Ranges become the levels a person would have listed, exactly and within limits.
#include "base/levels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.hpp"

namespace assay {
namespace {

constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();

std::vector<Value> whole_levels(std::initializer_list<std::int64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<Value> arithmetic(Value first, Value last, Value step) {
  return expand({std::move(first), std::move(last), std::move(step), false}, 100000).levels;
}

std::vector<Value> geometric(Value first, Value last, Value factor) {
  return expand({std::move(first), std::move(last), std::move(factor), true}, 100000).levels;
}

RangePart wrong(Value first, Value last, Value step, bool is_geometric, std::size_t limit = 100000) {
  const auto result = expand({std::move(first), std::move(last), std::move(step), is_geometric}, limit);
  EXPECT_EQ(result.wrong == RangePart::none, result.what.empty());
  EXPECT_EQ(result.what.empty(), !result.levels.empty());
  EXPECT_EQ(result.what.empty(), result.remedy.empty());
  return result.wrong;
}

Value i(std::int64_t number) { return number; }

TEST(ArithmeticLevels, EndWithTheLast) {
  EXPECT_EQ(arithmetic(i(1), i(5), i(1)), whole_levels({1, 2, 3, 4, 5}));
  EXPECT_EQ(arithmetic(i(0), i(10), i(4)), whole_levels({0, 4, 8, 10}));
  EXPECT_EQ(arithmetic(i(-4), i(4), i(4)), whole_levels({-4, 0, 4}));
  EXPECT_EQ(arithmetic(i(1), i(2), i(100)), whole_levels({1, 2}));
  EXPECT_EQ(arithmetic(i(7), i(7), i(1)), whole_levels({7}));
}

TEST(ArithmeticLevels, BeginWithTheFirstHoweverLongTheStep) {
  EXPECT_EQ(arithmetic(0.5, 1.5, i(10'000'000'000)), (std::vector<Value>{0.5, 1.5}));
  EXPECT_EQ(arithmetic(0.5, 0.5, i(1)), std::vector<Value>{0.5});
}

TEST(ArithmeticLevels, AreExactNearTheEndsOfTheIntegers) {
  EXPECT_EQ(arithmetic(i(highest - 3), i(highest), i(2)), whole_levels({highest - 3, highest - 1, highest}));
  EXPECT_EQ(arithmetic(i(lowest), i(lowest + 2), i(1)), whole_levels({lowest, lowest + 1, lowest + 2}));
  EXPECT_EQ(arithmetic(i(lowest), i(highest), i(highest)), whole_levels({lowest, -1, highest - 1, highest}));
}

TEST(ArithmeticLevels, OverFractionsCarryNoNoise) {
  EXPECT_EQ(arithmetic(i(0), i(1), 0.1), (std::vector<Value>{i(0), 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, i(1)}));
  EXPECT_EQ(arithmetic(0.5, 1.2, 0.25), (std::vector<Value>{0.5, 0.75, i(1), 1.2}));
  EXPECT_EQ(arithmetic(i(0), i(3), 0.3).size(), 11U);
}

TEST(GeometricLevels, EndWithTheLast) {
  EXPECT_EQ(geometric(i(1), i(16), i(2)), whole_levels({1, 2, 4, 8, 16}));
  EXPECT_EQ(geometric(i(1), i(10), i(2)), whole_levels({1, 2, 4, 8, 10}));
  EXPECT_EQ(geometric(i(3), i(3), i(2)), whole_levels({3}));
}

TEST(GeometricLevels, AreExactWhereDoublesAreNot) {
  const auto powers = geometric(i(1), i(highest), i(3));
  ASSERT_EQ(powers.size(), 41U);
  EXPECT_EQ(powers[39], i(4052555153018976267));  // 3^39
  EXPECT_EQ(powers[40], i(highest));
  EXPECT_EQ(geometric(i(1), i(highest), i(highest)), whole_levels({1, highest}));
}

TEST(GeometricLevels, AreRoundedBetweenIntegers) {
  EXPECT_EQ(geometric(i(1), i(10), 1.5), whole_levels({1, 2, 3, 5, 8, 10}));  // 1 1.5 2.25 3.375 5.06 7.59 11.4
  EXPECT_EQ(geometric(i(100), i(1000), std::sqrt(10.0)), whole_levels({100, 316, 1000}));
  EXPECT_EQ(geometric(i(highest - 1000000), i(highest), 1.5), whole_levels({highest - 1000000, highest}));
}

TEST(GeometricLevels, OverFractionsCarryNoNoise) {
  EXPECT_EQ(geometric(0.1, 0.8, i(2)), (std::vector<Value>{0.1, 0.2, 0.4, 0.8}));
  EXPECT_EQ(geometric(0.5, i(4), i(2)), (std::vector<Value>{0.5, i(1), i(2), i(4)}));
  EXPECT_EQ(geometric(0.001, i(1000), i(10)).size(), 7U);
  EXPECT_EQ(geometric(0.5, i(std::int64_t{1} << 60), i(2)).back(), i(std::int64_t{1} << 60));
  EXPECT_EQ(geometric(0.5, i(std::int64_t{1} << 60), i(2)).at(52), i(std::int64_t{1} << 51));
}

TEST(Levels, RefuseWrongRanges) {
  EXPECT_EQ(wrong(i(2), i(1), i(1), false), RangePart::ends);
  EXPECT_EQ(wrong(i(9007199254740993), i(9007199254740992), i(1), false), RangePart::ends);
  EXPECT_EQ(wrong(i(1), i(2), i(0), false), RangePart::step);
  EXPECT_EQ(wrong(i(1), i(2), i(-1), false), RangePart::step);
  EXPECT_EQ(wrong(i(1), i(2), i(1), true), RangePart::step);
  EXPECT_EQ(wrong(i(1), i(2), 0.5, true), RangePart::step);
  EXPECT_EQ(wrong(i(0), i(2), i(2), true), RangePart::ends);
  EXPECT_EQ(wrong(i(-1), i(2), i(2), true), RangePart::ends);
  EXPECT_EQ(check_ends(i(2), 1.5).wrong, RangePart::ends);
  EXPECT_EQ(check_ends(1.5, i(2)).wrong, RangePart::none);
}

TEST(Levels, RefuseStepsThatRoundingSwallows) {
  EXPECT_EQ(wrong(i(1000000), i(1000001), 1e-7, false), RangePart::step);
  EXPECT_EQ(wrong(i(9007199254740992), i(9007199254741000), 0.5, false), RangePart::step);
  EXPECT_EQ(wrong(i(1), 1.0000000001, 1 + 1e-13, true), RangePart::step);
}

TEST(Levels, CountBeforeExpanding) {
  EXPECT_EQ(wrong(i(lowest), i(highest), i(1), false), RangePart::size);
  EXPECT_EQ(wrong(i(0), i(1), 1e-9, false), RangePart::size);
  EXPECT_EQ(wrong(i(1), i(highest), 1.0000001, true), RangePart::size);
  EXPECT_EQ(wrong(1e-300, i(10), 1 + 1e-9, true), RangePart::size);
  EXPECT_EQ(wrong(i(1), i(100), i(1), false, 100), RangePart::none);
  EXPECT_EQ(wrong(i(0), i(100), i(1), false, 100), RangePart::size);
  EXPECT_EQ(wrong(i(0), i(99), i(2), false, 50), RangePart::size);  // 0, 2, ... 98 and 99
  EXPECT_EQ(wrong(0.5, 10.0, 0.5, false, 20), RangePart::none);
  EXPECT_EQ(wrong(0.5, 10.0, 0.5, false, 19), RangePart::size);
}

struct RandomRange {
  SteppedRange range;
  double first;
  double last;
};

RandomRange random_range(Rng& rng) {
  const bool is_geometric = rng.below(2) == 1;
  const auto number = [&rng](double scale) -> Value {
    if (rng.below(2) == 1) return static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(scale)) + 1);
    return std::round(rng.uniform() * scale * 1000) / 1000 + 0.0005;
  };
  Value first = number(100);
  Value last = static_cast<std::int64_t>(std::ceil(*number_of(first)) + static_cast<double>(rng.below(1000)));
  Value step = is_geometric ? Value(1.01 + rng.uniform()) : number(10);
  const RandomRange result{{first, last, step, is_geometric}, *number_of(first), *number_of(last)};
  return result;
}

TEST(Levels, AscendFromTheFirstToTheLastInStepsOfTheStep) {
  Rng rng(22);
  for (int round = 0; round < 3000; ++round) {
    const auto [range, first, last] = random_range(rng);
    const double step = *number_of(range.step);
    const auto levels = expand(range, 2000000).levels;
    ASSERT_FALSE(levels.empty());
    EXPECT_EQ(levels.front(), range.first);
    EXPECT_EQ(levels.back(), range.last);
    for (std::size_t k = 1; k < levels.size(); ++k) {
      const double before = *number_of(levels[k - 1]);
      const double gap = *number_of(levels[k]) - before;
      ASSERT_GT(gap, 0);
      ASSERT_LE(gap, (range.geometric ? before * (step - 1) + 2 : step) * (1 + 1e-9))
          << first << " " << last << " " << step;
    }
  }
}

}  // namespace
}  // namespace assay
