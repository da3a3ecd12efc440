// SPDX-License-Identifier: Apache-2.0
// Facts about the machine and its settings, one short reader each.
#include "platform/machine/machine.hpp"

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/value.hpp"
#include "platform/file/append_file.hpp"
#include "platform/file/machine_files.hpp"
#include "platform/machine/cgroup.hpp"
#include "platform/machine/power.hpp"
#include "text/words.hpp"

namespace assay {
namespace {

const std::string cpu_directory = "/sys/devices/system/cpu/";

/// The value, or a failure that says what was not found.
std::string required(std::string value, const std::string& what) {
  if (value.empty()) throw PlatformError(what, 0);
  return value;
}

std::string cpu_info(std::string_view label) { return labelled(trimmed_file("/proc/cpuinfo"), label); }

/// ARM kernels name the parts of a model by numbers.
std::string cpu_model(const Topology&) {
  const std::string info = trimmed_file("/proc/cpuinfo");
  if (std::string name = labelled(info, "model name"); !name.empty()) return name;
  const std::string part = required(labelled(info, "CPU part"), "/proc/cpuinfo names no model");
  return "implementer " + labelled(info, "CPU implementer") + " part " + part;
}

std::string cpu_microcode(const Topology&) {
  return required(cpu_info("microcode"), "/proc/cpuinfo does not report it");
}

std::string cpu_usable(const Topology& topology) {
  const std::string list = cpu_ranges(topology.usable());
  return topology.restriction().empty() ? list : list + " (" + topology.restriction() + ")";
}

std::string cpu_topology(const Topology& topology) { return topology.summary(); }

std::string cache_text(const std::string& directory) {
  const std::string type = trimmed_file(directory + "type");
  const std::string suffix = type == "Data" ? "d" : type == "Instruction" ? "i" : "";
  return "L" + trimmed_file(directory + "level") + suffix + " " + trimmed_file(directory + "size");
}

/// Of the first usable CPU: "L1d 48K, L1i 32K, L2 2048K, L3 266240K".
std::string cpu_caches(const Topology& topology) {
  const std::string cpu = cpu_directory + "cpu" + std::to_string(topology.usable().at(0)) + "/cache/index";
  std::string text = cache_text(cpu + "0/");
  for (int index = 1; ::access((cpu + std::to_string(index) + "/level").c_str(), R_OK) == 0; ++index)
    text += ", " + cache_text(cpu + std::to_string(index) + "/");
  return text;
}

std::string cpu_governor(const Topology& topology) { return by_cpu(topology.usable(), "cpufreq/scaling_governor"); }
std::string cpu_driver(const Topology& topology) { return by_cpu(topology.usable(), "cpufreq/scaling_driver"); }
std::string cpu_least(const Topology& topology) { return by_cpu(topology.usable(), "cpufreq/scaling_min_freq"); }
std::string cpu_most(const Topology& topology) { return by_cpu(topology.usable(), "cpufreq/scaling_max_freq"); }

/// Intel's driver says whether it is off, the others whether it is on.
std::string cpu_turbo(const Topology&) {
  const std::string intel = cpu_directory + "intel_pstate/no_turbo";
  if (::access(intel.c_str(), R_OK) == 0) return trimmed_file(intel) == "0" ? "on" : "off";
  return trimmed_file(cpu_directory + "cpufreq/boost") == "1" ? "on" : "off";
}

std::string cpu_heat(const Topology& topology) { return heat_throttles(topology.usable()); }
std::string cpu_power(const Topology&) { return power_caps(); }
std::string firmware(const Topology&) { return firmware_version(); }

std::string cpu_isolated(const Topology&) {
  const std::string list = trimmed_file(cpu_directory + "isolated");
  return list.empty() ? "none" : list;
}

utsname system_names() {
  utsname names{};
  if (::uname(&names) != 0) throw PlatformError("uname", errno);
  return names;
}

std::string host_name(const Topology&) { return system_names().nodename; }
/// Which program /bin/sh is: shells differ in how many processes they make.
std::string shell(const Topology&) { return std::filesystem::canonical("/bin/sh").string(); }
std::string kernel_name(const Topology&) { return system_names().sysname; }
std::string kernel_release(const Topology&) { return system_names().release; }
std::string kernel_version(const Topology&) { return system_names().version; }
std::string kernel_machine(const Topology&) { return system_names().machine; }
std::string libc_name() { return std::string("glibc ") + ::gnu_get_libc_version(); }
std::string libc_version(const Topology&) { return libc_name(); }

// Empty where confstr does not report it.
std::string thread_library_name() {
  std::array<char, 128> name{};
  return ::confstr(_CS_GNU_LIBPTHREAD_VERSION, name.data(), name.size()) == 0 ? "" : std::string(name.data());
}
std::string thread_library(const Topology&) { return required(thread_library_name(), "confstr does not report it"); }

bool has_hypervisor_flag() {
  std::istringstream flags(cpu_info("flags"));
  for (std::string flag; flags >> flag;)
    if (flag == "hypervisor") return true;
  return false;
}

/// Names of the firmware stand for the hypervisor where the kernel does not name it. Only x86 has a flag for it.
std::string hypervisor(const Topology&) {
  static_cast<void>(required(cpu_info("flags"), "/proc/cpuinfo has no flags on this architecture"));
  if (!has_hypervisor_flag()) return "none seen";
  return ::access("/sys/class/dmi/id/sys_vendor", R_OK) == 0
             ? "yes (" + trimmed_file("/sys/class/dmi/id/sys_vendor") + ")"
             : "yes (not named)";
}

std::string container(const Topology&) {
  if (::access("/.dockerenv", F_OK) == 0) return "docker";
  if (::access("/run/.containerenv", F_OK) == 0) return "podman";
  const char* const name = std::getenv("container");
  return name == nullptr ? "none seen" : name;
}

std::string quota(const Topology&) {
  const auto cpus = cpu_quota(own_cgroups());
  return cpus ? to_text(*cpus) + " CPUs" : "none";
}

std::string randomisation(const Topology&) {
  if ((::personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0) return "off for this process";
  const std::string level = trimmed_file("/proc/sys/kernel/randomize_va_space");
  return level == "0" ? "off" : "on (" + level + ")";
}

/// A kernel's command line can contain private data: only what bears on timing is recorded.
constexpr std::string_view timing_parameters[] = {"amd_pstate",
                                                  "clocksource",
                                                  "cpufreq.default_governor",
                                                  "default_hugepagesz",
                                                  "hugepages",
                                                  "hugepagesz",
                                                  "idle",
                                                  "intel_idle.max_cstate",
                                                  "intel_pstate",
                                                  "irqaffinity",
                                                  "isolcpus",
                                                  "maxcpus",
                                                  "mitigations",
                                                  "nohz",
                                                  "nohz_full",
                                                  "nosmt",
                                                  "nospectre_v2",
                                                  "numa_balancing",
                                                  "nmi_watchdog",
                                                  "preempt",
                                                  "processor.max_cstate",
                                                  "rcu_nocbs",
                                                  "skew_tick",
                                                  "threadirqs",
                                                  "transparent_hugepage",
                                                  "tsc"};

// "preempt=full", of the kernel's command line.
std::string parameter(const std::string& name) {
  std::istringstream words(trimmed_file("/proc/cmdline"));
  for (std::string word; words >> word;)
    if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
  return {};
}

std::string kernel_preemption(const Topology&) {
  const utsname names = system_names();
  return preemption_of({trimmed_file_or("/sys/kernel/debug/sched/preempt", ""), parameter("preempt"),
                        trimmed_file_or(std::string("/boot/config-") + names.release, ""), names.version});
}

std::string kernel_parameters(const Topology&) {
  std::istringstream words(trimmed_file("/proc/cmdline"));
  std::string kept;
  for (std::string word; words >> word;) {
    const auto name = std::string_view(word).substr(0, word.find('='));
    if (std::find(std::begin(timing_parameters), std::end(timing_parameters), name) != std::end(timing_parameters))
      kept += (kept.empty() ? "" : " ") + word;
  }
  return kept.empty() ? "none that bears on timing" : kept;
}

std::string scheduling(const Topology&) {
  const int policy = ::sched_getscheduler(0);
  if (policy < 0) throw PlatformError("sched_getscheduler", errno);
  static constexpr const char* names[] = {"other", "fifo", "round robin", "batch", "iso", "idle", "deadline"};
  const auto number = static_cast<std::size_t>(policy);
  const std::string name = number < std::size(names) ? names[number] : "policy " + std::to_string(policy);
  return name + ", nice " + std::to_string(::getpriority(PRIO_PROCESS, 0));
}

std::string memory_info(const std::string& label) {
  return required(labelled(trimmed_file("/proc/meminfo"), label), "/proc/meminfo has no " + label);
}

std::string memory_total(const Topology&) { return memory_info("MemTotal"); }
std::string memory_swap(const Topology&) { return memory_info("SwapTotal"); }
std::string memory_free(const Topology&) { return std::to_string(available_memory() / 1024) + " kB"; }
std::string page_bytes(const Topology&) { return std::to_string(::sysconf(_SC_PAGESIZE)); }

std::string huge_pages(const Topology&) {
  return memory_info("HugePages_Total") + " of " + memory_info("Hugepagesize");
}

/// 0: there is none.
std::string tracer(const Topology&) {
  const std::string id = labelled(trimmed_file("/proc/self/status"), "TracerPid");
  return id == "0" ? "none" : "process " + required(id, "/proc/self/status does not report it");
}

std::string preloaded(const Topology&) {
  const char* const list = std::getenv("LD_PRELOAD");
  return list == nullptr || *list == '\0' ? "none" : list;
}

struct Reader {
  const char* key;
  std::string (*read)(const Topology&);
};
constexpr Reader readers[] = {{"host.name", host_name},
                              {"cpu.model", cpu_model},
                              {"cpu.microcode", cpu_microcode},
                              {"cpu.topology", cpu_topology},
                              {"cpu.usable", cpu_usable},
                              {"cpu.caches", cpu_caches},
                              {"cpu.governor", cpu_governor},
                              {"cpu.frequency_driver", cpu_driver},
                              {"cpu.min_khz", cpu_least},
                              {"cpu.max_khz", cpu_most},
                              {"cpu.turbo", cpu_turbo},
                              {"cpu.isolated", cpu_isolated},
                              {"cpu.heat_throttles", cpu_heat},
                              {"cpu.power_cap_watts", cpu_power},
                              {"firmware.version", firmware},
                              {"kernel.name", kernel_name},
                              {"kernel.release", kernel_release},
                              {"kernel.version", kernel_version},
                              {"kernel.architecture", kernel_machine},
                              {"kernel.parameters", kernel_parameters},
                              {"kernel.preemption", kernel_preemption},
                              {"libc.version", libc_version},
                              {"libc.threads", thread_library},
                              {"virtual.hypervisor", hypervisor},
                              {"virtual.container", container},
                              {"cgroup.cpu_quota", quota},
                              {"memory.total", memory_total},
                              {"memory.available", memory_free},
                              {"memory.swap", memory_swap},
                              {"memory.huge_pages", huge_pages},
                              {"memory.page_bytes", page_bytes},
                              {"process.address_randomisation", randomisation},
                              {"process.scheduling", scheduling},
                              {"process.tracer", tracer},
                              {"process.preload", preloaded},
                              {"system.shell", shell}};

/// Facts that are the text of a file, or the word in brackets there.
struct File {
  const char* key;
  const char* path;
};
constexpr File files[] = {{"cpu.smt", "/sys/devices/system/cpu/smt/control"},
                          {"cpu.idle_driver", "/sys/devices/system/cpu/cpuidle/current_driver"},
                          {"clock.source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
                          {"clock.sources", "/sys/devices/system/clocksource/clocksource0/available_clocksource"},
                          {"kernel.boot_id", "/proc/sys/kernel/random/boot_id"},
                          {"kernel.numa_balancing", "/proc/sys/kernel/numa_balancing"},
                          {"memory.transparent_huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled"},
                          {"load.average", "/proc/loadavg"}};

struct ResourceLimit {
  const char* key;
  __rlimit_resource_t resource;
};
constexpr ResourceLimit resource_limits[] = {
    {"limit.processes", RLIMIT_NPROC},      {"limit.descriptors", RLIMIT_NOFILE},
    {"limit.locked_bytes", RLIMIT_MEMLOCK}, {"limit.address_space_bytes", RLIMIT_AS},
    {"limit.stack_bytes", RLIMIT_STACK},    {"limit.cpu_seconds", RLIMIT_CPU},
    {"limit.file_bytes", RLIMIT_FSIZE},     {"limit.realtime_priority", RLIMIT_RTPRIO}};

std::string limit_text(rlim_t limit) { return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit); }

/// "soft", or "soft of hard" where it could be raised.
std::string limit_value(__rlimit_resource_t resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) throw PlatformError("getrlimit", errno);
  const std::string soft = limit_text(limit.rlim_cur);
  return limit.rlim_cur == limit.rlim_max ? soft : soft + " of " + limit_text(limit.rlim_max);
}

template <class Read>
Fact fact(const char* key, Read read) {
  try {
    return {key, read()};
  } catch (const std::exception& error) {
    return {key, std::string("not available: ") + error.what()};
  }
}

}  // namespace

std::vector<Fact> machine_facts(const Topology& topology) {
  std::vector<Fact> facts;
  for (const Reader& reader : readers) facts.push_back(fact(reader.key, [&] { return reader.read(topology); }));
  for (const File& file : files)
    facts.push_back(fact(file.key, [&] { return bracketed_word(trimmed_file(file.path)); }));
  for (const ResourceLimit& limit : resource_limits)
    facts.push_back(fact(limit.key, [&] { return limit_value(limit.resource); }));
  std::sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.key < b.key; });
  return facts;
}

