// SPDX-License-Identifier: Apache-2.0
// The promise of the default rule, kept on laws of known truth: its intervals hold the median, its claims are accurate.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/value.hpp"
#include "stats/rule/rule_text.hpp"
#include "stats/sample/visit_interval.hpp"
#include "support/laws/fake_visits.hpp"
#include "support/laws/trials.hpp"

namespace assay {
namespace {

test::Tally repeated_campaigns(const test::Law& law, double eps, int campaigns, int max_timings = 20000) {
  test::KnownLaw known(law);
  return test::trials("median-ci(eps=" + to_text(eps) + ",max-timings=" + std::to_string(max_timings) + ")", known,
                      campaigns, eps);
}

constexpr double median_level = 0.94;

void expect_promise(const test::Law& law, double eps, int campaigns) {
  const test::Tally tally = repeated_campaigns(law, eps, campaigns);
  EXPECT_GE(tally.covered, median_level * campaigns) << law.name;
  EXPECT_GE(tally.converged, 0.95 * campaigns) << law.name;
  EXPECT_GE(tally.accurate_claims, 0.95 * tally.converged) << law.name;
}

TEST(MedianCiCoverage, OnNormalValues) { expect_promise(test::normal(100, 20), 0.05, 500); }

TEST(MedianCiCoverage, OnLogNormalValues) { expect_promise(test::log_normal(100, 0.3), 0.05, 300); }

TEST(MedianCiCoverage, OnAFloorWithExponentialDelays) { expect_promise(test::shifted_exponential(100, 20), 0.05, 500); }

TEST(MedianCiCoverage, OnContaminatedValues) { expect_promise(test::contaminated(100, 10, 0.05, 20), 0.05, 500); }

TEST(MedianCiCoverage, OnQuantisedValues) { expect_promise(test::quantised(test::normal(100, 10), 2), 0.05, 500); }

TEST(MedianCiCoverage, OnAutoregressiveValues) {
  expect_promise(test::autoregressive(100, 10, 0.3), 0.02, 150);
  expect_promise(test::autoregressive(100, 10, 0.6), 0.02, 100);
  expect_promise(test::autoregressive(100, 10, 0.9), 0.02, 100);
}

TEST(MedianCiCoverage, AtTheDefaultAccuracy) { expect_promise(test::normal(100, 10), 0.02, 300); }

TEST(MedianCiClaims, AMedianInAGapIsNotAccepted) {
  // Two modes of equal weight: the median may lie anywhere between them, and no claim of 2 % can be right.
  const test::Tally tally = repeated_campaigns(test::bimodal(100, 130, 0.5, 1), 0.02, 60, 2000);
  EXPECT_LE(tally.converged, 1);
}

TEST(MedianCiClaims, TheClassicalIntervalWouldNotCoverDependentValues) {
  // What the scales are for: the rank interval for independent values covers about half of what it claims here.
  const test::Law law = test::autoregressive(100, 10, 0.9);
  Rng rng(7);
  int classical = 0;
  int by_visits = 0;
  for (int i = 0; i < 200; ++i) {
    const test::Law fresh = law;
    const Sample sample = test::fake_visits(fresh, rng, 40, 8);
    std::vector<double> sorted = sample.values();
    std::sort(sorted.begin(), sorted.end());
    classical += rank_interval(sorted, 0.5, 0.05).contains(law.median) ? 1 : 0;
    by_visits += visit_interval(sample, 0.5, 0.05, 0).interval.contains(law.median) ? 1 : 0;
  }
  EXPECT_LT(classical, 0.6 * 200);
  EXPECT_GT(by_visits, 0.9 * 200);
}

/// Claims of campaigns over twelve seconds and more, at five visits a second, of a machine whose level lasts for some
/// of them, and how many are right.
struct LevelClaims {
  int made = 0;
  int right = 0;
};
LevelClaims claims_at_levels(double correlation, int campaigns) {
  const auto rule = make_rule(parse_rule("median-ci(eps=0.015,max-timings=3200)", {}));
  Rng rng(21);
  LevelClaims claims;
  for (int i = 0; i < campaigns; ++i) {
    const test::Law level = test::autoregressive(100, 1.5, correlation);
    Sample sample;
    Verdict verdict;
    for (int visit = 0; !verdict.stop(); ++visit) {
      const double centre = level(rng);
      for (int batch = 0; batch < 8; ++batch)
        sample.add({centre + 0.3 * rng.normal(), 0, visit % 5, visit, 2e8 * visit});
      if (visit >= 60) verdict = rule->check(sample, {});
    }
    claims.made += verdict.outcome == Outcome::converged ? 1 : 0;
    claims.right += verdict.outcome == Outcome::converged && verdict.estimate.interval.contains(100) ? 1 : 0;
  }
  return claims;
}

TEST(MedianCiCoverage, WhereAFewTimingsAreIndependentPartsOfTheTimeTell) {
  // Of a thousand campaigns each 97, 91 and 81 % of the claims hold; with sixty independent timings 96, 90 and 81.
  for (const auto& [correlation, share] : {std::pair{0.5, 0.96}, {0.8, 0.89}, {0.9, 0.8}}) {
    const LevelClaims claims = claims_at_levels(correlation, 300);
    EXPECT_GE(claims.right, share * claims.made) << correlation;
    EXPECT_GE(claims.made, 285) << correlation;
  }
}

TEST(VisitIntervalCoverage, HoldsWhenDisturbedBatchesAreLeftOut) {
  // Of each visit between one and eight batches are clean.
  const test::Law law = test::normal(100, 20);
  Rng rng(11);
  int covered = 0;
  constexpr int campaigns = 1000;
  for (int i = 0; i < campaigns; ++i) {
    Sample sample;
    for (int visit = 0; visit < 13; ++visit) test::add_visit(sample, law, rng, 1 + static_cast<int>(rng.below(8)));
    covered += visit_interval(sample, 0.5, 0.05, 0).interval.contains(law.median) ? 1 : 0;
  }
  EXPECT_GE(covered, median_level * campaigns);
}

TEST(VisitIntervalCoverage, OfTheLowerDecile) {
  const double truth = 100 - 20 * 1.2815515655446004;
  Rng rng(12);
  int covered = 0;
  constexpr int campaigns = 500;
  for (int i = 0; i < campaigns; ++i) {
    const Sample sample = test::fake_visits(test::normal(100, 20), rng, 28, 8);
    covered += visit_interval(sample, 0.1, 0.05, 0).interval.contains(truth) ? 1 : 0;
  }
  EXPECT_GE(covered, median_level * campaigns);
}

}  // namespace
}  // namespace assay
