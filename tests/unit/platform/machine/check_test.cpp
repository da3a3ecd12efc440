// SPDX-License-Identifier: Apache-2.0
// Checks of machine and session, on files and counters made for the test.
#include "platform/machine/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "platform/file/append_file.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

class Checks : public testing::Test {
 protected:
  Checks() {
    inputs.root = scratch_ / "";
    inputs.root.pop_back();
    inputs.cpus = {0, 1};
    inputs.total = 2;
    inputs.build_flags = "-O3 -DNDEBUG";
    inputs.clock = {Nanoseconds{20}, Nanoseconds{25}, Nanoseconds{1}, true, {}};
    inputs.disk_bytes = std::size_t{1} << 30;
    inputs.room = {1000, 1000};
  }
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = inputs.root + name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path.string(), text);
  }
  void put_cpus(const std::string& name, const std::string& first, const std::string& second) {
    put("/sys/devices/system/cpu/cpu0/" + name, first);
    put("/sys/devices/system/cpu/cpu1/" + name, second);
  }
  Check check(const std::string& id) const {
    for (const Check& one : make_checks(inputs))
      if (one.id == id) return one;
    throw std::out_of_range(id);
  }
  CheckStatus status(const std::string& id) const { return check(id).status; }
  void expect_problem(const std::string& id, CheckLevel level, const std::string& part) const {
    const Check found = check(id);
    EXPECT_EQ(found.status, CheckStatus::problem) << id << " " << found.found;
    EXPECT_EQ(found.level, level) << id;
    EXPECT_NE(found.found.find(part), std::string::npos) << id << ": " << found.found;
    EXPECT_FALSE(found.meaning.empty()) << id;
    EXPECT_FALSE(found.remedy.empty()) << id;
  }
  /// Two readings of /proc/stat, a second apart, in which both CPUs gain these ticks.
  void watch(int used, int stolen) {
    const auto stat = [](int user, int taken) {
      const std::string fields = std::to_string(user) + " 0 0 900 0 0 0 " + std::to_string(taken) + " 0 0\n";
      return "cpu  1 1 1 1 1 1 1 1 1 1\ncpu0 " + fields + "cpu1 " + fields + "intr 9\n";
    };
    inputs.before = {stat(100, 50), {}, {}, seconds(1)};
    inputs.after = {stat(100 + used, 50 + stolen), {}, {}, seconds(2)};
  }

  test::Scratch scratch_;
  CheckInputs inputs;
};

TEST_F(Checks, NothingCanBeReadAndEachSaysSo) {
  for (const Check& one : make_checks(inputs)) {
    EXPECT_NE(one.status, CheckStatus::problem) << one.id << " " << one.found;
    EXPECT_FALSE(one.found.empty()) << one.id;
  }
  for (const char* id : {"G-VIRT", "G-GOV", "G-TURBO", "G-THERM", "G-SMT", "G-HUGE", "G-QUOTA", "G-STEAL", "G-MPI"})
    EXPECT_EQ(status(id), CheckStatus::unknown) << id;
}

TEST_F(Checks, IdsAreInOrderAndUnique) {
  const auto all = make_checks(inputs);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::ranges::less_equal{}, &Check::id));
}

