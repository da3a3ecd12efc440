// SPDX-License-Identifier: Apache-2.0
// Quantiles, moments and contamination against values worked out by hand.
#include "stats/sample/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.1), 1.3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
}

TEST(Quantile, OfOneValueIsThatValue) {
  const std::vector<double> one{7};
  for (const double p : {0.0, 0.3, 1.0}) EXPECT_EQ(quantile(one, p), 7);
}

TEST(Quantile, KeepsEqualInfinities) {
  const std::vector<double> values{1, infinity, infinity};
  EXPECT_EQ(quantile(values, 0.75), infinity);
}

TEST(Median, TakesValuesInAnyOrder) {
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(Median, OfNanIsNan) { EXPECT_TRUE(std::isnan(median({1, nan, 2}))); }

TEST(Summarize, DescribesAKnownSample) {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.n, 8U);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.stddev, std::sqrt(32.0 / 7));
  EXPECT_DOUBLE_EQ(summary.standard_error, std::sqrt(32.0 / 7 / 8));
  EXPECT_DOUBLE_EQ(summary.median, 4.5);
  EXPECT_DOUBLE_EQ(summary.min, 2);
  EXPECT_DOUBLE_EQ(summary.max, 9);
  EXPECT_DOUBLE_EQ(summary.q10, 3.4);
  EXPECT_DOUBLE_EQ(summary.q25, 4);
  EXPECT_DOUBLE_EQ(summary.q75, 5.5);
  EXPECT_DOUBLE_EQ(summary.q90, 7.6);
}

TEST(Summarize, KeepsTheVarianceOfValuesFarFromZero) {
  // The sum of squares minus the square of the sum has no digit of this variance left.
  const std::vector<double> values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
  const Summary summary = summarize(values);
  EXPECT_DOUBLE_EQ(summary.mean, 1e9 + 10);
  EXPECT_NEAR(summary.stddev * summary.stddev, 30, 1e-12);
}

TEST(Summarize, KeepsASmallVarianceFarFromZero) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(1e9 + (i % 2 == 0 ? 0 : 0x1p-10));
  EXPECT_NEAR(summarize(values).stddev, 0x1p-11 * std::sqrt(1000.0 / 999), 1e-15);
}

TEST(Summarize, DoesNotDependOnTheOrder) {
  const std::vector<double> sorted{1, 2, 3, 10};
  const std::vector<double> shuffled{10, 2, 1, 3};
  EXPECT_EQ(summarize(sorted).median, summarize(shuffled).median);
  EXPECT_EQ(summarize(sorted).q90, summarize(shuffled).q90);
  EXPECT_NEAR(summarize(sorted).stddev, summarize(shuffled).stddev, 1e-12);
}

TEST(Summarize, OfNothingIsAllZero) {
  const Summary summary = summarize({});
  EXPECT_EQ(summary.n, 0U);
  EXPECT_EQ(summary.mean, 0);
  EXPECT_EQ(summary.max, 0);
}

TEST(Summarize, OfOneValueHasNoSpread) {
  const std::vector<double> one{-3};
  const Summary summary = summarize(one);
  EXPECT_EQ(summary.n, 1U);
  EXPECT_EQ(summary.mean, -3);
  EXPECT_EQ(summary.q90, -3);
  EXPECT_EQ(summary.stddev, 0);
  EXPECT_EQ(summary.standard_error, 0);
}

TEST(Summarize, NanIsNeverHidden) {
  const std::vector<double> values{1, nan, 3};
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.n, 3U);
  for (const double number : {summary.mean, summary.stddev, summary.standard_error, summary.median, summary.min,
                              summary.max, summary.q10, summary.q25, summary.q75, summary.q90, summary.contamination})
    EXPECT_TRUE(std::isnan(number));
}

TEST(Contamination, IsTheShareSpentAboveThreeMedians) {
  const std::vector<double> values{1, 1, 1, 1, 16};
  EXPECT_DOUBLE_EQ(summarize(values).contamination, 0.8);
  const std::vector<double> at_the_bound{1, 1, 1, 1, 3};
  EXPECT_EQ(summarize(at_the_bound).contamination, 0);
}

TEST(Contamination, OfRareCountsIsAll) {
  const std::vector<double> values{0, 0, 0, 5};
  EXPECT_EQ(summarize(values).contamination, 1);
}

TEST(Contamination, HasNoMeaningForSignedOrZeroValues) {
  const std::vector<double> with_negative{-1, 1, 1, 1, 16};
  EXPECT_EQ(summarize(with_negative).contamination, 0);
  const std::vector<double> zeros{0, 0, 0};
  EXPECT_EQ(summarize(zeros).contamination, 0);
}

}  // namespace
}  // namespace assay
