// SPDX-License-Identifier: Apache-2.0
// Why sessions end before every point is finished, in the words of the journal.
#pragma once
#include <string>

namespace assay {

inline constexpr const char* by_time = "time-limit";
inline constexpr const char* by_signal = "signal";
inline constexpr const char* by_system = "tear-down";
inline constexpr const char* by_failures = "failures";
inline constexpr const char* by_launcher = "launcher";

/// The reason of the points that such an end leaves behind; `failures`: how many there were.
inline std::string why_left(const std::string& reason, const std::string& failures) {
  if (reason == by_signal) return "stopped by a signal";
  if (reason == by_time) return "time limit reached";
  if (reason == by_launcher) return "the launcher starts no ranks";
  return reason == by_failures ? failures : "the system could not be restored";
}

}  // namespace assay
