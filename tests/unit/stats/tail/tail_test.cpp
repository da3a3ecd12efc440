// SPDX-License-Identifier: Apache-2.0
// Quantiles of tails of known laws: where they come from, and what cannot be known says why.
#include "stats/tail/tail.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/laws/tail_laws.hpp"

namespace assay {
namespace {

using namespace tails;

TEST(Tail, TakesRanksWhereTheyReach) {
  Rng random(3);
  const Tail tail(sample_of(exponential(), 4000, random), 0.05);
  ASSERT_TRUE(tail.fit().has_value()) << tail.reason();
  EXPECT_EQ(tail.quantile(0.9).basis, "ranks");
  EXPECT_EQ(tail.quantile(0.999).basis, "exceedances");
  EXPECT_TRUE(tail.quantile(0.9).interval.contains(-std::log(0.1)));
  EXPECT_TRUE(tail.quantile(0.999).interval.contains(-std::log(0.001)));
  EXPECT_DOUBLE_EQ(tail.quantile(0.999).interval.level, 0.95);
  EXPECT_GE(tail.fit()->probability, 0.1);
}

TEST(Tail, ChoosesAThresholdOverWhichTheLawHolds) {
  // The upper tenth is a step at 1 and, from its upper half on, exponential.
  const Law law{"step", [](double p) {
                  return p < 0.9 ? p : p < 0.95 ? 1 + 1e-3 * (p - 0.9) : 2 - std::log((1 - p) / 0.05);
                }};
  Rng random(4);
  const Tail tail(sample_of(law, 10'000, random), 0.05);
  ASSERT_TRUE(tail.fit().has_value()) << tail.reason();
  EXPECT_LE(tail.fit()->exceeding.share(), 0.0501);
  EXPECT_NEAR(tail.fit()->law.scale, 1, 0.2);
  EXPECT_TRUE(tail.quantile(0.9999).interval.contains(law.quantile(0.9999)));
}

TEST(Tail, SaysWhyThereIsNoLaw) {
  // An exponential law in steps: nine tenths of its values are next to those of others, whatever the threshold.
  const Law steps{"steps", [](double p) { return std::floor(-std::log1p(-p)) + 0.01 * p; }};
  Rng random(5);
  const Tail tail(sample_of(steps, 3000, random), 0.05);
  EXPECT_FALSE(tail.fit().has_value());
  const TailQuantile far = tail.quantile(0.9999);
  EXPECT_TRUE(std::isnan(far.value));
  EXPECT_NE(far.reason.find("Anderson and Darling"), std::string::npos) << far.reason;
  EXPECT_NE(far.reason.find("do not reach"), std::string::npos) << far.reason;
}

TEST(Tail, SaysHowManyObservationsItLacks) {
  Rng random(6);
  const Tail tail(sample_of(exponential(), 400, random), 0.05);
  EXPECT_FALSE(tail.fit().has_value());
  EXPECT_NE(tail.quantile(0.9999).reason.find("400 observations; 60 in the upper tenth"), std::string::npos)
      << tail.quantile(0.9999).reason;
  EXPECT_TRUE(tail.quantile(0.9).reason.empty()) << "ranks reach it";
  EXPECT_EQ(Tail(Sample(), 0.05).quantile(0.99).reason.empty(), false);
  EXPECT_TRUE(std::isnan(Tail(Sample(), 0.05).longest()));
}

// Exceedances that come in runs say less than as many independent ones: visits are slow or fast as a whole.
TEST(Tail, WidensWhereExceedancesComeTogether) {
  Rng random(7);
  Sample together, apart;
  std::vector<double> values;
  for (int visit = 0; visit < 80; ++visit) {
    const double slow = visit % 8 == 0 ? 4.0 : 1.0;
    for (int i = 0; i < 50; ++i) {
      values.push_back(-slow * std::log(1 - random.uniform()));
      together.add({values.back(), 0, visit % 5, visit});
    }
  }
  const auto shuffled = random.shuffled(values);
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    const int visit = static_cast<int>(i) / 50;
    apart.add({shuffled[i], 0, visit % 5, visit});
  }
  const Tail runs(together, 0.05), single(apart, 0.05);
  ASSERT_TRUE(runs.fit() && single.fit());
  EXPECT_GT(runs.fit()->dependence, 2);
  EXPECT_LT(single.fit()->dependence, 2);
  const Interval wide = runs.quantile(0.9999).interval, narrow = single.quantile(0.9999).interval;
  EXPECT_GT(wide.high - wide.low, 1.3 * (narrow.high - narrow.low));
}

TEST(Tail, RefusesProbabilitiesThatAreNone) {
  EXPECT_THROW(Tail(Sample(), 0), std::invalid_argument);
  EXPECT_THROW(Tail(Sample(), 0.05).quantile(1), std::invalid_argument);
  EXPECT_EQ(Tail(Sample(), 0.05).size(), 0U);
}

}  // namespace
}  // namespace assay
