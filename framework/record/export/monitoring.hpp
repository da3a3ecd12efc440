// SPDX-License-Identifier: Apache-2.0
// Results as the line and the exit code that Nagios, Icinga and their relatives expect of a plugin.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "record/record.hpp"

namespace assay {

/// The states of a service, by the exit codes of plugins (Monitoring Plugins Development Guidelines, "Plugin Return
/// Codes").
enum class ServiceState : std::uint8_t { ok, warning, critical, unknown };
/// "OK", "WARNING", "CRITICAL", "UNKNOWN".
std::string to_text(ServiceState state);

/// What is asked of results.
struct MonitorOptions {
  std::string now;                    ///< UTC, as sessions have it
  std::optional<Nanoseconds> oldest;  ///< older results are no answer
  bool strict = false;                ///< a point without the precision asked for is a warning
};

/// The state, and what there is to say of it.
struct MonitorLine {
  ServiceState state = ServiceState::unknown;
  std::string text;  ///< one line: what is to be seen, then `|` and the performance data
};

/// Longest line: monitors cut what is longer than 8 KiB.
inline constexpr std::size_t longest_monitor_line = 8000;

/// The line for a cluster's report: critical where a node is slow or lacking, a warning where only links or parts of
/// the network are, unknown where nothing was compared or the report is not whole; counts as performance data. For
/// another campaign: critical where points failed, unknown where it did not come to an end, and its values in base
/// units as performance data. In both unknown where they are older than asked for.
MonitorLine monitor_line(const std::vector<Record>& records, const MonitorOptions& options);
/// The same for what went wrong before there were results: unknown.
MonitorLine monitor_trouble(std::string_view message);

}  // namespace assay
