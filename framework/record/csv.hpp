// SPDX-License-Identifier: Apache-2.0
// Results as comma-separated values.
#pragma once
#include <iosfwd>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// One row per (point, quantity, regime), and one per point without a number, by series and in the order of the tables.
/// Columns: series, measurement, one per factor of any series (`factor.NAME` where a column below has that name),
/// quantity, unit, regime, regime_share, the median with its interval (median, low, high, level, basis), the rule's own
/// estimate (statistic, estimate, estimate_low, estimate_high), the description of the clean observations (mean,
/// stddev, standard_error, min, q10, q25, q75, q90, max, contamination, n), replication (visits, incarnations,
/// sessions, disturbed_share, within_spread, between_spread, term, span_ns), how it was taken (reps, cpus, rule)
/// and how it ended (verdict, code, reason). `cpus` are those of the members by rank, separated by spaces, different
/// sets by ';'.
///
/// RFC 4180 quoting with a line feed after each row; a text cell that a spreadsheet would take for a formula (it starts
/// with = + - @, tab or carriage return) gets a leading apostrophe. Numbers in shortest exact form, in the unit named;
/// what is not available is empty.
void write_csv(std::ostream& out, const std::vector<Record>& records);

}  // namespace assay
