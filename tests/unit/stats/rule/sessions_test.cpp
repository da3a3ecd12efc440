// SPDX-License-Identifier: Apache-2.0
// Tests: the interval over sessions.
#include "stats/rule/sessions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rng.hpp"

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

}  // namespace
}  // namespace assay
