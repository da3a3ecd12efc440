// SPDX-License-Identifier: Apache-2.0
// The facts that make another machine, and those that do not.
#include "app/results/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "run/series/identity.hpp"

namespace assay {
namespace {

constexpr std::array<std::string_view, 19> hard{
    "assay.version", "assay.revision",   "build.compiler",      "build.flags",       "build.type",
    "build.library", "clock.source",     "cpu.model",           "cpu.topology",      "cpu.usable",
    "cpu.smt",       "kernel.name",      "kernel.architecture", "libc.version",      "libc.threads",
    "mpi.library",   "mpi.thread_level", "process.scheduling",  "virtual.hypervisor"};

constexpr std::array<std::string_view, 12> soft{"host.name",
                                                "kernel.boot_id",
                                                "kernel.release",
                                                "kernel.version",
                                                "kernel.parameters",
                                                "cpu.turbo",
                                                "cpu.microcode",
                                                "cpu.governor",
                                                "cgroup.cpu_quota",
                                                "memory.page_bytes",
                                                "memory.transparent_huge_pages",
                                                "kernel.numa_balancing"};

Facts among(const Facts& facts, std::span<const std::string_view> keys) {
  Facts kept;
  for (const auto& fact : facts)
    if (std::ranges::find(keys, fact.first) != keys.end()) kept.push_back(fact);
  return kept;
}

}  // namespace

Facts hard_facts(const Facts& facts) { return among(facts, hard); }

std::vector<std::string> hard_differences(const Facts& then, const Facts& now) {
  return differences(hard_facts(then), hard_facts(now));
}

std::vector<std::string> soft_differences(const Facts& then, const Facts& now) {
  return differences(among(then, soft), among(now, soft));
}

}  // namespace assay
