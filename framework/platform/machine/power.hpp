// SPDX-License-Identifier: Apache-2.0
// What limits a node's clock beside its governor: heat, a cap of its power, and the firmware that set both up.
#pragma once
#include <string>
#include <vector>

namespace assay {

/// How often heat slowed down the CPU, of those given, that it slowed down most often since the start of the system:
/// "0", "1523". `root` stands before /sys. Throws PlatformError where the kernel does not count it, as in virtual
/// machines.
std::string heat_throttles(const std::vector<int>& cpus, const std::string& root = {});

/// The long-term limit of each package's power in watts, in the order of their names: "package-0 205, package-1 205".
/// Throws PlatformError where the kernel has no such limits (powercap).
std::string power_caps(const std::string& root = {});

/// Vendor, version and date of the firmware. Throws PlatformError where the kernel has none of them.
std::string firmware_version(const std::string& root = {});

}  // namespace assay
