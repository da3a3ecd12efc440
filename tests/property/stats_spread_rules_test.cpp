// SPDX-License-Identifier: Apache-2.0
// What the rules on spread are known to do: documented limits, so that a change of them is noticed.
#include <gtest/gtest.h>

#include <string>

#include "support/laws/trials.hpp"

namespace assay {
namespace {

test::Tally repeated_campaigns(const std::string& rule, const test::Law& law, int spread_campaigns) {
  test::KnownLaw known(law);
  return test::trials(rule, known, spread_campaigns);
}

constexpr int spread_campaigns = 1000;

TEST(StderrRule, IsRightOnIndependentNormalValues) {
  const test::Tally tally = repeated_campaigns("stderr", test::normal(100, 5), spread_campaigns);
  EXPECT_EQ(tally.converged, spread_campaigns);
  EXPECT_GE(tally.covered_claims, 0.93 * spread_campaigns);
  EXPECT_LT(tally.timings(), 8.1);
}

TEST(StderrRule, StopsTooEarlyOnContaminatedValues) {
  // Mean and deviation of a sample are correlated: it stops where no interruption was seen, and its mean is too low.
  const test::Tally tally = repeated_campaigns("stderr", test::contaminated(100, 5, 0.05, 20), spread_campaigns);
  EXPECT_GE(tally.converged, 0.5 * spread_campaigns);
  EXPECT_LE(tally.covered_claims, 0.05 * tally.converged);
}

TEST(StderrRule, CoversLittleOnDependentValues) {
  const test::Tally tally = repeated_campaigns("stderr", test::autoregressive(100, 10, 0.9), spread_campaigns);
  EXPECT_GE(tally.converged, 0.9 * spread_campaigns);
  EXPECT_LE(tally.covered_claims, 0.5 * tally.converged);
}

TEST(StddevRule, StopsAtOnceOrNever) {
  const test::Tally narrow = repeated_campaigns("stddev", test::normal(100, 5), spread_campaigns);
  EXPECT_GE(narrow.converged, 0.99 * spread_campaigns);
  EXPECT_LT(narrow.timings(), 9);
  const test::Tally wide = repeated_campaigns("stddev", test::normal(100, 20), spread_campaigns);
  EXPECT_LE(wide.converged, 0.05 * spread_campaigns);
  EXPECT_GT(wide.timings(), 37);
}

TEST(StddevRule, ConvergesOnContaminatedValuesOnlyWhereItMissesThem) {
  const test::Tally tally = repeated_campaigns("stddev", test::contaminated(100, 5, 0.05, 20), spread_campaigns);
  EXPECT_LT(tally.converged, 0.8 * spread_campaigns);
  EXPECT_GT(tally.converged, 0.5 * spread_campaigns);
  EXPECT_EQ(tally.covered_claims, 0);
}

}  // namespace
}  // namespace assay
