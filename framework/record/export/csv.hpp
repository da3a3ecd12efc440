// SPDX-License-Identifier: Apache-2.0
// Results as comma-separated values in the long form.
#pragma once
#include <iosfwd>
#include <vector>

#include "record/record.hpp"
#include "text/csv_text.hpp"

namespace assay {

/// One row per (point, quantity, regime, state): those that the point was answered with, then rows_by_state(); and one
/// per point without a number, by series and in the order of the tables; after those of a series its derived values,
/// whose basis is "derived", whose statistic is the formula and whose verdict is "valid" or "not-valid"; at the end
/// those that a layout derived over several series. Columns: series, measurement, one per factor of any series
/// (`factor.NAME` where a column below has that name), quantity, unit, regime, regime_share, the median with its
/// interval (median, low, high, level, basis), the rule's own estimate (statistic, estimate, estimate_low,
/// estimate_high), the description of the clean observations (mean, stddev, standard_error, min, q10, q25, q75, q90,
/// max, contamination, n), replication (visits, incarnations, sessions, disturbed_share, within_spread, between_spread,
/// term, span_ns), how it was taken (reps, cpus, bound, reference_ns, reference_low_ns, reference_high_ns, rule) and
/// how it ended (verdict, code, reason). `cpus` are those of the members by rank, separated by spaces, different sets
/// by ';'; `bound` is "moved" where the reference round trips show that the CPUs were not the same throughout.
///
/// With `cycles` core cycles too, behind all others: cycles, cycles_low, cycles_high, clock_ghz and no_cycles, which
/// has a word for why a time has none.
///
/// RFC 4180 quoting with a line feed after each row; a text cell that a spreadsheet would take for a formula (it starts
/// with = + - @, tab or carriage return) gets a leading apostrophe, unless `style` is raw. Numbers in shortest exact
/// form, in the unit named; what is not available is empty.
void write_csv(std::ostream& out, const std::vector<Record>& records, CsvStyle style = CsvStyle::guarded,
               bool cycles = false);

}  // namespace assay
