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

/// The medians of the eight equal parts of the time that the visits of each session span, of those that hold some; none
/// where time is not known, where fewer than five parts do, or where their visits do not differ by more than visits of
/// the same part: at 20 %, since a difference that is overlooked costs more than one that is none (Bancroft, Analysis
/// and inference for incompletely specified models, Biometrics 20, 1964). By the test of Kruskal and Wallis on the
/// medians of visits.
std::vector<double> period_medians(const Sample& sample);

}  // namespace assay
