// SPDX-License-Identifier: Apache-2.0
// Tests: the interval over sessions, and the one for another day by hand, and where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/rng.hpp"
#include "stats/rule/sessions.hpp"

namespace assay {
namespace {

std::vector<SessionEstimate> sessions(const std::vector<double>& values) {
  std::vector<SessionEstimate> made;
  for (const double value : values)
    made.push_back({static_cast<int>(made.size()), value, {value - 1, value + 1, 0.95}, 100});
  return made;
}

TEST(Sessions, TwoHaveTheHullOfTheirIntervals) {
  auto both = sessions({100, 121});
  both[1].interval.level = 0.9;
  const Estimate estimate = over_sessions(both, 0.05);
  EXPECT_DOUBLE_EQ(estimate.value, 110);
  EXPECT_EQ(estimate.interval.low, 99);
  EXPECT_EQ(estimate.interval.high, 122);
  EXPECT_EQ(estimate.interval.level, 0.9);
  EXPECT_EQ(estimate.basis, "sessions");
}

TEST(Sessions, TwoOfWhichOneHasNoIntervalHaveNone) {
  auto both = sessions({100, 101});
  both[0].interval = {};
  EXPECT_FALSE(over_sessions(both, 0.05).interval.available());
}

TEST(Sessions, ThreeHaveStudentsIntervalOfTheirLogs) {
  const Estimate estimate = over_sessions(sessions({100, 110, 121}), 0.05);
  const double step = std::log(1.1);
  const double half = 4.302652729911275 * step / std::sqrt(3.0);
  EXPECT_NEAR(estimate.value, 110, 1e-9);
  EXPECT_NEAR(estimate.interval.low, 110 * std::exp(-half), 1e-6);
  EXPECT_NEAR(estimate.interval.high, 110 * std::exp(half), 1e-6);
}

TEST(Sessions, SignedValuesAreNotLogged) {
  const Estimate estimate = over_sessions(sessions({-1, 0, 1}), 0.05);
  EXPECT_DOUBLE_EQ(estimate.value, 0);
  EXPECT_NEAR(estimate.interval.high, 4.302652729911275 / std::sqrt(3.0), 1e-6);
}

/// A machine whose mood lasts a session: every session's own interval is far too narrow, the one over sessions is not.
TEST(Sessions, CoverWhatNoSingleSessionCovers) {
  Rng rng(3);
  constexpr int trials = 2000;
  int covered = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values;
    for (int s = 0; s < 4; ++s) values.push_back(100 * std::exp(0.03 * rng.normal()));
    if (over_sessions(sessions(values), 0.05).interval.contains(100)) ++covered;
  }
  // Binomial standard deviation 0.5 %.
  EXPECT_NEAR(covered / double{trials}, 0.95, 0.02);
}

constexpr double student_3 = 3.182446305284263;  // 97.5 %, three degrees of freedom
const Interval own{99, 102, 0.95};
const std::vector<double> four{100, 110, 100, 110};

TEST(AnotherDay, IsWhatTwoCampaignsDifferByWidenedByItsOwn) {
  const AnotherDay found = another_day(100, own, four, 0.05);
  const double apart = std::sqrt(2.0) * student_3 * std::log(1.1) / std::sqrt(3.0);
  EXPECT_NEAR(found.interval.low, 100 * std::exp(-std::hypot(apart, std::log(100 / 99.0))), 1e-9);
  EXPECT_NEAR(found.interval.high, 100 * std::exp(std::hypot(apart, std::log(1.02))), 1e-9);
  EXPECT_EQ(found.interval.level, 0.95);
  EXPECT_EQ(found.from, 4U);
}

TEST(AnotherDay, IsNeverNarrowerThanItsOwn) {
  const AnotherDay same = another_day(100, own, std::vector<double>{100, 100, 100, 100}, 0.05);
  EXPECT_NEAR(same.interval.low, 99, 1e-9);
  EXPECT_NEAR(same.interval.high, 102, 1e-9);
  EXPECT_LE(same.interval.low, own.low);
  EXPECT_GE(same.interval.high, own.high);
  EXPECT_EQ(another_day(100, {90, 120, 0.9}, four, 0.05).interval.level, 0.9) << "nor surer";
}

TEST(AnotherDay, ScalesWithItsUnit) {
  const AnotherDay small =
      another_day(1e-12, {0.99e-12, 1.02e-12, 0.95}, std::vector<double>{1e-12, 1.1e-12, 1e-12, 1.1e-12}, 0.05);
  const AnotherDay large = another_day(100, own, four, 0.05);
  EXPECT_NEAR(small.interval.high / 1e-12, large.interval.high / 100, 1e-9);
}

TEST(AnotherDay, ForgetsWhatIsLongAgo) {
  std::vector<double> values(most_for_another_day, 100);
  values.insert(values.begin(), 1000);
  EXPECT_NEAR(another_day(100, own, values, 0.05).interval.high, 102, 1e-9);
  EXPECT_EQ(another_day(100, own, values, 0.05).from, most_for_another_day);
}

TEST(AnotherDay, IsNotThereWhereNothingCanBeSaid) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  const auto is_none = [](const AnotherDay& found) { return !found.interval.available() && found.from == 0; };
  EXPECT_TRUE(is_none(another_day(100, own, std::vector<double>{100, 101, 102}, 0.05))) << "too few";
  EXPECT_TRUE(is_none(another_day(100, {}, four, 0.05))) << "the value has no interval of its own";
  for (const double odd : {0.0, -1.0, infinite, nothing}) {
    EXPECT_TRUE(is_none(another_day(100, own, std::vector<double>{100, 110, 100, odd}, 0.05))) << odd;
    EXPECT_TRUE(is_none(another_day(odd, own, four, 0.05))) << odd;
    EXPECT_TRUE(is_none(another_day(100, {odd, 102, 0.95}, four, 0.05))) << odd;
  }
  EXPECT_TRUE(is_none(another_day(100, own, std::vector<double>{1e-300, 1e300, 1e-300, 1e300}, 0.05)))
      << "an end that no number can hold";
  EXPECT_THROW(another_day(100, own, four, 0), std::invalid_argument);
  EXPECT_THROW(another_day(100, own, four, 1), std::invalid_argument);
}

}  // namespace
}  // namespace assay