TEST_F(Checks, HypervisorAndContainer) {
  put("/proc/cpuinfo", "processor : 0\nflags : fpu tsc\n");
  EXPECT_EQ(status("G-VIRT"), CheckStatus::ok);
  inputs.environment["container"] = "lxc";
  expect_problem("G-VIRT", CheckLevel::info, "container (lxc)");
  put("/proc/cpuinfo", "processor : 0\nflags : fpu hypervisor tsc\n");
  put("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  expect_problem("G-VIRT", CheckLevel::warn, "virtual machine (QEMU)");
}

TEST_F(Checks, AbsentFlagsProveNoAbsentHypervisor) {
  put("/proc/cpuinfo", "processor : 0\nFeatures : fp asimd crc32\n");
  EXPECT_EQ(status("G-VIRT"), CheckStatus::unknown);
  put("/sys/hypervisor/type", "xen\n");
  expect_problem("G-VIRT", CheckLevel::warn, "virtual machine (xen)");
}

TEST_F(Checks, GovernorThatIsAbsentIsNoWarning) {
  EXPECT_EQ(status("G-GOV"), CheckStatus::unknown);
  put_cpus("cpufreq/scaling_governor", "performance\n", "performance\n");
  EXPECT_EQ(status("G-GOV"), CheckStatus::ok);
  put_cpus("cpufreq/scaling_governor", "performance\n", "powersave\n");
  expect_problem("G-GOV", CheckLevel::warn, "'powersave' on CPUs 1");
}

TEST_F(Checks, WhoMakesTheKernelSlowerIsNamed) {
  EXPECT_EQ(status("G-PERF"), CheckStatus::unknown);
  put("/proc/stat", "cpu 0\n");
  EXPECT_EQ(status("G-PERF"), CheckStatus::ok);
  put("/proc/sys/kernel/sched_schedstats", "1\n");
  expect_problem("G-PERF", CheckLevel::warn, "the scheduler keeps statistics");
}

TEST_F(Checks, TurboOfBothKindsOfDrivers) {
  put("/sys/devices/system/cpu/cpufreq/boost", "1\n");
  expect_problem("G-TURBO", CheckLevel::info, "turbo is on");
  put("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(status("G-TURBO"), CheckStatus::ok);
}

TEST_F(Checks, ThrottleCounts) {
  put_cpus("thermal_throttle/core_throttle_count", "0\n", "0\n");
  EXPECT_EQ(status("G-THERM"), CheckStatus::ok);
  put_cpus("thermal_throttle/core_throttle_count", "0\n", "4\n");
  expect_problem("G-THERM", CheckLevel::warn, "CPU 1 4 times");
}

TEST_F(Checks, SiblingsOfACore) {
  put_cpus("topology/thread_siblings_list", "0\n", "1\n");
  EXPECT_EQ(status("G-SMT"), CheckStatus::ok);
  put_cpus("topology/thread_siblings_list", "0-1\n", "0-1\n");
  expect_problem("G-SMT", CheckLevel::info, "0-1");
}

TEST_F(Checks, F24_quota_of_both_versions_is_told) {
  inputs.cgroups = {inputs.root + "/cgroup", "0::/job\n"};
  EXPECT_EQ(status("G-QUOTA"), CheckStatus::ok);
  put("/cgroup/job/cpu.max", "30000 100000\n");
  expect_problem("G-QUOTA", CheckLevel::warn, "CPU quota 0.3 of 2 CPUs");
  inputs.cgroups.membership = "3:cpu,cpuacct:/old\n";
  put("/cgroup/cpu/old/cpu.cfs_quota_us", "50000\n");
  put("/cgroup/cpu/old/cpu.cfs_period_us", "100000\n");
  expect_problem("G-QUOTA", CheckLevel::warn, "CPU quota 0.5 of 2 CPUs");
}

TEST_F(Checks, F23_cut_set_of_cpus_is_told) {
  EXPECT_EQ(status("G-SET"), CheckStatus::ok);
  inputs.restriction = "1 of 2 CPUs usable: the inherited affinity mask leaves out 1";
  expect_problem("G-SET", CheckLevel::info, "1 of 2");
}

TEST_F(Checks, StolenTimeHasTwoLimits) {
  watch(10, 0);
  EXPECT_EQ(status("G-STEAL"), CheckStatus::ok);
  watch(10, 3);
  expect_problem("G-STEAL", CheckLevel::warn, "3 % of CPU time");
  watch(10, 20);
  expect_problem("G-STEAL", CheckLevel::noisy, "20 %");
}

TEST_F(Checks, LoadIsWhatOthersUse) {
  watch(1, 0);
  EXPECT_EQ(status("G-LOAD"), CheckStatus::ok);
  watch(40, 0);
  expect_problem("G-LOAD", CheckLevel::warn, "busy 40 %");
  inputs.before.schedstat = "version 15\ncpu0 0 0 0 0 0 0 5 0 7\ncpu1 0 0 0 0 0 0 5 0 7\n";
  inputs.after.schedstat = "version 15\ncpu0 0 0 0 0 0 0 5 120000000 7\ncpu1 0 0 0 0 0 0 5 120000000 7\n";
  expect_problem("G-LOAD", CheckLevel::warn, "wanted by others 12 %");
}

TEST_F(Checks, AShortLookSaysNothing) {
  watch(40, 20);
  inputs.after.at = inputs.before.at + milliseconds(20);
  EXPECT_EQ(status("G-STEAL"), CheckStatus::unknown);
  EXPECT_EQ(status("G-LOAD"), CheckStatus::unknown);
  EXPECT_EQ(status("G-IRQ"), CheckStatus::unknown);
}

TEST_F(Checks, InterruptsOfTheBusiestCpu) {
  inputs.before = {{}, {}, "      CPU0 CPU1\n  0:  10   20  IO-APIC timer\nERR: 0\n", seconds(1)};
  inputs.after = {{}, {}, "      CPU0 CPU1\n  0:  10 9020  IO-APIC timer\nERR: 0\n", seconds(2)};
  expect_problem("G-IRQ", CheckLevel::info, "CPU 1 handled 9000 interrupts/s");
  inputs.after.interrupts = "      CPU0 CPU1\n  0:  110 60  IO-APIC timer\n";
  EXPECT_EQ(status("G-IRQ"), CheckStatus::ok);
}

TEST_F(Checks, F31_slow_or_coarse_clock_is_told) {
  put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
  EXPECT_EQ(status("G-CLK"), CheckStatus::ok);
  inputs.clock.read_cost = Nanoseconds{1200};
  expect_problem("G-CLK", CheckLevel::warn, "clock source 'hpet', 1.2e+03 ns");
  inputs.clock = {{}, {}, {}, false, "the clock never advanced"};
  expect_problem("G-CLK", CheckLevel::error, "never advanced");
}

TEST_F(Checks, RandomisationOfAddresses) {
  put("/proc/sys/kernel/randomize_va_space", "2\n");
  EXPECT_EQ(status("G-ASLR"), CheckStatus::ok);
  inputs.randomises = false;
  expect_problem("G-ASLR", CheckLevel::warn, "not randomised");
  inputs.randomises = true;
  put("/proc/sys/kernel/randomize_va_space", "0\n");
  expect_problem("G-ASLR", CheckLevel::warn, "not randomised");
}

TEST_F(Checks, WhatMakesTimingsMeaningless) {
  put("/proc/self/status", "Name: assay\nTracerPid:\t0\n");
  EXPECT_EQ(status("G-DEBUG"), CheckStatus::ok);
  put("/proc/self/status", "Name: assay\nTracerPid:\t42\n");
  expect_problem("G-DEBUG", CheckLevel::error, "process 42 traces");
  put("/proc/self/maps", "7f00-7f01 r-xp /usr/libexec/valgrind/vgpreload_core-amd64-linux.so\n");
  expect_problem("G-DEBUG", CheckLevel::error, "valgrind");
  inputs.build_flags = "-O1 -fsanitize=thread";
  expect_problem("G-DEBUG", CheckLevel::error, "sanitizer build");
  inputs.build_flags = "-O0 --coverage";
  expect_problem("G-DEBUG", CheckLevel::error, "coverage build");
  inputs.build_flags = "-g";
  expect_problem("G-DEBUG", CheckLevel::error, "without optimisation");
}

TEST_F(Checks, PreloadedLibrary) {
  put("/proc/self/status", "TracerPid:\t0\n");
  inputs.environment["LD_PRELOAD"] = "libjemalloc.so";
  expect_problem("G-DEBUG", CheckLevel::warn, "LD_PRELOAD=libjemalloc.so");
}

TEST_F(Checks, HugePagesAndBalancing) {
  put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  put("/proc/sys/kernel/numa_balancing", "0\n");
  EXPECT_EQ(status("G-HUGE"), CheckStatus::ok);
  put("/proc/sys/kernel/numa_balancing", "1\n");
  expect_problem("G-HUGE", CheckLevel::info, "madvise, automatic NUMA balancing: on");
}

TEST_F(Checks, RoomForWorkersAndResults) {
  EXPECT_EQ(status("G-LIMIT"), CheckStatus::ok);
  EXPECT_EQ(status("G-DISK"), CheckStatus::ok);
  inputs.room.descriptors = 10;
  expect_problem("G-LIMIT", CheckLevel::warn, "10 descriptors");
  inputs.disk_bytes = std::size_t{3} << 20;
  expect_problem("G-DISK", CheckLevel::warn, "3 MiB");
  inputs.disk_bytes.reset();
  EXPECT_EQ(status("G-DISK"), CheckStatus::unknown);
}

TEST_F(Checks, TextTellsAllOfAProblem) {
  const Check check{"G-X", CheckStatus::problem, CheckLevel::warn, "found", "meaning", "remedy"};
  EXPECT_EQ(to_text(check), "problem (warn): found: meaning; remedy");
  EXPECT_TRUE(is_serious(check));
  EXPECT_FALSE(is_serious({"G-X", CheckStatus::problem, CheckLevel::info, "found", "", ""}));
  EXPECT_FALSE(is_serious({"G-X", CheckStatus::unknown, CheckLevel::warn, "why", "", ""}));
  EXPECT_EQ(to_text(Check{"G-X", CheckStatus::unknown, CheckLevel::info, "why", "", ""}), "could not check: why");
}

TEST(ThisMachine, AnswersEveryCheck) {
  const auto inputs = check_inputs(Topology::this_machine(), "-O2", ".", {});
  for (const Check& check : make_checks(inputs)) EXPECT_FALSE(check.found.empty()) << check.id;
}

}  // namespace
}  // namespace assay
