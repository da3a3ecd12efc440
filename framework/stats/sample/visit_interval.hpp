// SPDX-License-Identifier: Apache-2.0
// The interval of a quantile, and the error of a mean, from timings that come in visits and may depend on each other
// within and between them.
#pragma once
#include <span>

#include "stats/sample/sample.hpp"
#include "stats/sample/summary.hpp"

namespace assay {

/// The error of a mean.
struct MeanError {
  double standard = 0;    ///< the largest standard error of the scales
  double half_width = 0;  ///< the widest of their 1 - alpha intervals
};

/// The error of the mean of `scores`, one for each observation of the sample, in order: scores summed by visit,
/// neighbouring visits merged to at most 32 batches, the standard error of the mean from groups of 1, 2 and 4 batches
/// (each scale of five groups or more), with Student's quantile for the half-width. 0 when no scale has five groups.
/// Batches weigh by their numbers of observations (the linearised standard error of a ratio:
/// Cochran, Sampling Techniques, section 2.11).
MeanError batch_means_error(const Sample& sample, std::span<const double> scores, double alpha);

/// The minimum number of visits for their variance.
inline constexpr int fewest_visits = 5;

/// Result of the visit-based interval at one interim analysis.
struct VisitInterval {
  double estimate = 0;         ///< the p-quantile of all values
  Interval interval;           ///< at 1 - alpha
  Interval guard;              ///< with 1.68 times the rank half-width: about 99.9 %
  double rank_half_width = 0;  ///< h, as a share of the ranks
  double share_error = 0;      ///< standard error of the share of values below the estimate: the largest of the scales'
};

/// Multi-scale batch-means interval on the indicator "below the quantile" (ties count one half): the indicator's mean
/// per visit, neighbouring visits merged to at most 32 batches, its standard error from groups of 1, 2 and 4 batches
/// (where there are five groups or more), and never narrower than the classical rank interval. Widened by `half_step`
/// (clock step over twice the events per batch) on both sides.
///
/// Visits may hold different numbers of clean batches. Each batch then weighs by its number of observations (the
/// linearised standard error of a ratio: Cochran, Sampling Techniques, section 2.11), so a visit of which one
/// observation survived counts for one observation; with equal numbers this is the standard error of the batch means.
///
/// Intervals are not available while the ranks fall outside the sample, with fewer than five visits, or when a value is
/// not finite (`estimate` is NaN then, as it is for an empty sample). Throws std::invalid_argument unless 0 < p < 1 and
/// 0 < alpha < 1.
VisitInterval visit_interval(const Sample& sample, double p, double alpha, double half_step);
/// The same where the values are sorted already.
VisitInterval visit_interval(const Sample& sample, std::span<const double> sorted, double p, double alpha,
                             double half_step);

}  // namespace assay
