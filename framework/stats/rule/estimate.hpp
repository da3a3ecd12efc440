// SPDX-License-Identifier: Apache-2.0
// Estimates with their intervals, over incarnations too; the headline: the median, with the interval of the level of
// replication that decides; and interim analyses of it.
#pragma once
#include <cstddef>
#include <functional>
#include <span>

#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/sample.hpp"
#include "stats/sample/visit_interval.hpp"
#include "stats/steadiness/steadiness.hpp"

namespace assay {

/// The larger distance from `value` to an end of the interval; infinity when the interval is not available or the value
/// is not a number.
double reach(double value, const Interval& interval);

/// The interval with both ends moved outwards by half a clock step; unchanged when it is not available.
Interval widened(Interval interval, double half_step);

/// The estimate with what campaigns differ by added to each side of its interval in squares; less of it where there are
/// several sessions, which differ so as well.
Estimate with_campaigns(Estimate estimate, const Sample& sample, double between);

/// Number of observations that are NaN, infinite, or above 1e150 in magnitude, of which no variance can be formed.
std::size_t count_not_finite(const Sample& sample);

/// True when every visit holds one clean observation: actions so long that a visit is one batch.
bool has_single_visits(const Sample& sample);

/// Long observations too few for the scales of the visit-based interval: the headline then rests on ranks and the t
/// interval of the logs of the values.
bool is_few_long(const Sample& sample);

/// With fewer independent observations the spread between visits is known too badly to stop by it.
inline constexpr double enough_effective = 60;

/// So many of them, or three quarters of all where these are fewer: as good as independent.
double least_effective(std::size_t observations);

/// Whether fewer of the sample are independent, `effective` of them, as far as its visits are of several observations.
bool is_too_dependent(const Sample& sample, double effective);

/// The headline over a visit-based interval of the median that is already there.
Estimate headline_over(const Sample& sample, const VisitInterval& visits, double alpha, double half_step);

/// The findings of an interim analysis. Everything but `steadiness.dropped` is about `kept`.
struct Look {
  Sample kept;  ///< the sample without its warm-up
  Steadiness steadiness;
  VisitInterval visits;
  Estimate headline;
};

/// An interim analysis of a sample. For an empty sample, and for one that holds a value that is not finite, nothing is
/// found: the headline is NaN and the steadiness says nothing.
Look look_at(const Sample& sample, const Accuracy& accuracy);

/// The estimate with its interval extended by the t interval over the incarnations' own values of the statistic, from
/// three incarnations on: of their logs, or of the values where one is not positive. The basis becomes "incarnations"
/// when that one reaches further from the value. An interval that is not available stays so.
Estimate across_incarnations(Estimate estimate, const Sample& sample,
                             const std::function<double(std::span<const double>)>& statistic, double alpha,
                             double half_step);

}  // namespace assay
