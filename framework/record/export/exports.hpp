// SPDX-License-Identifier: Apache-2.0
// Room: results in the formats of other programs.
// Results in the formats of other programs, a function for each.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "record/export/core_log.hpp"
#include "record/export/observation_log.hpp"
#include "record/record.hpp"
#include "record/table/table_choice.hpp"
#include "text/csv_text.hpp"

namespace assay {

/// Which way a quantity is better.
enum class Better : unsigned char {
  unknown,  ///< whichever way: counts, bytes, ratios
  smaller,
  bigger
};
/// That of a unit: times are better when they are smaller, rates when they are bigger.
Better direction_of(Unit unit);

/// What is asked for beyond a format.
struct ExportOptions {
  CsvStyle style = CsvStyle::guarded;
  bool observations = false;           ///< of Google Benchmark: a row per observation beside the aggregates
  Better direction = Better::unknown;  ///< of github-action-benchmark: results that are better this way
  bool cycles = false;                 ///< of both forms of CSV and of JSON: core cycles beside times
  int ranks = 16;                      ///< of SimGrid: hosts of the platform
  std::vector<RowCondition> filter{};  ///< of what simulators read: the channel or point that is exported
};

/// What is exported: the results of a campaign, and its observations where a format contains them.
struct ExportSource {
  const std::vector<Record>& records;
  ObservationLog observations;
  CoreLog cores = {};  ///< its visits where a format asks for them
};

/// Sentences about what a file does not hold and its reader should know of. Writers throw before they write.
using Remarks = std::vector<std::string>;

/// A row per point and regime, parameters first; for each quantity NAME_median, NAME_lo, NAME_hi, NAME_avg, NAME_std,
/// NAME_min, NAME_max, NAME_cnt, NAME_unit, NAME_verdict and NAME_marks; then verdict, code and reason of the point.
/// With cycles NAME_cycles, NAME_cycles_lo, NAME_cycles_hi, NAME_clock_ghz and NAME_no_cycles too.
/// Form as write_csv. Derived values are left out, and named in the remarks.
Remarks write_wide_csv(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// One object: campaign, provenance, series, results, derived values, notes; doc/results.schema.json is its schema.
Remarks write_results_json(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// What Google Benchmark writes with --benchmark_format=json: rows of aggregates, with `observations` a row per kept
/// observation as well. Points without a number are left out: its readers stop at rows without times, or take a zero
/// for one.
Remarks write_google_benchmark(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// Rows of github-action-benchmark's customSmallerIsBetter or customBiggerIsBetter: medians with their half-widths.
/// Throws ConfigError when no direction was asked for and there are results of both.
Remarks write_github_action(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// Bencher's metric format: by name, measures with median, low and high, and `marks`: how many there are.
Remarks write_bencher(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// Columns as SKaMPI 5 writes them: factors by name, mean, standard error, number of timings, then further ones.
Remarks write_skampi(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// A script for gnuplot with its data in it: a picture of each series' first quantity.
Remarks write_gnuplot(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// Tables in Markdown, one per series: levels, value, interval, verdict and marks.
Remarks write_markdown(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// The text format of OpenMetrics: gauges by unit, in base units, with their intervals, and marks as a state set.
/// Before them when the campaign was measured, and of a cluster the verdicts on nodes, links and parts of the network.
Remarks write_openmetrics(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// The same in the text format of Prometheus (0.0.4), for the textfile collector of its node exporter, which reads no
/// OpenMetrics: marks and verdicts are gauges.
Remarks write_prometheus(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// The report on a cluster as one object: verdicts on nodes, links and parts of the network, with causes, facts that
/// differ, and the tables; doc/cluster.schema.json is its schema.
Remarks write_cluster_json(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// Comma-separated values for Apache Otava: a header, and one row with the time of the last session, facts, and a
/// column per result with its unit in the name.
Remarks write_otava(std::ostream& out, const ExportSource& source, const ExportOptions& options);
/// JUnit XML: a test suite per series, a test case per point.
Remarks write_junit(std::ostream& out, const ExportSource& source, const ExportOptions& options);

/// JSON Lines, by "type": "session" with remarks on its cores in words, "core" with why it is known what the CPU yields
/// alone, and how many additions that is by cycle, and "visit" with the states of its batches ("states"), and what its
/// members' cores were like, by batch and rank ("cpus", "sharing", "length_ns", "chain_ns"; "nodes" where they have
/// names).
Remarks write_states(std::ostream& out, const ExportSource& source, const ExportOptions& options);

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
