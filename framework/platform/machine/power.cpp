// SPDX-License-Identifier: Apache-2.0
// Small files of /sys about heat, power and firmware.
#include "platform/machine/power.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/error.hpp"
#include "base/value.hpp"
#include "platform/file/machine_files.hpp"

namespace assay {

namespace {

namespace fs = std::filesystem;

constexpr double microwatts_per_watt = 1e6;

std::int64_t number_in(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string heat_throttles(const std::vector<int>& cpus, const std::string& root) {
  std::int64_t most = 0;
  for (const int cpu : cpus)
    most = std::max(most, number_in(trimmed_file(root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                                 "/thermal_throttle/core_throttle_count")));
  return std::to_string(most);
}

std::string power_caps(const std::string& root) {
  const fs::path folder = root + "/sys/class/powercap";
  std::map<std::string, std::string> by_name;
  std::error_code ignored;
  for (const auto& zone : fs::directory_iterator(folder, ignored)) {
    const std::string name = trimmed_file_or((zone.path() / "name").string(), "");
    const std::string limit = trimmed_file_or((zone.path() / "constraint_0_power_limit_uw").string(), "");
    if (!name.starts_with("package") || limit.empty()) continue;
    by_name[name] = to_text(static_cast<double>(number_in(limit)) / microwatts_per_watt);
  }
  if (by_name.empty()) throw PlatformError("there is no limit of a package in " + folder.string(), 0);
  std::string text;
  for (const auto& [name, watts] : by_name) text += (text.empty() ? "" : ", ") + name + ' ' + watts;
  return text;
}

std::string firmware_version(const std::string& root) {
  std::string text;
  for (const char* file : {"bios_vendor", "bios_version", "bios_date"})
    if (const auto part = trimmed_file_or(root + "/sys/class/dmi/id/" + file, ""); !part.empty())
      text += (text.empty() ? "" : " ") + part;
  if (text.empty()) throw PlatformError("there is no version in /sys/class/dmi/id", 0);
  return text;
}

}  // namespace assay
