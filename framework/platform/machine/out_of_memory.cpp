// SPDX-License-Identifier: Apache-2.0
// The kernel's own counters of such kills.
#include "platform/machine/out_of_memory.hpp"

#include <charconv>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"

namespace assay {
namespace {

std::optional<std::int64_t> machine_kills() {
  constexpr std::string_view label = "\noom_kill ";
  try {
    const std::string text = read_file("/proc/vmstat", std::size_t{1} << 20U);
    const std::size_t found = text.find(label);
    std::int64_t count = 0;
    if (found == std::string::npos) return std::nullopt;
    std::from_chars(text.data() + found + label.size(), text.data() + text.size(), count);
    return count;
  } catch (const PlatformError&) {
    return std::nullopt;
  }
}

bool moved(const std::optional<std::int64_t>& before, const std::optional<std::int64_t>& after) {
  return before && after && *after > *before;
}

}  // namespace

OutOfMemoryKills out_of_memory_kills() { return {out_of_memory_kills(own_cgroups()), machine_kills()}; }

std::string want_of_memory(const OutOfMemoryKills& before, const OutOfMemoryKills& after) {
  if (moved(before.in_group, after.in_group)) return "out of memory: the kernel ended it at its control group's limit";
  if (moved(before.on_machine, after.on_machine))
    return "perhaps out of memory: the kernel ended a process of this machine for that reason meanwhile";
  return {};
}

}  // namespace assay
