// SPDX-License-Identifier: Apache-2.0
// Detours of a thread, explained by what the kernel did on its CPU meanwhile. Knows no kernel: times and names only.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "ledger/cause.hpp"

namespace assay {

/// Something that began or ended on the CPU.
struct CpuEvent {
  enum class Kind : unsigned char { interrupt_entry, interrupt_exit, softirq_entry, softirq_exit, thread };
  std::int64_t at = 0;  ///< ns, of the clock that detours are read from
  Kind kind = Kind::thread;
  std::string name{};  ///< of the interrupt, of the softirq, or of the thread that runs from here on
  /// Of a change of threads only.
  bool to_observed = false;    ///< to the thread that is being observed
  bool to_idle = false;        ///< to none
  bool to_kernel = false;      ///< to a thread of the kernel
  bool to_real_time = false;   ///< to one that preempts every ordinary thread
  bool from_runnable = false;  ///< from one that did not wait for anything
};

/// A gap between two readings of the clock.
struct ClockGap {
  std::int64_t from = 0;  ///< ns
  std::int64_t to = 0;
};

/// What else is known of the gaps.
struct Circumstances {
  double step = 0;   ///< ns of each gap that the loop itself takes
  double quota = 0;  ///< ns for which control groups were kept from running meanwhile, as they count it
};

/// Assigns the time of each gap beyond the loop's step. Within a gap, time belongs to the interrupt that is being
/// handled, else to the softirq, else to the thread that runs. What is left, on the way into the kernel and back, goes
/// to the longest of the causes found in that gap, softirqs last, as long as it is less than `kernel_entry` for each of
/// them; else, and where there is none, the CPU did nothing that the kernel knows of: Cause::elsewhere.
///
/// A thread that could have gone on, and in whose place none ran, was kept from running by a quota: all its absence is
/// the quota's. Where other threads used the CPU meanwhile, the longest absences that do not begin with a real-time
/// thread are, as far as the control groups' count says so. Both sequences are in the order of time.
Ledger attribute(std::span<const ClockGap> gaps, std::span<const CpuEvent> events, const Circumstances& circumstances);

/// Most time, in ns, that an interrupt takes before its first and after its last event; on virtual machines some
/// microseconds.
inline constexpr double kernel_entry = 10'000;

}  // namespace assay
