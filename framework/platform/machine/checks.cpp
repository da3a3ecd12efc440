// SPDX-License-Identifier: Apache-2.0
// The list of checks, and the words that they are made of.
#include "platform/machine/checks.hpp"

#include <array>
#include <charconv>
#include <exception>

#include "base/error.hpp"
#include "platform/file/machine_files.hpp"

namespace assay {
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
    {"G-ASLR", checks::aslr},      {"G-CLK", checks::clock},           {"G-DEBUG", checks::debug},
    {"G-DISK", checks::disk},      {"G-GOV", checks::governor},        {"G-HUGE", checks::huge},
    {"G-IRQ", checks::interrupts}, {"G-LIMIT", checks::limits},        {"G-LOAD", checks::load},
    {"G-MPI", checks::mpi},        {"G-QUOTA", checks::quota},         {"G-SET", checks::set},
    {"G-SMT", checks::smt},        {"G-STEAL", checks::steal},         {"G-THERM", checks::thermal},
    {"G-TURBO", checks::turbo},    {"G-VIRT", checks::virtual_machine}};

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
