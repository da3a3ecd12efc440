// SPDX-License-Identifier: Apache-2.0
// Timings of commands for other programs, in hyperfine's layouts, so that its readers take them.
#pragma once
#include <string>

#include "app/timing/time_report.hpp"

namespace assay {

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
