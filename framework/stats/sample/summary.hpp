// SPDX-License-Identifier: Apache-2.0
// Numbers that describe a sample, each with its definition; among them the trimmed mean, with its error.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

/// A closed range of values at a stated confidence; empty() when none could be formed.
struct Interval {
  double low = 0;
  double high = 0;
  double level = 0;  ///< attained confidence, 0 when not available
  bool available() const { return level > 0; }
  bool contains(double value) const { return available() && low <= value && value <= high; }
};

/// The p-quantile of sorted values by linear interpolation between order statistics (Hyndman and Fan's type 7).
/// `sorted` must not be empty; 0 <= p <= 1.
double quantile(std::span<const double> sorted, double p);
/// The median of values in any order; NaN when one of them is. Must not be empty.
double median(std::vector<double> values);

/// Describes one set of values. All members are 0 for an empty set; stddev and standard_error are 0 for fewer than two.
/// When a value is NaN, so is every number but n.
struct Summary {
  std::size_t n = 0;
  double mean = 0;
  double stddev = 0;          ///< root of the unbiased (n - 1) variance: Boost.Accumulators' iterative one, corrected
  double standard_error = 0;  ///< stddev / sqrt(n)
  double median = 0;
  double min = 0;
  double max = 0;
  double q10 = 0;
  double q25 = 0;
  double q75 = 0;
  double q90 = 0;
  double contamination = 0;  ///< share of the total spent in values above 3 medians; 0 when a value is negative
};
Summary summarize(std::span<const double> values);
/// Only n, mean, stddev and standard_error of them, the rest 0: in linear time, where there is no need to sort.
Summary moments_of(std::span<const double> values);

/// Distribution-free interval of the p-quantile from ranks of independent values (binomial): the smallest pair of ranks
/// symmetric about (n + 1) p whose confidence is at least 1 - alpha; `level` is what it attains. Not available when n
/// is too small. Source: Hahn and Meeker, Statistical Intervals, section 5.2.
Interval rank_interval(std::span<const double> sorted, double p, double alpha);

/// The order statistics that stand `half_width`, a share of the ranks, about the p-quantile: the values of ranks
/// floor(n (p - half_width)) and ceil(n (p + half_width)) + 1, counted from 1, said to hold at `level`. Not available
/// when they fall outside the sample.
Interval between_ranks(std::span<const double> sorted, double p, double half_width, double level);

/// Student's t interval of the mean; not available for fewer than two values.
Interval t_interval(std::span<const double> values, double alpha);
/// The same from n, mean and standard error.
Interval mean_interval(const Summary& summary, double alpha);
/// t interval of the mean of the logarithms, transformed back: for positive values such as medians of incarnations. Not
/// available for fewer than two values or when one is not positive.
Interval log_t_interval(std::span<const double> values, double alpha);

/// Quantiles of the standard distributions, for 0 < p < 1 and positive degrees of freedom (std::domain_error
/// otherwise): with chi_square_above and binomial_cdf the only door to Boost.Math.
double normal_quantile(double p);
double student_quantile(double p, double degrees_of_freedom);
/// Probability that a chi-square variable exceeds x; 1 for x <= 0.
double chi_square_above(double x, double degrees_of_freedom);
/// Probability of at most k successes in n trials that succeed with probability p; k < 0 gives 0, k >= n gives 1.
double binomial_cdf(int k, int n, double p);

/// The 25 % trimmed mean: floor(n / 4) values are left out at each end.
struct TrimmedMean {
  double value = 0;
  double standard_error = 0;       ///< of `value`, for independent values, from the winsorised variance
  double degrees_of_freedom = 0;   ///< of Student's t for it: values kept less one
  double kept_share = 1;           ///< values kept / n
  std::vector<double> winsorised;  ///< the values in order of arrival, those left out moved to the nearest one kept
};

/// Trims and winsorises. The error is that of Tukey and McLaughlin (Sankhya A 25, 1963; Wilcox, Introduction to Robust
/// Estimation, section 3.3): the values' ranks are random, so the spread of the survivors alone is too small. Must not
/// be empty; the error is 0 for fewer than two values.
TrimmedMean trimmed_mean(std::span<const double> values);

}  // namespace assay
