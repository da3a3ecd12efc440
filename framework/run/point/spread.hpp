// SPDX-License-Identifier: Apache-2.0
// How much of a sample's spread lies within incarnations, and how much between them.
#pragma once
#include "stats/sample/sample.hpp"

namespace assay {

/// Median over the incarnations of their interquartile ranges, over the median of all values; 0 where that is 0.
double within_spread(const Sample& sample);
/// Standard deviation of the logarithms of the incarnations' medians; 0 for fewer than two, or where one is not
/// positive.
double between_spread(const Sample& sample);

}  // namespace assay
