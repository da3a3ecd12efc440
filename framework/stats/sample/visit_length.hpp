// SPDX-License-Identifier: Apache-2.0
// How many observations a visit should have, from the cost and the variance of a visit.
#pragma once
#include "stats/sample/sample.hpp"

namespace assay {

/// The number of observations per visit at which the median of a sample costs the least time for its error: the root of
/// (cost of a visit beside its observations, in observations) times (variance within visits over that between them),
/// from 4 to 32. The variances are those of the indicators "below the median", which outliers do not move. With fewer
/// than eight visits, or where visits hold one observation each, 8. Source: optimum cluster size of two-stage sampling
/// (Cochran, Sampling Techniques, section 10.6).
int visit_length(const Sample& sample, double cost_ratio);

}  // namespace assay
