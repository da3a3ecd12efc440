// SPDX-License-Identifier: Apache-2.0
// Classical intervals for independent values: ranks, Student's t, and t of the logarithms.
#include <algorithm>
#include <cmath>

#include "stats/sample/summary.hpp"

namespace assay {
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
