// SPDX-License-Identifier: Apache-2.0
// The mean of the middle half, with the error that belongs to it.
#pragma once
#include <span>
#include <vector>

namespace assay {

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
