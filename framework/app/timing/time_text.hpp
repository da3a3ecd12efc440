// SPDX-License-Identifier: Apache-2.0
// Timings of commands for people.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "app/timing/time_report.hpp"
#include "text/scale.hpp"
#include "text/text_style.hpp"

namespace assay {

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

}  // namespace assay
