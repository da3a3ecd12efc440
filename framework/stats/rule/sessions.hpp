// SPDX-License-Identifier: Apache-2.0
// The outermost level of replication: the interval over several sessions of a campaign, and the one for another day,
// which earlier campaigns allow.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "stats/rule/stopping_rule.hpp"
#include "stats/sample/summary.hpp"

namespace assay {

/// What one session found for a point's quantity in one regime.
struct SessionEstimate {
  int session = 0;
  double value = 0;
  Interval interval;     ///< of that session alone
  std::size_t n = 0;     ///< clean observations
  double clock_ghz = 0;  ///< as of a result; 0: not known
};

/// The value of each, in their order.
std::vector<double> values_of(std::span<const SessionEstimate> sessions);

/// From this number on the interval is over sessions and called long-term.
inline constexpr std::size_t fewest_sessions = 3;

/// The estimate over two or more sessions: the mean of the logs of their values (of the values where one is not
/// positive). From three on the interval is Student's over these; two have no spread that could be trusted, so that the
/// interval is the hull of theirs, at the lower level, and not available when one of them is not. Basis "sessions".
Estimate over_sessions(std::span<const SessionEstimate> sessions, double alpha);

/// Values below which nothing is said of another day.
inline constexpr std::size_t fewest_for_another_day = 4;
/// Values that are used: the latest ones, so that permanent changes of long ago drop out.
inline constexpr std::size_t most_for_another_day = 20;

/// A second interval of a value, with how many values of other days it was learned from.
struct AnotherDay {
  Interval interval;     ///< not available where nothing can be said
  std::size_t from = 0;  ///< 0 where nothing can be said
};

/// Where the median lies that a further campaign will find, measured as far from this one as these lie apart: `value`
/// times or divided by exp(r), r^2 = 2 t^2 s^2 + w^2. s is the standard deviation of the logarithms of the K `earlier`
/// values, the latest of them last; t is Student's quantile 1 - alpha / 2 with K - 1 degrees of freedom; w is the
/// logarithmic width of `own`, the value's own interval, on that side, so that this one is never narrower.
///
/// Two campaigns differ by the errors of both, hence the 2. Student's interval of one further value about the mean of
/// the earlier ones (Hahn, Journal of the American Statistical Association 64, 1969) is narrower, but takes campaigns
/// to be independent; states of a machine outlast them: its coverage is then 89 % where neighbours are correlated by
/// 0.9, this one in 95 % or more (tests/property/another_day_test.cpp; doc/method.md has the table).
///
/// Nothing is said with fewer than fewest_for_another_day values, where one of them or an end of `own` is not positive
/// and finite, and where `own` is not available. Throws std::invalid_argument unless 0 < alpha < 1.
AnotherDay another_day(double value, const Interval& own, std::span<const double> earlier, double alpha = 0.05);

}  // namespace assay
