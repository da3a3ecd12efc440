// SPDX-License-Identifier: Apache-2.0
// Moments, quantiles and contamination of one set of values, and classical intervals for independent ones: ranks,
// Student's t, and t of the logarithms.
#include "stats/sample/summary.hpp"

#include <algorithm>
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/variance.hpp>
#include <cmath>
#include <limits>

namespace assay {
namespace {

namespace acc = boost::accumulators;
using Moments = acc::accumulator_set<double, acc::stats<acc::tag::count, acc::tag::mean, acc::tag::variance>>;

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

Summary undefined(std::size_t n) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {n, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
}

void add_moments(Summary& summary, std::span<const double> values) {
  // Moments about the first value: the distance from it is exact where values are large and close together.
  Moments moments;
  for (const double value : values) moments(value - values.front());
  const auto n = static_cast<double>(summary.n);
  summary.mean = values.front() + acc::mean(moments);
  if (summary.n < 2) return;
  summary.stddev = std::sqrt(acc::variance(moments) * n / (n - 1));
  summary.standard_error = summary.stddev / std::sqrt(n);
}

void add_quantiles(Summary& summary, std::span<const double> sorted) {
  summary.min = sorted.front();
  summary.max = sorted.back();
  summary.median = quantile(sorted, 0.5);
  summary.q10 = quantile(sorted, 0.1);
  summary.q25 = quantile(sorted, 0.25);
  summary.q75 = quantile(sorted, 0.75);
  summary.q90 = quantile(sorted, 0.9);
}

double contamination_of(std::span<const double> sorted, double median) {
  if (sorted.front() < 0) return 0;
  double total = 0;
  double above = 0;
  for (const double value : sorted) {
    total += value;
    if (value > 3 * median) above += value;
  }
  return total > 0 ? above / total : 0;
}

}  // namespace

double quantile(std::span<const double> sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double share = position - static_cast<double>(below);
  // Without this the last value, and equal infinities, would be combined with something that is not there.
  if (share == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double median(std::vector<double> values) {
  if (has_nan(values)) return std::numeric_limits<double>::quiet_NaN();
  // As quantile(sorted, 0.5), in linear time.
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  const double below = *std::max_element(values.begin(), upper);
  return below == *upper ? below : below + 0.5 * (*upper - below);
}

Summary moments_of(std::span<const double> values) {
  if (values.empty()) return {};
  if (has_nan(values)) return undefined(values.size());
  Summary summary;
  summary.n = values.size();
  add_moments(summary, values);
  return summary;
}

Summary summarize(std::span<const double> values) {
  Summary summary = moments_of(values);
  if (values.empty() || has_nan(values)) return summary;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  add_quantiles(summary, sorted);
  summary.contamination = contamination_of(sorted, summary.median);
  return summary;
}

TrimmedMean trimmed_mean(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t cut = sorted.size() / 4;
  const auto kept = std::span<const double>(sorted).subspan(cut, sorted.size() - 2 * cut);
  TrimmedMean result;
  result.value = moments_of(kept).mean;
  result.winsorised.assign(values.begin(), values.end());
  for (double& value : result.winsorised) value = std::clamp(value, kept.front(), kept.back());
  result.degrees_of_freedom = static_cast<double>(kept.size()) - 1;
  result.kept_share = static_cast<double>(kept.size()) / static_cast<double>(sorted.size());
  result.standard_error = moments_of(result.winsorised).standard_error / result.kept_share;
  return result;
}

namespace {

/// Probability that the p-quantile lies between the order statistics of ranks `low` and `high`, which count from 1.
double rank_confidence(int low, int high, int n, double p) {
  return binomial_cdf(high - 1, n, p) - binomial_cdf(low - 1, n, p);
}

}  // namespace

Interval rank_interval(std::span<const double> sorted, double p, double alpha) {
  const auto n = static_cast<int>(sorted.size());
  const double centre = (n + 1) * p;
  int low = static_cast<int>(std::floor(centre));
  int high = static_cast<int>(std::ceil(centre));
  for (; low >= 1 && high <= n; --low, ++high) {
    const double level = rank_confidence(low, high, n, p);
    if (level >= 1 - alpha)
      return {sorted[static_cast<std::size_t>(low - 1)], sorted[static_cast<std::size_t>(high - 1)], level};
  }
  return {};
}

Interval between_ranks(std::span<const double> sorted, double p, double half_width, double level) {
  const auto n = static_cast<double>(sorted.size());
  const double low = std::floor(n * (p - half_width));
  const double high = std::ceil(n * (p + half_width)) + 1;
  if (low < 1 || high > n) return {};
  return {sorted[static_cast<std::size_t>(low) - 1], sorted[static_cast<std::size_t>(high) - 1], level};
}

Interval t_interval(std::span<const double> values, double alpha) { return mean_interval(moments_of(values), alpha); }

Interval mean_interval(const Summary& summary, double alpha) {
  if (summary.n < 2) return {};
  const double half = student_quantile(1 - alpha / 2, static_cast<double>(summary.n - 1)) * summary.standard_error;
  if (!std::isfinite(summary.mean) || !std::isfinite(half)) return {};
  return {summary.mean - half, summary.mean + half, 1 - alpha};
}

Interval log_t_interval(std::span<const double> values, double alpha) {
  if (!std::all_of(values.begin(), values.end(), [](double value) { return value > 0; })) return {};
  // Logs of ratios to the first value: equal values then give exactly that value, not one off in the last digit.
  std::vector<double> logs(values.begin(), values.end());
  for (double& value : logs) value = std::log(value / values.front());
  const Interval interval = t_interval(logs, alpha);
  if (!interval.available()) return {};
  return {values.front() * std::exp(interval.low), values.front() * std::exp(interval.high), interval.level};
}

}  // namespace assay
