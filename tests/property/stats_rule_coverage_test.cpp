// SPDX-License-Identifier: Apache-2.0
// What the rules promise of their intervals, and known limits of some, on laws of known truth.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stats/rule/rule_text.hpp"
#include "support/laws/trials.hpp"

namespace assay {
namespace {

constexpr double rule_level = 0.94;

/// Independent values of one mode, where quantile-ci, median-cs and trimmed-ci promise coverage.
class OfOneMode : public testing::TestWithParam<test::Law> {};

TEST_P(OfOneMode, IntervalsHoldTheTruthOfTheirOwnStatistic) {
  constexpr int campaigns = 400;
  // No worse than chance allows in so many campaigns.
  const double least = rule_level * campaigns - 1.645 * std::sqrt(rule_level * (1 - rule_level) * campaigns);
  test::KnownLaw law(GetParam());
  for (const char* rule :
       {"quantile-ci(eps=5%)", "quantile-ci:0.25(eps=5%)", "median-cs(eps=10%)", "trimmed-ci(eps=4%)"}) {
    const test::Tally tally = test::trials(rule, law, campaigns, 0.1);
    EXPECT_GE(tally.covered, least) << rule;
    EXPECT_GE(tally.converged, 0.97 * campaigns) << rule;
    EXPECT_GE(tally.covered_claims, rule_level * tally.converged - 10) << rule;
    EXPECT_GE(tally.accurate_claims, rule_level * tally.converged) << rule;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, OfOneMode,
                         testing::Values(test::normal(100, 20), test::log_normal(100, 0.2),
                                         test::shifted_exponential(100, 20), test::contaminated(100, 10, 0.05, 20),
                                         test::quantised(test::normal(100, 10), 1)));

test::Tally claims(const char* rule, const test::Law& law, int campaigns) {
  test::KnownLaw known(law);
  return test::trials(rule, known, campaigns);
}

TEST(MedianCs, HoldsAtEveryLookOfACampaign) {
  // The promise is for all looks at once: a campaign counts only when no interval on its way missed.
  const test::Law law = test::log_normal(100, 0.5);
  const auto rule = make_rule(parse_rule("median-cs(eps=0.1%,max-timings=2000)", {}));
  Rng rng(31);
  int campaigns_without_miss = 0;
  constexpr int campaigns = 200;
  for (int i = 0; i < campaigns; ++i) campaigns_without_miss += test::misses_on_the_way(*rule, law, rng) == 0 ? 1 : 0;
  EXPECT_GE(campaigns_without_miss, rule_level * campaigns);
}

TEST(MedianCi, MissesAtSomeLookOfManyCampaigns) {
  // Why median-cs exists: looks after every quarter more are few, but an interval made for one look misses more often
  // in many.
  const test::Law law = test::log_normal(100, 0.5);
  const auto rule = make_rule(parse_rule("median-ci(eps=0.1%,max-timings=2000)", {}));
  Rng rng(31);
  int missed = 0;
  for (int i = 0; i < 200; ++i) missed += test::misses_on_the_way(*rule, law, rng) > 0 ? 1 : 0;
  EXPECT_GT(missed, 0);
}

TEST(TrimmedCi, FailsOnTwoModesOfUnequalWeight) {
  // The documented limit: the mean of the middle half lies on the edge of the larger mode and jumps.
  const test::Tally tally = claims("trimmed-ci", test::bimodal(100, 130, 0.3, 3), 300);
  EXPECT_GE(tally.converged, 290);
  EXPECT_LT(tally.covered_claims, 0.85 * tally.converged);
}

TEST(QuantileCi, IsAtHomeOnTwoModesWhereItLiesInOne) {
  const test::Tally tally = claims("quantile-ci", test::bimodal(100, 130, 0.5, 3), 300);
  EXPECT_EQ(tally.converged, 300);
  EXPECT_GE(tally.covered_claims, rule_level * 300);
}

TEST(MeanCi, IsRightOnLightTailsAndNeverClaimsOnHeavyOnes) {
  const test::Tally light = claims("mean-ci", test::normal(100, 20), 300);
  EXPECT_GE(light.covered_claims, rule_level * 300);
  EXPECT_EQ(light.converged, 300);
  EXPECT_EQ(claims("mean-ci(max-timings=2000)", test::contaminated(100, 10, 0.05, 20), 100).converged, 0);
}

TEST(MeanCi, BatchMeansMakeUpForMuchDependence) {
  const test::Law law = test::autoregressive(100, 10, 0.9);
  EXPECT_GE(claims("mean-ci", law, 100).covered_claims, 88);
  EXPECT_LE(claims("stderr(eps=1.02%,max-timings=4000)", law, 100).covered_claims, 50);
}

TEST(StableMin, NeverConverges) {
  for (const test::Law& law : {test::constant(5), test::normal(100, 1), test::shifted_exponential(100, 20)}) {
    const test::Tally tally = claims("stable-min", law, 100);
    EXPECT_EQ(tally.converged, 0) << law.name;
    EXPECT_LT(tally.timings(), 100) << law.name;
  }
}

TEST(Combinations, AreAsGoodAsWhatTheyReport) {
  const test::Law law = test::normal(100, 10);
  const test::Tally all = claims("all(median-ci, fixed:500)", law, 200);
  EXPECT_EQ(all.converged, 200);
  EXPECT_GE(all.timings(), 500);
  EXPECT_GE(all.covered_claims, rule_level * 200);
  const test::Tally any = claims("any(median-ci, fixed:200)", law, 200);
  EXPECT_EQ(any.converged, 200);
  EXPECT_LE(any.timings(), 200);
}

}  // namespace
}  // namespace assay
