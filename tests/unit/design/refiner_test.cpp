// SPDX-License-Identifier: Apache-2.0
// The refiner's behaviour level by level: generations, unusable answers, small ranges, findings.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <stdexcept>

#include "design/refiner.hpp"

namespace assay {
namespace {

Domain open(std::int64_t low, std::int64_t high, double tolerance = 0.05) { return {{low, high}, tolerance, true}; }

/// Answers until the refiner asks no more; returns all levels. A negative curve value stands for an unusable answer.
std::set<double> drive(Refiner& refiner, const std::function<double(double)>& curve) {
  std::set<double> asked;
  for (auto levels = refiner.ask(); !levels.empty(); levels = refiner.ask())
    for (const Value& level : levels) {
      const double x = *number_of(level);
      EXPECT_TRUE(asked.insert(x).second) << "asked twice for " << x;
      const double y = curve(x);
      refiner.tell(level, {y >= 0, y, 0});
    }
  EXPECT_TRUE(refiner.finished());
  return asked;
}

double step(double x) { return x <= 100 ? 1 : 2; }

TEST(Refiner, AsksNothingWhileAnswersAreOutstanding) {
  Refiner refiner(open(1, 64), 64);
  const auto first = refiner.ask();
  EXPECT_EQ(first.size(), 7U);
  EXPECT_TRUE(refiner.ask().empty());
  EXPECT_FALSE(refiner.finished());
  for (std::size_t i = 0; i + 1 < first.size(); ++i) refiner.tell(first[i], {true, 1, 0});
  EXPECT_TRUE(refiner.ask().empty());
  EXPECT_FALSE(refiner.finished());
  EXPECT_TRUE(refiner.findings("n").empty());
  refiner.tell(first.back(), {true, 1, 0});
  EXPECT_TRUE(refiner.finished());
}

TEST(Refiner, IntegersStayIntegers) {
  Refiner refiner(open(1, 4096), 64);
  for (auto levels = refiner.ask(); !levels.empty(); levels = refiner.ask())
    for (const Value& level : levels) {
      EXPECT_TRUE(std::holds_alternative<std::int64_t>(level));
      refiner.tell(level, {true, step(*number_of(level)), 0});
    }
}

TEST(Refiner, BracketsAStepAndListsIt) {
  Refiner refiner(open(1, 4096), 64);
  const auto asked = drive(refiner, step);
  const auto above = asked.upper_bound(100);
  EXPECT_EQ(*above, 101);
  EXPECT_EQ(*std::prev(above), 100);
  EXPECT_EQ(refiner.findings("n"), std::vector<std::string>{"jump between n=100 and n=101"});
}

TEST(Refiner, SmallIntegerRangesAreRefinedToNeighbours) {
  Refiner refiner(open(1, 30), 64);
  const auto asked = drive(refiner, [](double x) { return x <= 22 ? 1.0 : 3.0; });
  EXPECT_TRUE(asked.contains(22) && asked.contains(23));
  EXPECT_EQ(refiner.findings("n"), std::vector<std::string>{"jump between n=22 and n=23"});
}

TEST(Refiner, ListedLevelsAreAllMeasuredAndRefinedBetween) {
  const Domain listed{{std::int64_t{10}, std::int64_t{1000}, std::int64_t{50}}, 0.05, false};
  Refiner refiner(listed, 64);
  const auto asked = drive(refiner, step);
  EXPECT_TRUE(asked.contains(10) && asked.contains(50) && asked.contains(1000));
  EXPECT_TRUE(asked.contains(100) && asked.contains(101));
}

TEST(Refiner, OneLevelNeedsNothingMore) {
  Refiner refiner(Domain{{std::int64_t{5}}, 0.05, false}, 64);
  EXPECT_EQ(drive(refiner, step).size(), 1U);
}

TEST(Refiner, TwoUnusableEndsDoNotStall) {
  Refiner refiner(open(1, 4096), 64);
  const auto asked = drive(refiner, [](double x) { return x == 1 || x == 4096 ? -1 : step(x); });
  EXPECT_TRUE(asked.contains(100) && asked.contains(101));
  Refiner hopeless(open(1, 4096), 64);
  EXPECT_EQ(drive(hopeless, [](double) { return -1.0; }).size(), 13U);
  EXPECT_TRUE(hopeless.findings("n").empty());
}

TEST(Refiner, SplitsBesideAnUnusableLevelAndGivesUpAfterThree) {
  Refiner refiner(open(1, 4096), 64);
  const auto unusable = [](double x) { return 60 < x && x < 200; };
  const auto asked = drive(refiner, [&](double x) { return unusable(x) ? -1 : step(x); });
  EXPECT_EQ(std::count_if(asked.begin(), asked.end(), unusable), 3);
}

TEST(Refiner, AValueThatIsNotFiniteIsUnusable) {
  Refiner refiner(open(1, 64), 64);
  for (const Value& level : refiner.ask()) refiner.tell(level, {true, std::numeric_limits<double>::infinity(), 0});
  EXPECT_TRUE(refiner.finished());
}

TEST(Refiner, AnUnknownHalfWidthCountsAsGreatNoise) {
  Refiner refiner(open(1, 64), 64);
  for (const Value& level : refiner.ask())
    refiner.tell(level, {true, step(50 * *number_of(level)), std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(refiner.ask().empty());
}

TEST(Refiner, SaysWhatTheBudgetLeftOpen) {
  Refiner refiner(open(1, 4096), 15);
  EXPECT_EQ(drive(refiner, step).size(), 15U);
  const auto findings = refiner.findings("n");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].find("interpolation is not known to 5 %: estimated error "), 0U) << findings[0];
  EXPECT_NE(findings[0].find("after 15 points"), std::string::npos) << findings[0];
}

TEST(Refiner, RefusesAnswersItDidNotAskFor) {
  Refiner refiner(open(1, 64), 64);
  EXPECT_THROW(refiner.tell(std::int64_t{1}, {}), std::invalid_argument);
  refiner.ask();
  EXPECT_THROW(refiner.tell(std::int64_t{3}, {}), std::invalid_argument);
  EXPECT_THROW(refiner.tell("one", {}), std::invalid_argument);
}

}  // namespace
}  // namespace assay
