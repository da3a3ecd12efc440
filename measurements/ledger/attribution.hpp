// SPDX-License-Identifier: Apache-2.0
// What takes a CPU from the thread that runs on it: its detours explained by what the kernel did meanwhile. Knows no
// kernel: times and names only.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// Who had the CPU instead.
enum class Cause : unsigned char {
  interrupt,
  softirq,
  kernel_thread,
  user_thread,
  quota,     ///< of a control group: the thread could have gone on, and was not allowed to
  elsewhere  ///< nothing that the kernel knows of: a hypervisor, or hardware
};
inline constexpr std::size_t cause_count = 6;

/// "interrupt", "softirq", "kernel thread", "user thread", "quota", "elsewhere".
inline const char* word_of(Cause cause) {
  constexpr std::array<const char*, cause_count> words{"interrupt",   "softirq", "kernel thread",
                                                       "user thread", "quota",   "elsewhere"};
  return words[static_cast<std::size_t>(cause)];
}

/// Lost time by cause and name, in ns.
class Ledger {
 public:
  struct Entry {
    std::int64_t count = 0;
    double lost = 0;
  };
  using Key = std::pair<Cause, std::string>;

  void add(Cause cause, const std::string& name, double lost, std::int64_t count = 1) {
    Entry& entry = entries_[{cause, name}];
    entry.lost += lost;
    entry.count += count;
  }
  const std::map<Key, Entry>& entries() const { return entries_; }
  double lost(Cause cause) const {
    double sum = 0;
    for (const auto& [key, entry] : entries_) sum += key.first == cause ? entry.lost : 0;
    return sum;
  }
  double lost() const {
    double sum = 0;
    for (const auto& [key, entry] : entries_) sum += entry.lost;
    return sum;
  }

 private:
  std::map<Key, Entry> entries_;
};

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
