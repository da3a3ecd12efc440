// SPDX-License-Identifier: Apache-2.0
// Results for tests of tables and exports.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "record/record.hpp"

namespace assay::test {

/// A point from names and levels.
inline Point point_of(const std::vector<std::pair<std::string, Value>>& levels) {
  Point point;
  for (const auto& [factor, level] : levels) point.set(factor, level);
  return point;
}

/// A converged result with an interval of `half` (relative) around `median`.
inline Result plain_result(double median, double half, Unit unit = Unit::nanoseconds) {
  const Estimate headline{"median", median, {median * (1 - half), median * (1 + half), 0.95}, "visits"};
  Result result;
  result.quantity = "time";
  result.unit = unit;
  result.verdict = {Outcome::converged, "half-width below the target", headline};
  result.headline = headline;
  result.summary = {640,        median * 1.25,  median / 8,      median / 128,   median,       median * 0.75,
                    median * 4, median * 0.875, median * 0.9375, median * 1.125, median * 1.5, 0.03125};
  result.visits = 80;
  result.incarnations = 5;
  result.disturbed_share = 0.0125;
  result.within_spread = 0.03;
  result.between_spread = 0.01;
  result.span = seconds(12);
  return result;
}

/// A finished point with one result.
inline PointRecord finished_point(const std::string& series, Point point, Result result) {
  return {series, "logp/round_trip", std::move(point),   result.verdict.outcome, result.verdict.reason,
          "",     Reps{1000},        {std::move(result)}};
}

}  // namespace assay::test
