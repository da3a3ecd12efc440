// SPDX-License-Identifier: Apache-2.0
// Whether several groups of values are of one distribution, by ranks.
#pragma once
#include <span>
#include <vector>

namespace assay {

/// The test of Kruskal and Wallis (Journal of the American Statistical Association 47, 1952) with the correction for
/// ties, and its p from the chi-square distribution with one degree of freedom less than groups (Hollander, Wolfe and
/// Chicken, Nonparametric Statistical Methods, section 6.1). For small groups the approximation errs on the side of no
/// difference.
struct KruskalWallis {
  double statistic = 0;  ///< H; 0 when all values are equal
  double p = 1;
  double smallest = 1;  ///< the p of groups of these sizes that do not overlap at all: nothing smaller can be found
};

/// Throws std::invalid_argument for fewer than two groups, an empty one, or a value that is not finite.
KruskalWallis kruskal_wallis(std::span<const std::vector<double>> groups);

}  // namespace assay
