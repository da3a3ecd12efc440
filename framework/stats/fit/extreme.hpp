// SPDX-License-Identifier: Apache-2.0
// The least and the greatest of several estimated values, with an interval that allows for the choice.
#pragma once
#include <span>

#include "stats/rule/stopping_rule.hpp"

namespace assay {

/// The least of the true values that the estimates are of. The value is the least estimate; it errs downwards, since of
/// several errors the lowest is chosen, and the interval allows for that. Its lower end is the least lower end: it is
/// no higher than that of the true least, so that it needs no correction. Its upper end is the least of the upper ends,
/// each moved outwards for as many comparisons as there are estimates (Bonferroni, by normal quantiles). Both hold
/// whatever the estimates' dependence. Without an interval where any has none: it might be the least. Of one estimate
/// it is that estimate. Throws std::invalid_argument where there is none.
Estimate least_of(std::span<const Estimate> estimates);
/// The same upside down.
Estimate greatest_of(std::span<const Estimate> estimates);

}  // namespace assay
