// SPDX-License-Identifier: Apache-2.0
// The error of a mean of scores that may depend on each other within and between visits.
#pragma once
#include <span>

#include "stats/sample/sample.hpp"

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

}  // namespace assay
