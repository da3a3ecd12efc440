// SPDX-License-Identifier: Apache-2.0
// How often a core is taken from the thread that runs on it, for moments of microseconds that no counter of the kernel
// shows.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/units.hpp"

namespace assay {

/// Share of the CPUs' time from which on what others do with caches, the kernel and the scheduler is in all that
/// members do together, however short its batches are.
inline constexpr double much_of_cpus = 0.1;

/// What a thread that read the clock without pause was deprived of.
struct Interruptions {
  std::int64_t count = 0;
  Nanoseconds lost{};        ///< together
  Nanoseconds window{};      ///< from the first reading to the last
  Nanoseconds to_threads{};  ///< of what was lost: while other threads of this system ran

  /// Time from one to the next, on average; the window where there was none.
  Nanoseconds distance() const { return count > 0 ? window / static_cast<double>(count) : window; }
  /// Of the time.
  double share() const { return window > Nanoseconds{} ? lost / window : 0; }
  /// How long a thread is left alone, as a rule: a quarter of the distance, so that the median over batches of
  /// that length is that of those without.
  Nanoseconds undisturbed() const { return distance() / 4; }
  bool is_heavy() const { return share() > much_of_cpus; }
  /// More than a hundredth of the time, and far more often than the kernel's ticks; or much of it.
  bool is_noticeable() const { return is_heavy() || (share() > 0.01 && distance() < microseconds(500)); }
  /// A sentence for people: how long, how often, and what follows for values.
  std::string meaning() const;
  Interruptions& operator+=(const Interruptions& more);
};

/// Reads the clock until the window is over. A gap between two readings of half a microsecond, or of nine readings
/// where that is longer, is an interruption: a hypervisor, firmware, or the kernel's own ticks. After Beckman and
/// others, Benchmarking the effects of operating system interference on extreme-scale parallel machines (Cluster
/// Computing 11, 2008). Nothing where the clock hardly advances. `switched_out` says how often other threads had the
/// CPU of this one so far; it is asked behind each gap.
Interruptions watch_interruptions(
    const Clock& clock, Nanoseconds window,
    const std::function<std::int64_t()>& switched_out = [] { return std::int64_t{}; });

/// The same on these CPUs, one after the other, by a thread that is bound to each for 4 ms; on eight of them, evenly
/// spread, where there are more. CPUs that it cannot be bound to are left out. Never throws.
Interruptions interruptions_of(const std::vector<int>& cpus) noexcept;

/// Looks again after two seconds, or later where looks would take more than a two-hundredth of the time: a compiler
/// begins and ends within seconds.
class InterruptionWatch {
 public:
  /// Borrows the clock, by which it knows how old a look is.
  InterruptionWatch(const Clock& clock, std::function<Interruptions()> look) : clock_(&clock), look_(std::move(look)) {}
  const Interruptions& latest();

 private:
  const Clock* clock_;
  std::function<Interruptions()> look_;
  std::optional<Instant> due_;
  Interruptions latest_;
};

}  // namespace assay
