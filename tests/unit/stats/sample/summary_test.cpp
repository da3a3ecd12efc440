// SPDX-License-Identifier: Apache-2.0
// Quantiles, moments and contamination against values worked out by hand; distribution quantiles and classical
// intervals against published ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "stats/sample/summary.hpp"

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

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Distribution, NormalQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.995), 2.575829303548901, 1e-12);
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.1), -1.2815515655446004, 1e-12);
}

TEST(Distribution, StudentQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062047, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.7764451, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 10), 2.2281389, 1e-6);
  EXPECT_NEAR(student_quantile(0.95, 30), 1.6972609, 1e-6);
}

TEST(Distribution, RefusesWhatHasNoQuantile) {
  EXPECT_THROW(normal_quantile(1.5), std::domain_error);
  EXPECT_THROW(student_quantile(0.975, 0), std::domain_error);
  EXPECT_THROW(student_quantile(std::numeric_limits<double>::quiet_NaN(), 3), std::domain_error);
}

TEST(Distribution, BinomialProbabilitiesAreExact) {
  EXPECT_NEAR(binomial_cdf(5, 20, 0.5), 21700.0 / 1048576, 1e-14);
  EXPECT_NEAR(binomial_cdf(0, 3, 0.25), 27.0 / 64, 1e-15);
  EXPECT_EQ(binomial_cdf(-1, 20, 0.5), 0);
  EXPECT_EQ(binomial_cdf(20, 20, 0.5), 1);
}

TEST(RankInterval, AttainsTheBinomialLevel) {
  const auto ten = rank_interval(one_to(10), 0.5, 0.05);
  EXPECT_EQ(ten.low, 2);
  EXPECT_EQ(ten.high, 9);
  EXPECT_NEAR(ten.level, 1 - 22.0 / 1024, 1e-14);
  const auto twenty = rank_interval(one_to(20), 0.5, 0.05);
  EXPECT_EQ(twenty.low, 6);
  EXPECT_EQ(twenty.high, 15);
  EXPECT_NEAR(twenty.level, 1 - 43400.0 / 1048576, 1e-14);
  const auto hundred = rank_interval(one_to(100), 0.5, 0.05);
  EXPECT_EQ(hundred.low, 40);
  EXPECT_EQ(hundred.high, 61);
  EXPECT_NEAR(hundred.level, 0.9647997997822952, 1e-12);
}

TEST(RankInterval, OfOtherQuantiles) {
  const auto interval = rank_interval(one_to(100), 0.9, 0.05);
  EXPECT_EQ(interval.low, 84);
  EXPECT_EQ(interval.high, 97);
  EXPECT_NEAR(interval.level, 0.9715647027335155, 1e-12);
}

TEST(RankInterval, NeedsSixValuesForTheMedianAt95) {
  EXPECT_FALSE(rank_interval(one_to(5), 0.5, 0.05).available());
  const auto six = rank_interval(one_to(6), 0.5, 0.05);
  EXPECT_EQ(six.low, 1);
  EXPECT_EQ(six.high, 6);
  EXPECT_NEAR(six.level, 0.96875, 1e-14);
  EXPECT_FALSE(rank_interval({}, 0.5, 0.05).available());
}

TEST(TInterval, OfStudentsSleepData) {
  const std::vector<double> extra{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4};
  const auto interval = t_interval(extra, 0.05);
  EXPECT_NEAR(interval.low, 0.7001142, 1e-6);
  EXPECT_NEAR(interval.high, 2.4598858, 1e-6);
  EXPECT_DOUBLE_EQ(interval.level, 0.95);
}

TEST(TInterval, NeedsTwoFiniteValues) {
  const std::vector<double> one{1};
  EXPECT_FALSE(t_interval(one, 0.05).available());
  EXPECT_FALSE(t_interval({}, 0.05).available());
  const std::vector<double> with_nan{1, std::numeric_limits<double>::quiet_NaN(), 2};
  EXPECT_FALSE(t_interval(with_nan, 0.05).available());
  const std::vector<double> with_infinity{1, std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(t_interval(with_infinity, 0.05).available());
}

TEST(LogTInterval, IsTheTIntervalOfTheLogarithms) {
  const std::vector<double> values{10, 20, 40};
  const auto interval = log_t_interval(values, 0.05);
  const double half = 4.3026527 * std::log(2) / std::sqrt(3);
  EXPECT_NEAR(interval.low, 20 * std::exp(-half), 1e-5);
  EXPECT_NEAR(interval.high, 20 * std::exp(half), 1e-4);
  EXPECT_DOUBLE_EQ(interval.level, 0.95);
}

TEST(LogTInterval, OfEqualValuesIsExactlyThatValue) {
  const std::vector<double> values{0.1, 0.1, 0.1};
  const auto interval = log_t_interval(values, 0.05);
  EXPECT_EQ(interval.low, 0.1);
  EXPECT_EQ(interval.high, 0.1);
}

TEST(LogTInterval, NeedsPositiveValues) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<double> values{1, bad, 2};
    EXPECT_FALSE(log_t_interval(values, 0.05).available()) << bad;
  }
  const std::vector<double> one{1};
  EXPECT_FALSE(log_t_interval(one, 0.05).available());
}

TEST(Interval, UnavailableContainsNothing) {
  EXPECT_FALSE(Interval{}.contains(0));
  EXPECT_TRUE((Interval{1, 2, 0.95}.contains(2)));
}

}  // namespace
}  // namespace assay
