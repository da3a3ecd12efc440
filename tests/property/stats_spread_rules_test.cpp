// SPDX-License-Identifier: Apache-2.0
// What the rules on spread are known to do: documented limits, so that a change of them is noticed.
#include <gtest/gtest.h>

#include "stats/stopping_rule.hpp"
#include "support/fake_visits.hpp"

namespace assay {
namespace {

struct Tally {
  int converged = 0;
  int covered = 0;  ///< of the mean, by the rule's own interval, among the converged
  double timings = 0;
};

Tally repeated_campaigns(const std::string& name, const test::Law& law, int campaigns) {
  RuleSpec spec;
  spec.name = name;
  const auto rule = make_rule(spec);
  Rng rng = Rng(77).substream(law.name);
  Tally tally;
  for (int i = 0; i < campaigns; ++i) {
    Sample sample;
    Verdict verdict;
    while (!verdict.stop()) {
      test::add_visit(sample, law, rng, 8);
      verdict = rule->check(sample, {});
    }
    tally.timings += static_cast<double>(sample.size()) / campaigns;
    if (verdict.outcome != Outcome::converged) continue;
    ++tally.converged;
    tally.covered += verdict.estimate.interval.contains(law.mean) ? 1 : 0;
  }
  return tally;
}

constexpr int campaigns = 1000;

TEST(StderrRule, IsRightOnIndependentNormalValues) {
  const Tally tally = repeated_campaigns("stderr", test::normal(100, 5), campaigns);
  EXPECT_EQ(tally.converged, campaigns);
  EXPECT_GE(tally.covered, 0.93 * campaigns);
  EXPECT_LT(tally.timings, 8.1);
}

TEST(StderrRule, StopsTooEarlyOnContaminatedValues) {
  // Mean and deviation of a sample are correlated: it stops where no interruption was seen, and its mean is too low.
  const Tally tally = repeated_campaigns("stderr", test::contaminated(100, 5, 0.05, 20), campaigns);
  EXPECT_GE(tally.converged, 0.5 * campaigns);
  EXPECT_LE(tally.covered, 0.05 * tally.converged);
}

TEST(StderrRule, CoversLittleOnDependentValues) {
  const Tally tally = repeated_campaigns("stderr", test::autoregressive(100, 10, 0.9), campaigns);
  EXPECT_GE(tally.converged, 0.9 * campaigns);
  EXPECT_LE(tally.covered, 0.5 * tally.converged);
}

TEST(StddevRule, StopsAtOnceOrNever) {
  const Tally narrow = repeated_campaigns("stddev", test::normal(100, 5), campaigns);
  EXPECT_GE(narrow.converged, 0.99 * campaigns);
  EXPECT_LT(narrow.timings, 9);
  const Tally wide = repeated_campaigns("stddev", test::normal(100, 20), campaigns);
  EXPECT_LE(wide.converged, 0.05 * campaigns);
  EXPECT_GT(wide.timings, 38);
}

TEST(StddevRule, ConvergesOnContaminatedValuesOnlyWhereItMissesThem) {
  const Tally tally = repeated_campaigns("stddev", test::contaminated(100, 5, 0.05, 20), campaigns);
  EXPECT_LT(tally.converged, 0.8 * campaigns);
  EXPECT_GT(tally.converged, 0.5 * campaigns);
  EXPECT_EQ(tally.covered, 0);
}

}  // namespace
}  // namespace assay
