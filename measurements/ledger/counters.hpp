// SPDX-License-Identifier: Apache-2.0
// What the kernel counts of interrupts, threads, quotas and hypervisors: less than its tracepoints, and for every user.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/attribution.hpp"

namespace assay {

/// Column of a CPU in a table such as /proc/interrupts, by name of the row: "LOC Local timer interrupts", "24 virtio0".
/// Rows without that column are left out.
std::map<std::string, std::int64_t> counts_in_column(std::string_view table, int cpu);

/// The value of a key in the lines "KEY NUMBER" of a file such as cpu.stat; 0 where there is none.
std::int64_t value_of_key(std::string_view text, std::string_view key);

/// Time for which the control groups of this process, each with its parents, were kept from running.
class QuotaCount {
 public:
  /// Finds their files. In groups of which none can be read nothing is counted.
  QuotaCount();
  /// ns, of all of them together.
  double read() const;
  bool is_known() const { return !files_.empty(); }

 private:
  std::vector<std::string> files_;
};

/// What one thread ran, in ns.
struct ThreadTime {
  std::string name;
  bool is_kernel = false;
  double ran = 0;
};

/// What happened on a CPU between two readings.
struct CpuCounts {
  std::map<std::string, std::int64_t> interrupts;
  double waited = 0;     ///< ns that the observed thread waited for the CPU
  double throttled = 0;  ///< ns, as of QuotaCount
  double stolen = 0;     ///< ns that a hypervisor says it took; in steps of a tick of the clock of processes
  std::vector<ThreadTime> threads;
};

/// Reads them, for the calling thread.
class CpuCounters {
 public:
  explicit CpuCounters(int cpu) : cpu_(cpu) {}
  /// The beginning of what is counted; `quickly` where stop_quickly() follows.
  void start();
  void start_quickly() { before_ = read(); }
  /// What happened since. Reads some files for each thread of the machine: not for what is timed.
  CpuCounts stop() const;
  /// Of it, only what needs no look at other threads.
  CpuCounts stop_quickly() const;
  bool knows_quota() const { return quota_.is_known(); }

 private:
  struct Reading {
    std::map<std::string, std::int64_t> interrupts;
    double waited = 0;
    double throttled = 0;
    double stolen = 0;
  };
  Reading read() const;
  std::map<std::string, double> times_of_threads() const;

  int cpu_;
  QuotaCount quota_;
  Reading before_;
  std::map<std::string, double> threads_before_;
};

/// Assigns lost time, in ns, as far as counts can: the time waited to the quota and to the threads that ran, by how
/// long; what a hypervisor took to it; the rest to the interrupts, with their softirqs, by how often they came, or,
/// where there was none, to no cause that is known.
Ledger attribute_by_counts(double lost, const CpuCounts& counts);

}  // namespace assay
