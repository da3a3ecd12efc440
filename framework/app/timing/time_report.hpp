// SPDX-License-Identifier: Apache-2.0
// What timings of commands say: figures of each, and the ratios of paired runs.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/timing/timing_loop.hpp"
#include "stats/sample/summary.hpp"

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

}  // namespace assay
