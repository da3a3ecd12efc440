// SPDX-License-Identifier: Apache-2.0
// Steps towards an estimate that the rules and the headline share.
#pragma once
#include <cstddef>

#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/visit_interval.hpp"

namespace assay {

/// The larger distance from `value` to an end of the interval; infinity when the interval is not available or the value
/// is not a number.
double reach(double value, const Interval& interval);

/// The interval with both ends moved outwards by half a clock step; unchanged when it is not available.
Interval widened(Interval interval, double half_step);

/// Number of observations that are NaN, infinite, or above 1e150 in magnitude, of which no variance can be formed.
std::size_t count_not_finite(const Sample& sample);

/// True when every visit holds one clean observation: actions so long that a visit is one batch.
bool has_single_visits(const Sample& sample);

/// Long observations too few for the scales of the visit-based interval: the headline then rests on ranks and the t
/// interval of the logs of the values.
bool is_few_long(const Sample& sample);

/// The headline over a visit-based interval of the median that is already there.
Estimate headline_over(const Sample& sample, const VisitInterval& visits, double alpha, double half_step);

}  // namespace assay
