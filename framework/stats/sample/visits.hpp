// SPDX-License-Identifier: Apache-2.0
// A sample cut into its visits, in order of time, and how many observations a visit should have.
#pragma once
#include <cstddef>
#include <vector>

#include "stats/sample/sample.hpp"

namespace assay {

/// Where a visit's observations stand in a sample, and how many visits its incarnation had before.
struct VisitSlice {
  std::size_t first = 0;
  std::size_t size = 0;
  int incarnation = 0;
  std::size_t age = 0;
};

/// The visits with at least one clean observation, in order.
std::vector<VisitSlice> visits_of(const Sample& sample);

/// The median of each visit's values.
std::vector<double> visit_medians(const Sample& sample, const std::vector<VisitSlice>& visits);

/// The first visits of a sample, without its count of disturbed batches; all of them when it has no more.
Sample first_visits(const Sample& sample, int visits);

/// 1 for a value below the quantile, 1/2 for one that equals it, else 0.
double indicator(double value, double quantile);

/// The number of observations per visit at which the median of a sample costs the least time for its error: the root of
/// (cost of a visit beside its observations, in observations) times (variance within visits over that between them),
/// divided by the share of a visit's observations that are in the sample; from 4 to 32, and where a visit costs more
/// than 256 observations beside its own, to 128. The variances are those of the indicators "below the median", which
/// outliers do not move. With fewer than eight visits, or where visits hold one observation each, 8, and 128 where a
/// visit is that costly. Source: optimum cluster size of two-stage sampling (Cochran, Sampling Techniques, section
/// 10.6).
int visit_length(const Sample& sample, double cost_ratio, double share = 1);

}  // namespace assay
