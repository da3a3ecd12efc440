// SPDX-License-Identifier: Apache-2.0
// The outermost level of replication: estimates of several sessions of a campaign, and the interval over them.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "stats/rule/stopping_rule.hpp"

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

}  // namespace assay
