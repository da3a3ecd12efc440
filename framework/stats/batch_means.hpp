// SPDX-License-Identifier: Apache-2.0
// The error of a mean of scores that may depend on each other within and between visits.
#pragma once
#include <span>

#include "stats/sample.hpp"

namespace assay {

/// Half-width of the 1 - alpha interval of the mean of `scores`, one for each observation of the sample, in order:
/// scores summed by visit, neighbouring visits merged to at most 32 batches, the standard error of the mean from groups
/// of 1, 2 and 4 batches (each scale of five groups or more) with Student's quantile; the widest of them. 0 when no
/// scale has five groups. Batches weigh by their numbers of observations (the linearised standard error of a ratio:
/// Cochran, Sampling Techniques, section 2.11).
double batch_means_half_width(const Sample& sample, std::span<const double> scores, double alpha);

}  // namespace assay
