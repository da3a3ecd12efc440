// SPDX-License-Identifier: Apache-2.0
// Who takes a CPU from the thread that runs on it: each detour with its cause.
#pragma once
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/found_parts.hpp"
#include "api/measurement.hpp"
#include "ledger/attribution.hpp"
#include "ledger/counters.hpp"
#include "ledger/cpu_trace.hpp"
#include "os/detours.hpp"
#include "os/noise.hpp"

namespace assay {

/// The gaps of a window, as they were met. Room is taken before, so that nothing but the clock is called meanwhile.
class GapRecord {
 public:
  explicit GapRecord(std::size_t most) : gaps_(most) {}

  /// Reads the clock until the window is over, or there is no room; returns the window's length.
  Nanoseconds watch(const Stopwatch& clock, Nanoseconds window, const GapLimit& limit) {
    count_ = 0;
    const std::int64_t origin = origin_ = clock.start();
    std::int64_t last = origin;
    Nanoseconds seen{};
    while (seen < window && count_ < gaps_.size()) {
      const std::int64_t now = clock.start();
      if (gap_of(clock, last, now) > limit.threshold) gaps_[count_++] = {last, now};
      seen = gap_of(clock, origin, now);
      last = now;
    }
    end_ = last;
    return seen;
  }
  /// Ends the window earlier, where what is known ends at that reading; returns its length, in ns.
  double cut(std::int64_t end) {
    while (count_ > 0 && gaps_[count_ - 1].to > end) end = std::min(end, gaps_[--count_].from);
    return static_cast<double>(std::min(end, end_) - origin_);
  }
  std::span<const ClockGap> gaps() const { return {gaps_.data(), count_}; }

 private:
  std::vector<ClockGap> gaps_;
  std::size_t count_ = 0;
  std::int64_t origin_ = 0;
  std::int64_t end_ = 0;
};

/// The loop of os/noise-selfish, whose detours are explained when the window is over: by the kernel's tracepoints,
/// which write into a ring buffer meanwhile, or by its counters, which are read before and after. Named causes are
/// parts of what was lost.
class NoiseLedger final : public Measurement, public PartFinder {
 public:
  /// Indexes of the declared quantities; those from `interrupt` on are in the order of Cause.
  static constexpr std::size_t lost = 0, interrupt = 1, stolen = 7;

  explicit NoiseLedger(Setup& setup)
      : by_(setup.word("by")),
        asked_(time_level(setup, "threshold", {})),
        window_(time_level(setup, "window", milliseconds(1))),
        record_(most_gaps) {}

  void enter(Member&) override {
    limit_ = limit_of(clock_, asked_);
    const int cpu = only_cpu();
    counters_.emplace(cpu);
    if (by_ != "counters") trace_.emplace(cpu, static_cast<int>(::gettid()));
  }
  Claims run(Member&, Reps) override {
    if (trace_) return run_traced();
    counters_->start();
    const Nanoseconds window = record_.watch(clock_, window_, limit_);
    const CpuCounts counts = counters_->stop();
    double all = 0;
    for (const ClockGap& gap : record_.gaps()) all += static_cast<double>(gap.to - gap.from) - limit_.step.count;
    return claims_of(attribute_by_counts(all, counts), counts, window);
  }
  std::vector<FoundPart> take_found() override {
    std::vector<FoundPart> found;
    for (const auto& [name, part] : std::exchange(found_, {})) found.push_back(part);
    return found;
  }

 private:
  static constexpr std::size_t most_gaps = 200'000;

  static int only_cpu() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1)
      throw Unsupported("a ledger is of one CPU; use placement = all, bound, or a CPU by number");
    return ::sched_getcpu();
  }
  Claims run_traced() {
    counters_->start_quickly();
    trace_->enable();
    const Nanoseconds window = record_.watch(clock_, window_, limit_);
    trace_->disable();
    const CpuCounts counts = counters_->stop_quickly();
    const std::vector<CpuEvent> events = trace_->take();
    // Where other threads changed so often that the ring was full, the window ends there.
    const double seen = std::max(limit_.step.count, record_.cut(trace_->complete_until()));
    const double quota = counts.throttled * std::min(1.0, seen / window.count);
    return claims_of(attribute(record_.gaps(), events, {limit_.step.count, quota}), counts, Nanoseconds{seen});
  }
  Claims claims_of(const Ledger& ledger, const CpuCounts& counts, Nanoseconds window) {
    Claims claims;
    claims.set(lost, ledger.lost() / window.count);
    // Counts do not tell softirqs from the interrupts that they follow.
    for (std::size_t cause = 0; cause < cause_count; ++cause)
      if (trace_ || static_cast<Cause>(cause) != Cause::softirq)
        claims.set(interrupt + cause, ledger.lost(static_cast<Cause>(cause)) / window.count);
    claims.set(stolen, counts.stolen / window.count);
    for (const auto& [key, entry] : ledger.entries()) {
      const std::string name = std::string(word_of(key.first)) + " " + key.second;
      FoundPart& part = found_.try_emplace(name, FoundPart{name, 0, 0}).first->second;
      part.value += entry.lost / window.count;
      part.count += entry.count;
    }
    return claims;
  }

  std::string by_;
  Nanoseconds asked_;
  Nanoseconds window_;
  // Tracepoints carry the time of this clock, whatever the series is timed by.
  Stopwatch clock_;
  GapLimit limit_;
  GapRecord record_;
  std::optional<CpuCounters> counters_;
  std::optional<CpuTrace> trace_;
  std::map<std::string, FoundPart> found_;
};

}  // namespace assay
