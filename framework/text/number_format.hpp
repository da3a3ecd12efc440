// SPDX-License-Identifier: Apache-2.0
// Numbers as the reasons of verdicts and the texts of rules write them.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace assay {

/// Three significant digits, whole above 1000: "1.3", "0.0042", "123456".
std::string rounded(double number);
/// "1.3 %" of a share of 0.013.
std::string percent(double share);
/// "1 visit", "14 visits", "2 batches".
std::string counted(std::size_t count, std::string_view noun);
/// A duration rounded for reading, in its largest unit: "5.2 s".
std::string rounded(Nanoseconds duration);
/// A duration in at most two units, for times that people wait for: "350 ms", "12 s", "4 min 10 s", "2 h 5 min".
std::string rough_duration(Nanoseconds duration);
/// A duration in seconds, to the last digit: "0.25 s". For deadlines and limits in messages.
std::string in_seconds(Nanoseconds duration);
/// A duration as the texts of rules in journals have it, to the last digit, with a fraction: "5s", "250ms", "1.5us".
/// Elsewhere configurations are written by base/typed.hpp's duration_text().
std::string exact(Nanoseconds duration);
/// "half-width 1.3 % <= 2 %": a width against the width asked for, both relative to `value` when the relative accuracy
/// `eps` is what `tolerance` comes from, else as they are.
std::string comparison(std::string_view what, double width, double tolerance, double value, double eps);

}  // namespace assay
