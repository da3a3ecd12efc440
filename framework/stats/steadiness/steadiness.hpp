// SPDX-License-Identifier: Apache-2.0
// Room: whether a sample is of one steady process: drift, modes, outliers, shifts.
// Diagnostics from the order in time and the shape of a sample: warm-up, dependence, drift, modes.
#pragma once
#include <string>
#include <vector>

#include "stats/sample/sample.hpp"
#include "stats/sample/summary.hpp"

namespace assay {

/// One of several modes of a sample.
struct Mode {
  double median = 0;
  double weight = 0;  ///< share of the observations
  Interval interval;  ///< rank interval of the mode's median
};

/// How steady a sample is.
struct Steadiness {
  int dropped = 0;  ///< visits at the start that are warm-up and left out of the estimate
  double effective =
      0;  ///< effective sample size: independent observations that would estimate the median equally well
  double autocorrelation = 0;  ///< of neighbouring observations' indicators "below the median"
  std::string drift;           ///< what shows that the values change with time; empty when nothing does
  std::vector<Mode> modes;     ///< by value, two or more; empty when there is one
};

}  // namespace assay
