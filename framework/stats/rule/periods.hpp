// SPDX-License-Identifier: Apache-2.0
// What a sample says of changes of the machine that last for seconds.
#pragma once
#include <vector>

#include "stats/sample/sample.hpp"

namespace assay {

/// Into how many equal parts the time of a sample is cut, and in how many of them visits have to lie before these say
/// how the machine changes.
inline constexpr int parts_of_time = 8;
inline constexpr int fewest_parts = 5;

/// In how many pieces of time of this length (ns, positive) visits of the sample began; 1 where time is not known, 0
/// for an empty sample.
int parts_visited(const Sample& sample, double length);

/// From how many observations on a process, or a part of the time, tells how these differ: a fifth of the usual number,
/// since what fewer found is too little known. `sizes` are the numbers of all.
double least_telling_size(std::vector<double> sizes);

/// The eight equal parts of the time that the visits of each session span, of those that tell.
struct Periods {
  std::vector<double> medians;  ///< none where time is not known, or where fewer than five parts hold visits
  /// Their visits differ by more than visits of the same part: at 20 %, since a difference that is overlooked costs
  /// more than one that is none (Bancroft, Analysis and inference for incompletely specified models, Biometrics 20,
  /// 1964). By the test of Kruskal and Wallis on the medians of visits.
  bool differ = false;
};
Periods periods_in(const Sample& sample);

}  // namespace assay
