// SPDX-License-Identifier: Apache-2.0
// Results that an earlier session contradicts.
#pragma once
#include <string>
#include <vector>

#include "record/grouping.hpp"
#include "record/record.hpp"

namespace assay {

/// The gap between two intervals over the smaller of their centres; 0 where they overlap, or one is not available.
double gap_between(const Interval& a, const Interval& b);

/// A sentence for each converged result whose latest session an earlier one of the same point, quantity, regime and
/// state contradicts: their intervals (the interval for another day in place of the latest one, where there is one) lie
/// apart by more than the margin below which differences do not matter (stats/comparison/comparison.hpp). Of several
/// earlier ones the farthest is named, with the day of its session.
std::vector<std::string> contradictions(const std::vector<Record>& records, const std::vector<SeriesGroup>& groups);

}  // namespace assay
