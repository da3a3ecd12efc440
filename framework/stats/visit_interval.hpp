// SPDX-License-Identifier: Apache-2.0
// The interval of a quantile from timings that come in visits and may depend on each other within and between them.
#pragma once
#include "stats/sample.hpp"
#include "stats/summary.hpp"

namespace assay {

/// Result of the visit-based interval at one look.
struct VisitInterval {
  double estimate = 0;         ///< the p-quantile of all values
  Interval interval;           ///< at 1 - alpha
  Interval guard;              ///< with 1.68 times the rank half-width: about 99.9 %
  double rank_half_width = 0;  ///< h, as a share of the ranks
};

/// Multi-scale batch-means interval on the indicator "below the quantile": per visit means of the indicator, merged to
/// at most 63 batches, standard deviations at scales 1, 2 and 4, and never narrower than the classical rank interval.
/// Widened by `half_step` (clock step over twice the events per batch) on both sides. Intervals are not available while
/// the ranks fall outside the sample. Needs at least two values.
VisitInterval visit_interval(const Sample& sample, double p, double alpha, double half_step);

}  // namespace assay