std::string preemption_of(const PreemptionTexts& texts) {
  const auto begin = texts.modes.find('(');
  const auto end = texts.modes.find(')');
  if (begin < end && end != texts.modes.npos) return texts.modes.substr(begin + 1, end - begin - 1);
  if (texts.version.find("PREEMPT_RT") != texts.version.npos) return "real-time";
  if (!texts.parameter.empty()) return texts.parameter;
  constexpr std::pair<const char*, const char*> options[] = {{"CONFIG_PREEMPT_NONE=y", "none"},
                                                             {"CONFIG_PREEMPT_VOLUNTARY=y", "voluntary"},
                                                             {"CONFIG_PREEMPT_LAZY=y", "lazy"},
                                                             {"CONFIG_PREEMPT=y", "full"}};
  std::istringstream lines(texts.options);
  for (std::string line; std::getline(lines, line);)
    for (const auto& [option, mode] : options)
      if (line == option) return mode;
  if (texts.version.find("PREEMPT_DYNAMIC") != texts.version.npos)
    throw PlatformError("PREEMPT_DYNAMIC: the mode is in debugfs, which root reads where it is mounted", 0);
  return texts.version.find("PREEMPT") != texts.version.npos ? "full" : "none or voluntary";
}

bool one_thread_per_core() {
  try {
    const std::string control = trimmed_file(cpu_directory + "smt/control");
    return (control == "off" || control == "forceoff" || control == "notsupported") && !has_hypervisor_flag();
  } catch (const std::exception&) {
    return false;
  }
}

bool is_virtual_machine() {
  try {
    return has_hypervisor_flag();
  } catch (const std::exception&) {
    return false;
  }
}

std::string own_library() {
  const std::string threads = thread_library_name();
  return threads.empty() ? libc_name() : libc_name() + ", " + threads;
}

std::size_t available_memory() {
  const std::string text = memory_info("MemAvailable");
  std::size_t kibibytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), kibibytes);
  const std::size_t machine = kibibytes * 1024;
  const auto group = memory_room(own_cgroups());
  return group ? std::min(machine, static_cast<std::size_t>(*group)) : machine;
}

}  // namespace assay
