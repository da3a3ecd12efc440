// SPDX-License-Identifier: Apache-2.0
// What timings of commands say: figures of each and the ratios of paired runs, for people, and for other programs in
// hyperfine's layouts.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/timing/timings.hpp"
#include "stats/sample/summary.hpp"
#include "text/scale.hpp"
#include "text/text_style.hpp"

namespace assay {

/// Figures of one command; times in milliseconds.
struct CommandFigures {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters{};
  Summary wall{};
  Estimate median{};
  double user = 0;    ///< mean
  double system = 0;  ///< mean
  double memory = 0;  ///< most of all runs, in bytes
  bool is_upper_bound = false;
  std::size_t outliers = 0;            ///< runs further from the median than any of a normal sample are
  std::size_t failures = 0;            ///< runs that ended with another exit code than 0
  bool has_slow_start = false;         ///< the first run is such an outlier, above the median
  double first = 0;                    ///< the first run over the median
  bool is_below_shell = false;         ///< a run took no more than the shell's start
  bool is_shorter_than_shell = false;  ///< the median is less than the shell's start
  double of_shell = 0;  ///< half-width of the shell's start, which is part of the median's interval, over the median
  Verdict verdict{};
};

/// The ratio of a command's times to those of the fastest one, from runs of the same round.
struct CommandRatio {
  std::size_t command = 0;
  std::size_t pairs = 0;
  std::optional<Estimate> ratio{};  ///< nothing where there is no interval of it
  /// Whether a difference was found: the interval lies above 1, or below.
  bool differs() const { return ratio && !ratio->interval.contains(1); }
};

/// Everything there is to print or export.
struct TimeReport {
  TimeRequest request;
  Timings timings{};
  std::vector<CommandFigures> commands{};
  std::size_t fastest = 0;             ///< by the median
  std::vector<CommandRatio> ratios{};  ///< of all commands but the fastest, in their order
};

/// Computes the figures; commands without a run are left out. `request` is that of the timings.
TimeReport report_of(const TimeRequest& request, Timings timings);

/// Which values are outliers: further from the median than 10 standard deviations, estimated by the median absolute
/// deviation (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993; the threshold is hyperfine's).
std::vector<bool> are_outliers(const std::vector<double>& values);

/// Prints figures, a histogram and remarks for each command, then what is faster than what.
void print_times(std::ostream& out, const TimeReport& report, const TextStyle& style);

/// "12/20 rounds, about 3 s left, median 1.98 ms +- 1.8 %: gzip -1", as much of it as is known.
std::string to_text(const TimeProgress& progress);

/// "1.03 [1.00 .. 1.06]", with the digits that the interval supports, two or three.
std::string ratio_text(const Estimate& ratio);

/// How many values lie in each of so many equal parts of their range, as characters: blank for none, higher for more.
/// Outliers above the others are left out and counted behind it. Empty for fewer than ten values, and where all are
/// the same.
std::string histogram(const std::vector<double>& values, const Scale& scale, const TextStyle& style);

/// `results` as hyperfine writes them (seconds, bytes, exit codes, parameters), with `name`, `median_low`,
/// `median_high`, `runs` and `verdict` in addition; beside them `comparisons`, `shell` and `seed`. Memory that is known
/// to be less than this program's own, and no more, is null; in CSV its cell is empty.
std::string times_as_json(const TimeReport& report);
/// hyperfine's columns in seconds, then the interval of the median, the number of runs and the peak memory; parameters
/// last.
std::string times_as_csv(const TimeReport& report);
/// A table with hyperfine's columns, and the median with its interval.
std::string times_as_markdown(const TimeReport& report);

}  // namespace assay
