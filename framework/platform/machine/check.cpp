// SPDX-License-Identifier: Apache-2.0
// The texts of checks, and what this machine puts into them.
#include "platform/machine/check.hpp"

#include <sys/personality.h>
#include <sys/statvfs.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <thread>

#include "base/error.hpp"
#include "platform/file/append_file.hpp"

namespace assay {
namespace {

constexpr std::array<const char*, 3> statuses{"ok", "problem", "unknown"};
constexpr std::array<const char*, 4> levels{"info", "warn", "noisy", "error"};

std::string text_or_nothing(const std::string& path) {
  try {
    return read_file(path, std::size_t{1} << 26);
  } catch (const PlatformError&) {
    return {};
  }
}

/// Free bytes where the directory is, or will be.
std::optional<std::size_t> free_bytes(const std::string& directory) {
  std::error_code ignored;
  std::filesystem::path path = std::filesystem::absolute(directory.empty() ? "." : directory, ignored);
  while (!path.empty() && path.has_relative_path() && !std::filesystem::exists(path, ignored))
    path = path.parent_path();
  struct statvfs system {};
  if (::statvfs(path.c_str(), &system) != 0) return std::nullopt;
  return static_cast<std::size_t>(system.f_bavail) * system.f_frsize;
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> found;
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT", "container", "KUBERNETES_SERVICE_HOST"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') found.emplace(name, value);
  return found;
}

}  // namespace

std::string to_text(CheckStatus status) { return statuses.at(static_cast<std::size_t>(status)); }

std::string to_text(CheckLevel level) { return levels.at(static_cast<std::size_t>(level)); }

bool is_serious(const Check& check) { return check.status == CheckStatus::problem && check.level != CheckLevel::info; }

std::string to_text(const Check& check) {
  if (check.status == CheckStatus::ok) return "ok: " + check.found;
  if (check.status == CheckStatus::unknown) return "could not check: " + check.found;
  std::string text = "problem (" + to_text(check.level) + "): " + check.found;
  if (!check.meaning.empty()) text += ": " + check.meaning;
  return check.remedy.empty() ? text : text + "; " + check.remedy;
}

CounterTexts read_counters_of(const std::string& root) {
  return {text_or_nothing(root + "/proc/stat"), text_or_nothing(root + "/proc/schedstat"),
          text_or_nothing(root + "/proc/interrupts"), Nanoseconds{static_cast<double>(MonotonicClock().now().ns)}};
}

CheckInputs check_inputs(const Topology& topology, const std::string& build_flags, const std::string& output,
                         Nanoseconds watch) {
  CheckInputs inputs;
  inputs.cpus = topology.usable();
  inputs.total = topology.total();
  inputs.restriction = topology.restriction();
  inputs.cgroups = own_cgroups();
  inputs.environment = environment();
  inputs.build_flags = build_flags;
  inputs.randomises = (::personality(0xffffffff) & ADDR_NO_RANDOMIZE) == 0;
  inputs.clock = monotonic_clock_facts();
  inputs.output = output;
  inputs.disk_bytes = free_bytes(output);
  inputs.room = process_headroom();
  if (!(watch > Nanoseconds{})) return inputs;
  inputs.before = read_counters_of({});
  std::this_thread::sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(watch.count)));
  inputs.after = read_counters_of({});
  return inputs;
}

}  // namespace assay
