// SPDX-License-Identifier: Apache-2.0
// Intervals of quantiles far out in the tails of known laws hold as often as they say.
#include <gtest/gtest.h>

#include "stats/tail/tail.hpp"
#include "support/laws/tail_laws.hpp"

namespace assay {
namespace {

using namespace tails;

/// How many of the trials have a quantile, and how often its interval contains the true one.
struct TailCoverage {
  int known = 0;
  int covered = 0;
  double share() const { return known > 0 ? static_cast<double>(covered) / known : 0; }
};

TailCoverage tail_coverage(const Law& law, double p, int size, int trials) {
  TailCoverage coverage;
  for (int trial = 0; trial < trials; ++trial) {
    Rng random(static_cast<std::uint64_t>(trial) + 1000);
    const TailQuantile found = Tail(sample_of(law, size, random), 0.05).quantile(p);
    if (!found.reason.empty()) continue;
    ++coverage.known;
    coverage.covered += found.interval.contains(law.quantile(p)) ? 1 : 0;
  }
  return coverage;
}

// 2000 observations: of the quantile 0.9999 a fifth of one is beyond it.
TEST(TailLaws, CoversQuantilesThatNoObservationReaches) {
  constexpr int trials = 150;
  for (const Law& law : {exponential(), uniform(), power_law(0.2), power_law(0.5), power_law(1)}) {
    const TailCoverage coverage = tail_coverage(law, 0.9999, 2000, trials);
    EXPECT_GE(coverage.known, trials * 9 / 10) << law.name;
    EXPECT_GE(coverage.share(), 0.9) << law.name << ": " << coverage.covered << " of " << coverage.known;
  }
}

// Its exceedances approach a law of shape 0 slowly: the intervals hold a little less often.
TEST(TailLaws, NearlyCoversThoseOfALawThatConvergesSlowly) {
  const TailCoverage coverage = tail_coverage(lognormal(0.5), 0.9999, 2000, 150);
  EXPECT_GE(coverage.share(), 0.85) << coverage.covered << " of " << coverage.known;
}

}  // namespace
}  // namespace assay
