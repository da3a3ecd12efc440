// SPDX-License-Identifier: Apache-2.0
// The list of checks, the words that they are made of, and what this machine puts into them.
#include "platform/machine/checks.hpp"

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
#include "platform/file/machine_files.hpp"
#include "platform/machine/check.hpp"

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

namespace checks {

Check fine(std::string found) { return {{}, CheckStatus::ok, CheckLevel::info, std::move(found), {}, {}}; }

Check not_known(std::string why) { return {{}, CheckStatus::unknown, CheckLevel::info, std::move(why), {}, {}}; }

Check trouble(CheckLevel level, std::string found, std::string meaning, std::string remedy) {
  return {{}, CheckStatus::problem, level, std::move(found), std::move(meaning), std::move(remedy)};
}

std::optional<std::string> text_at(const CheckInputs& inputs, const std::string& path) {
  try {
    return trimmed_file(inputs.root + path);
  } catch (const PlatformError&) {
    return std::nullopt;
  }
}

std::optional<std::string> cpu_text(const CheckInputs& inputs, int cpu, const std::string& file) {
  return text_at(inputs, "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/" + file);
}

std::string decimal(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3).ptr;
  return std::string(text.data(), end);
}

std::string percent(double share) { return decimal(100 * share) + " %"; }

}  // namespace checks

namespace {

struct CheckEntry {
  const char* id;
  Check (*make)(const CheckInputs&);
};
constexpr CheckEntry entries[] = {
    {"G-ASLR", checks::aslr},      {"G-CLK", checks::clock},      {"G-DEBUG", checks::debug},
    {"G-DISK", checks::disk},      {"G-GOV", checks::governor},   {"G-HUGE", checks::huge},
    {"G-IRQ", checks::interrupts}, {"G-LIMIT", checks::limits},   {"G-LOAD", checks::load},
    {"G-MPI", checks::mpi},        {"G-PERF", checks::observers}, {"G-QUOTA", checks::quota},
    {"G-SET", checks::set},        {"G-SMT", checks::smt},        {"G-STEAL", checks::steal},
    {"G-THERM", checks::thermal},  {"G-TURBO", checks::turbo},    {"G-VIRT", checks::virtual_machine}};

Check made(const CheckEntry& entry, const CheckInputs& inputs) {
  Check check;
  try {
    check = entry.make(inputs);
  } catch (const std::exception& error) {
    check = checks::not_known(error.what());
  }
  check.id = entry.id;
  return check;
}

}  // namespace

std::vector<Check> make_checks(const CheckInputs& inputs) {
  std::vector<Check> found;
  for (const CheckEntry& entry : entries) found.push_back(made(entry, inputs));
  return found;
}

}  // namespace assay
