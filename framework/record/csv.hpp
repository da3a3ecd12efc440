// SPDX-License-Identifier: Apache-2.0
// Results as comma-separated values.
#pragma once
#include <iosfwd>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// One row per (point, quantity, regime), and one per point without a number: series, measurement, one column per
/// factor, quantity, unit, regime, median, low, high, level, mean, stddev, q10, q25, q75, q90, min, max, n, visits,
/// incarnations, disturbed_share, verdict, reason, ... RFC 4180 quoting; a text cell that a spreadsheet would take for
/// a formula gets a leading apostrophe. Numbers in shortest exact form.
void write_csv(std::ostream& out, const std::vector<Record>& records);

}  // namespace assay
