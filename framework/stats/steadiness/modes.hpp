// SPDX-License-Identifier: Apache-2.0
// Whether the values of a sample form two modes.
#pragma once
#include <span>
#include <vector>

#include "stats/sample/sample.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {

/// The two modes of a sample, or none. The logarithms of the values, of the 1 % to 95 % ranks, are split where the
/// variance between the parts is largest (Otsu, IEEE Transactions on Systems, Man and Cybernetics 9, 1979). Two modes
/// need at least 32 values, a distance of 3.5 pooled deviations (Ashman's D: Ashman, Bird and Zepf, Astronomical
/// Journal 108, 1994), 8 % of the values in the smaller, centres that differ by 3 % and by 3 clock steps, and a middle
/// third between them whose density is below 0.35 of that about either centre. Where a value is not positive the values
/// themselves are split.
///
/// A split that only separates processes is the spread between processes, and is none here. Each mode's interval is the
/// rank interval of independent values.
///
/// `sorted` are the sample's values, all of them finite; `half_step` is half the clock's step per event.
std::vector<Mode> modes_of(const Sample& sample, std::span<const double> sorted, double alpha, double half_step);

}  // namespace assay
