// SPDX-License-Identifier: Apache-2.0
// Checks of what the machine is and does: hypervisor, frequency, heat, siblings, interrupts, other load.
#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "platform/file/machine_files.hpp"
#include "platform/machine/checks.hpp"
#include "platform/machine/system_counters.hpp"
#include "platform/procfs/kernel_observers.hpp"
#include "text/number_format.hpp"
#include "text/words.hpp"

namespace assay::checks {
namespace {

constexpr Nanoseconds long_enough = milliseconds(200);  // of clock ticks of 10 ms, so that one of them is not 5 %

/// Why counters say nothing; empty when they do.
std::string unwatched(const CheckInputs& inputs, const std::string& what) {
  if (inputs.after.at - inputs.before.at < long_enough)
    return what + " is counted while a campaign runs; 'assay doctor' checks it now";
  return {};
}

double seconds_watched(const CheckInputs& inputs) { return (inputs.after.at - inputs.before.at).count / 1e9; }

bool has_flag(const CheckInputs& inputs, const std::string& wanted) {
  std::istringstream flags(labelled(text_at(inputs, "/proc/cpuinfo").value_or(""), "flags"));
  for (std::string flag; flags >> flag;)
    if (flag == wanted) return true;
  return false;
}

std::string container_of(const CheckInputs& inputs) {
  if (text_at(inputs, "/.dockerenv")) return "docker";
  if (text_at(inputs, "/run/.containerenv")) return "podman";
  if (const auto named = inputs.environment.find("container"); named != inputs.environment.end()) return named->second;
  return inputs.environment.contains("KUBERNETES_SERVICE_HOST") ? "kubernetes" : "";
}

/// The CPUs whose file has this text.
std::vector<int> cpus_with(const CheckInputs& inputs, const std::string& file, const std::string& text) {
  std::vector<int> found;
  for (const int cpu : inputs.cpus)
    if (cpu_text(inputs, cpu, file) == text) found.push_back(cpu);
  return found;
}

}  // namespace

Check virtual_machine(const CheckInputs& inputs) {
  if (!text_at(inputs, "/proc/cpuinfo")) return not_known("/proc/cpuinfo cannot be read");
  const auto vendor = text_at(inputs, "/sys/class/dmi/id/sys_vendor");
  const auto named = text_at(inputs, "/sys/hypervisor/type");
  const std::string container = container_of(inputs);
  if (has_flag(inputs, "hypervisor") || named)
    return trouble(CheckLevel::warn,
                   "virtual machine (" + named.value_or(vendor.value_or("hypervisor not named")) + ")",
                   "the load of the host is not visible here", "compare only with runs on this guest");
  if (!container.empty())
    return trouble(CheckLevel::info, "container (" + container + ")", "other containers share these CPUs",
                   "look at G-LOAD, and compare only with runs in such a container");
  if (labelled(text_at(inputs, "/proc/cpuinfo").value_or(""), "flags").empty())
    return not_known("no flag of the CPU indicates a hypervisor on this architecture; the firmware's vendor is " +
                     (vendor ? "'" + *vendor + "'" : "not reported"));
  return fine("no hypervisor, no container seen");
}

Check governor(const CheckInputs& inputs) {
  std::set<std::string> names;
  for (const int cpu : inputs.cpus)
    if (const auto name = cpu_text(inputs, cpu, "cpufreq/scaling_governor")) names.insert(*name);
  if (names.empty()) return not_known("the kernel exposes no frequency scaling");
  names.erase("performance");
  if (names.empty()) return fine("governor 'performance'");
  const auto cpus = cpus_with(inputs, "cpufreq/scaling_governor", *names.begin());
  return trouble(CheckLevel::warn, "governor '" + *names.begin() + "' on CPUs " + cpu_ranges(cpus),
                 "short timings may run at a low frequency", "cpupower frequency-set -g performance");
}

Check turbo(const CheckInputs& inputs) {
  const auto intel = text_at(inputs, "/sys/devices/system/cpu/intel_pstate/no_turbo");
  const auto boost = text_at(inputs, "/sys/devices/system/cpu/cpufreq/boost");
  if (!intel && !boost) return not_known("the kernel exposes no boost setting");
  const bool is_on = intel ? *intel == "0" : *boost == "1";
  if (!is_on) return fine("turbo is off");
  return trouble(CheckLevel::info, "turbo is on", "the frequency depends on how many cores are busy",
                 "switch it off for comparisons within a few per cent");
}

Check thermal(const CheckInputs& inputs) {
  std::string throttled;
  bool is_told = false;
  for (const int cpu : inputs.cpus) {
    const auto count = cpu_text(inputs, cpu, "thermal_throttle/core_throttle_count");
    is_told |= count.has_value();
    if (!count || *count == "0") continue;
    throttled += (throttled.empty() ? "CPU " : ", CPU ") + std::to_string(cpu) + " " + *count + " times";
  }
  if (!is_told) return not_known("the kernel exposes no counts of thermal throttling");
  if (throttled.empty()) return fine("no CPU was throttled since the machine was started");
  return trouble(CheckLevel::warn, throttled + " throttled by heat since the machine was started",
                 "the machine may not hold its frequency", "improve its cooling; affected visits are marked");
}

Check smt(const CheckInputs& inputs) {
  std::set<std::string> groups;
  bool is_told = false;
  for (const int cpu : inputs.cpus) {
    const auto siblings = cpu_text(inputs, cpu, "topology/thread_siblings_list");
    is_told |= siblings.has_value();
    if (siblings && siblings->find_first_of(",-") != std::string::npos) groups.insert(*siblings);
  }
  if (!is_told) return not_known("the kernel does not report which CPUs share a core");
  if (groups.empty()) return fine("no usable CPU shares its core with another");
  return trouble(
      CheckLevel::info,
      "the CPUs of each of " + std::to_string(groups.size()) + " cores share it, as " + *groups.begin() + " do",
      "a busy sibling makes a CPU slower", "keep the siblings idle, or switch SMT off");
}

Check steal(const CheckInputs& inputs) {
  if (const std::string why = unwatched(inputs, "stolen time"); !why.empty()) return not_known(why);
  const auto before = stolen_ticks(inputs.before.stat, inputs.cpus);
  const auto after = stolen_ticks(inputs.after.stat, inputs.cpus);
  if (!before || !after) return not_known("/proc/stat does not report it");
  const double share = share_of_ticks(*after - *before, seconds_watched(inputs) * 1e9, inputs.cpus.size());
  const std::string found = percent(share) + " of CPU time was taken by the hypervisor just now";
  if (share <= noticeable_steal) return fine(found);
  return trouble(share > spoiling_steal ? CheckLevel::noisy : CheckLevel::warn, found,
                 "timings contain time in which nothing ran", "use a host that is not overcommitted");
}

Check load(const CheckInputs& inputs) {
  if (const std::string why = unwatched(inputs, "waiting for CPUs"); !why.empty()) return not_known(why);
  const auto busy = busy_ticks(inputs.before.stat, inputs.cpus);
  const auto later = busy_ticks(inputs.after.stat, inputs.cpus);
  if (!busy || !later) return not_known("/proc/stat does not report it");
  const double share = share_of_ticks(*later - *busy, seconds_watched(inputs) * 1e9, inputs.cpus.size());
  const auto waited = run_queue_wait(inputs.after.schedstat, inputs.cpus);
  const auto waited_before = run_queue_wait(inputs.before.schedstat, inputs.cpus);
  std::string found = "the usable CPUs were busy " + percent(share) + " of the time, with assay asleep";
  if (waited && waited_before)
    found +=
        ", and wanted by others " + percent(static_cast<double>(*waited - *waited_before) /
                                            (1e9 * seconds_watched(inputs) * static_cast<double>(inputs.cpus.size())));
  if (share <= 0.05) return fine(found);
  return trouble(CheckLevel::warn, found, "other programs take turns with what is measured",
                 "stop them, or keep them off these CPUs");
}

Check observers(const CheckInputs& inputs) {
  if (!text_at(inputs, "/proc/stat")) return not_known("/proc cannot be read");
  const KernelObservers found = kernel_observers(inputs.root);
  if (!found.found.empty())
    return trouble(CheckLevel::warn, to_text(found), observers_meaning,
                   "end it, or compare only with campaigns beside it");
  if (found.hidden > 0)
    return not_known("the superuser alone may see whether " + counted(found.hidden, "other program") +
                     " count performance events; none of the rest does");
  return fine("no process counts performance events, and the kernel records nothing");
}

Check interrupts(const CheckInputs& inputs) {
  if (const std::string why = unwatched(inputs, "the number of interrupts"); !why.empty()) return not_known(why);
  const auto before = interrupts_by_cpu(inputs.before.interrupts);
  const auto after = interrupts_by_cpu(inputs.after.interrupts);
  int busiest = -1;
  double most = 0;
  for (const int cpu : inputs.cpus) {
    if (!before.contains(cpu) || !after.contains(cpu)) continue;
    const double rate = static_cast<double>(after.at(cpu) - before.at(cpu)) / seconds_watched(inputs);
    if (busiest >= 0 && rate <= most) continue;
    busiest = cpu;
    most = rate;
  }
  if (busiest < 0) return not_known("/proc/interrupts does not report it");
  const std::string found =
      "CPU " + std::to_string(busiest) + " handled " + std::to_string(std::lround(most)) + " interrupts/s";
  if (most <= 5000) return fine(found);
  return trouble(CheckLevel::info, found, "batches on it are interrupted often", "steer interrupts to other CPUs");
}

}  // namespace assay::checks
