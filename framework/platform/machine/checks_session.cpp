// SPDX-License-Identifier: Apache-2.0
// Checks of what surrounds a session: limits, clock, build, tools that watch the process, disk.
#include <algorithm>
#include <array>

#include "platform/file/machine_files.hpp"
#include "platform/machine/checks.hpp"
#include "text/words.hpp"

namespace assay::checks {
namespace {

constexpr const char* unoptimised[] = {"-O0", "-Og"};
constexpr const char* no_timings = "timings are meaningless";

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

/// What the build has in it that makes timings meaningless; empty when nothing.
std::string build_fault(const std::string& flags) {
  if (mentions(flags, "-fsanitize")) return "sanitizer build";
  if (mentions(flags, "--coverage") || mentions(flags, "-fprofile-arcs")) return "coverage build";
  for (const char* level : unoptimised)
    if (mentions(flags, level)) return "built without optimisation";
  return mentions(flags, "-O") ? std::string() : "built without optimisation";
}

/// The loader's variable that is set; empty when none is.
std::string preloaded(const CheckInputs& inputs) {
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT"})
    if (const auto set = inputs.environment.find(name); set != inputs.environment.end())
      return set->first + "=" + set->second;
  return {};
}

bool under_valgrind(const CheckInputs& inputs) {
  return mentions(text_at(inputs, "/proc/self/maps").value_or(""), "vgpreload_");
}

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

Check aslr(const CheckInputs& inputs) {
  const auto level = text_at(inputs, "/proc/sys/kernel/randomize_va_space");
  if (!level && inputs.randomises) return not_known("the kernel does not report whether it randomises addresses");
  if (inputs.randomises && *level != "0") return fine("addresses are randomised");
  return trouble(CheckLevel::warn, "addresses are not randomised",
                 "processes share one layout, whose effect of up to 10 % cannot be seen",
                 "run without setarch -R, and set kernel.randomize_va_space to 2");
}

Check clock(const CheckInputs& inputs) {
  const auto source = text_at(inputs, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!inputs.clock.usable)
    return trouble(CheckLevel::error, "the clock cannot be used: " + inputs.clock.problem, no_timings,
                   "see the kernel's log for its clock sources");
  const std::string found = "clock source '" + source.value_or("not known") + "', " +
                            decimal(inputs.clock.read_cost.count) + " ns per reading, steps of " +
                            decimal(inputs.clock.step.count) + " ns";
  if (inputs.clock.read_cost < microseconds(1) && inputs.clock.step < microseconds(1)) return fine(found);
  return trouble(CheckLevel::warn, found, "batches have to be long, and short actions cannot be measured accurately",
                 "boot with a faster clock source, as tsc on x86-64 and arch_sys_counter on 64-bit ARM");
}

Check debug(const CheckInputs& inputs) {
  const std::string fault = build_fault(inputs.build_flags);
  if (!fault.empty()) return trouble(CheckLevel::error, fault, no_timings, "use a release build");
  const auto status = text_at(inputs, "/proc/self/status");
  const std::string tracer = labelled(status.value_or(""), "TracerPid");
  if (under_valgrind(inputs)) return trouble(CheckLevel::error, "running under valgrind", no_timings, "run without it");
  if (!tracer.empty() && tracer != "0")
    return trouble(CheckLevel::error, "process " + tracer + " traces this one", no_timings,
                   "run without a debugger or strace");
  if (const std::string list = preloaded(inputs); !list.empty())
    return trouble(CheckLevel::warn, list, "preloaded libraries may replace what is measured", "unset it");
  if (!status) return not_known("/proc/self/status cannot be read");
  return fine("release build; no sanitizer, debugger, valgrind or preloaded library");
}

Check disk(const CheckInputs& inputs) {
  if (!inputs.disk_bytes) return not_known("the file system of the results does not report it");
  const std::string found = mebibytes(*inputs.disk_bytes) + " free for results";
  if (*inputs.disk_bytes >= std::size_t{64} << 20) return fine(found);
  return trouble(CheckLevel::warn, found, "a campaign ends when they are used up",
                 "make room, or name another directory with --output");
}

Check huge(const CheckInputs& inputs) {
  const auto pages = text_at(inputs, "/sys/kernel/mm/transparent_hugepage/enabled");
  const auto balancing = text_at(inputs, "/proc/sys/kernel/numa_balancing");
  if (!pages && !balancing) return not_known("the kernel reports neither huge pages nor NUMA balancing");
  const std::string found = "transparent huge pages: " + (pages ? bracketed_word(*pages) : "not reported") +
                            ", automatic NUMA balancing: " +
                            (!balancing          ? "not reported"
                             : *balancing == "0" ? "off"
                                                 : "on");
  if (!balancing || *balancing == "0") return fine(found);
  return trouble(CheckLevel::info, found, "pages move between nodes while memory is measured",
                 "sysctl kernel.numa_balancing=0");
}

Check limits(const CheckInputs& inputs) {
  constexpr std::size_t few_threads = 64;
  constexpr std::size_t few_descriptors = 64;
  const bool is_enough = inputs.room.threads >= few_threads && inputs.room.descriptors >= few_descriptors;
  if (is_enough) return fine("room for workers, threads and descriptors");
  return trouble(CheckLevel::warn,
                 "room for only " + std::to_string(inputs.room.threads) + " more threads and " +
                     std::to_string(inputs.room.descriptors) + " descriptors",
                 "few workers can be open at a time, and large teams cannot", "raise ulimit -u and ulimit -n");
}

Check mpi(const CheckInputs&) { return not_known("this session has no MPI ranks"); }

Check quota(const CheckInputs& inputs) {
  if (inputs.cgroups.membership.empty()) return not_known("the kernel shows no control groups");
  const auto cpus = cpu_quota(inputs.cgroups);
  if (!cpus) return fine("no control group limits CPU time");
  return trouble(CheckLevel::warn,
                 "CPU quota " + decimal(*cpus) + " of " + std::to_string(inputs.cpus.size()) + " CPUs",
                 "processes are stopped when it is used up; affected visits are marked",
                 "raise the quota (cpu.max, cpu.cfs_quota_us), or measure outside the container");
}

Check set(const CheckInputs& inputs) {
  if (inputs.restriction.empty()) return fine("all " + std::to_string(inputs.cpus.size()) + " CPUs can be used");
  return trouble(CheckLevel::info, inputs.restriction, "nothing is measured elsewhere, and no team can be larger",
                 "none needed, unless more CPUs were meant to be measured (taskset, cpuset)");
}

}  // namespace assay::checks
