// SPDX-License-Identifier: Apache-2.0
// The grounds on which a cycle counter is refused, apart from any machine.
#include "platform/clock/counter_check.hpp"

#include <sstream>
#include <string_view>

namespace assay {
namespace {

constexpr Nanoseconds trapped_cost{100};

bool has_word(const std::string& line, std::string_view wanted) {
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

/// Every CPU must have the flag: mixed machines exist under hypervisors.
std::string flag_objection(const std::string& cpu_info, std::string_view flag) {
  std::istringstream lines(cpu_info);
  int with = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("flags")) continue;
    if (!has_word(line, flag)) return "a CPU lacks the flag " + std::string(flag);
    ++with;
  }
  return with > 0 ? std::string() : "the CPU flags cannot be read";
}

std::string invariance_objection(const CounterEvidence& evidence) {
  if (evidence.architecture != "x86_64") return {};
  const std::string objection = flag_objection(evidence.cpu_info, "constant_tsc");
  return objection.empty() ? flag_objection(evidence.cpu_info, "nonstop_tsc") : objection;
}

std::string source_objection(const CounterEvidence& evidence) {
  const std::string expected = evidence.architecture == "x86_64" ? "tsc" : "arch_sys_counter";
  if (evidence.clock_source == expected) return {};
  const std::string used = evidence.clock_source.empty() ? "not known" : "'" + evidence.clock_source + "'";
  return "the kernel's clock source is " + used + ", not '" + expected + "'";
}

}  // namespace

std::string counter_objection(const CounterEvidence& evidence) {
  if (evidence.architecture != "x86_64" && evidence.architecture != "aarch64")
    return "no cycle counter is known for this architecture (" + evidence.architecture + ")";
  if (std::string why = invariance_objection(evidence); !why.empty()) return why;
  if (std::string why = source_objection(evidence); !why.empty()) return why;
  if (evidence.read_cost >= trapped_cost)
    return "a reading takes " + std::to_string(static_cast<long long>(evidence.read_cost.count)) +
           " ns: the counter is trapped";
  return {};
}

}  // namespace assay
