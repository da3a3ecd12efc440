// SPDX-License-Identifier: Apache-2.0
// Recorded noise: timings of real actions, kept as small text files that refuse to be read when damaged.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::test {

/// Key and value of the circumstances: "date", "cpu", "kernel", "load.start", "load.end", "clock.step", "program", ...
using Circumstances = std::vector<std::pair<std::string, std::string>>;

/// Timings of one action in one process: consecutive, but for parts of the run that were left out.
struct Timings {
  std::string cell;  ///< what was timed: "mutex-pair"
  std::int64_t reps = 1;
  double step = 0;                ///< the clock's step, ns
  std::vector<std::int64_t> all;  ///< elapsed ns per batch of `reps`, in order of time
  Circumstances circumstances;

  /// ns per repetition, in order of time.
  std::vector<double> values() const;
  /// q / (2 K): half the clock's step per repetition, ns.
  double half_step() const { return step / 2 / static_cast<double>(reps); }
};

/// One fresh process that timed one action.
struct ProcessRun {
  int round = 0;      ///< each round starts one process per cell, in random order
  double at = 0;      ///< its start, seconds since the first one's
  double median = 0;  ///< of its timings, ns per repetition
};

/// The runs of one cell, in order of time.
struct ProcessCell {
  std::string cell;
  std::int64_t reps = 1;
  std::vector<ProcessRun> runs;
};

/// Many fresh processes, cells interleaved: the unit of replication of a comparison.
struct Processes {
  std::vector<ProcessCell> cells;
  Circumstances circumstances;
};

/// The files' texts: a first line "assay-trace 1 timings" (or "processes"), lines "key: value" of circumstances, a
/// blank line, the numbers, and a last line "crc32c: XXXXXXXX" over all bytes before it.
///
/// Timings: whole multiples of `unit` ns, separated by blanks. Processes: a line "round milliseconds cell tenths" each,
/// where `cell` counts from 0 through the key `cells` ("mutex-pair:512 clock-read:128"), and `tenths` is the median in
/// tenths of a nanosecond per batch; both in order of time. Throws std::invalid_argument for what a line cannot hold.
std::string to_text(const Timings& timings);
std::string to_text(const Processes& processes);

/// What the first line of a file says that it holds: "timings", "processes" or "states"; empty for what is no trace.
std::string trace_kind(const std::string& file);
/// Read a file of the kind asked for. Throw std::runtime_error with the file, what is wrong and what to do when it is
/// missing, damaged (checksum) or of another kind.
Timings read_timings(const std::string& file);
Processes read_processes(const std::string& file);

}  // namespace assay::test
