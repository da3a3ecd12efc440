// SPDX-License-Identifier: Apache-2.0
// The kernel's counters of what happened to CPUs: stolen ticks, waiting, throttling, interrupts, sleep of the machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/batch.hpp"
#include "base/units.hpp"
#include "platform/machine/cgroup.hpp"

namespace assay {

/// Shares of CPU time taken by a hypervisor that are reported, and that disturb a visit.
inline constexpr double noticeable_steal = 0.005;
inline constexpr double spoiling_steal = 0.05;

/// Ticks of /proc/stat that the CPUs' lines give as stolen, and as used for anything but idling. Nothing when a CPU has
/// no line, or a line no such column.
std::optional<std::int64_t> stolen_ticks(std::string_view stat, const std::vector<int>& cpus);
std::optional<std::int64_t> busy_ticks(std::string_view stat, const std::vector<int>& cpus);
/// Threads that ran or could have run, the reader among them, for each CPU of the system. Nothing when the system has
/// CPUs that are not among these: its count says not where threads are.
std::optional<double> runnable_per_cpu(std::string_view stat, const std::vector<int>& cpus);
/// Nanoseconds that tasks waited to run on the CPUs, of /proc/schedstat (version 15 and later).
std::optional<std::int64_t> run_queue_wait(std::string_view schedstat, const std::vector<int>& cpus);
/// Interrupts handled by each CPU, of /proc/interrupts.
std::map<int, std::int64_t> interrupts_by_cpu(std::string_view interrupts);
/// Ticks as a share of `ns` on so many CPUs.
double share_of_ticks(std::int64_t ticks, double ns, std::size_t cpus);

/// The counters at one moment. Nothing where the kernel does not report it.
struct SystemReading {
  Nanoseconds at{};                       ///< on CLOCK_MONOTONIC
  Nanoseconds asleep{};                   ///< of the machine since its start: CLOCK_BOOTTIME less CLOCK_MONOTONIC
  std::optional<std::int64_t> stolen;     ///< ticks, of all measured CPUs
  std::optional<std::int64_t> throttled;  ///< periods in which the control group had used up its quota
  std::optional<std::int64_t> heated;     ///< times that measured CPUs were slowed down by heat
  std::optional<std::int64_t> waited;     ///< ns that tasks waited for measured CPUs
  std::optional<double> at_work;          ///< other threads that ran or could have run, for each CPU of the system
  std::string clock_source;
};

/// What happened to CPUs between two readings.
struct Interference {
  double stolen = 0;       ///< share of CPU time that was stolen for sure: a tick that may lie outside is left out
  double told_stolen = 0;  ///< the same with that tick, for long stretches
  std::int64_t throttled = 0;
  std::int64_t heated = 0;
  double waited = 0;  ///< share of CPU time that tasks waited
  Nanoseconds asleep{};
  std::size_t cpus = 0;
  Nanoseconds time{};  ///< between the readings
  /// What a visit that it happened in is to be marked with.
  Disturbances marks() const;
};
Interference between(const SystemReading& before, const SystemReading& after, std::size_t cpus);

/// Reads the counters of some CPUs, with files kept open, so that a reading takes some 10 us.
class SystemCounters {
 public:
  /// `root` stands before /proc and /sys. What cannot be opened is left out of every reading.
  SystemCounters(std::vector<int> cpus, const CgroupView& cgroups, const std::string& root = {});
  SystemCounters(const SystemCounters&) = delete;
  SystemCounters& operator=(const SystemCounters&) = delete;
  ~SystemCounters();
  /// Of these CPUs; of all that it was made for where there are none.
  SystemReading read(const std::vector<int>& cpus = {}) const;

 private:
  std::string_view text_of(int descriptor) const;
  std::unique_ptr<char[]> buffer_;  ///< of the last file read; kept, since it is used beside every visit
  std::vector<int> all_;
  int stat_;
  int schedstat_;
  int group_;
  int clock_source_;
  std::map<int, int> heat_;  ///< file by CPU
};

}  // namespace assay
