// SPDX-License-Identifier: Apache-2.0
// The clock read in a tight loop: what lies in the gaps.
#include "platform/clock/interruptions.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <thread>

#include "platform/clock/system_clock.hpp"
#include "platform/thread/guard.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

constexpr Nanoseconds shortest_interruption{500};
constexpr double steps_of_interruption = 9;
constexpr Nanoseconds look_length = milliseconds(4);
constexpr std::size_t most_looked_at = 8;
constexpr Nanoseconds look_again_after = seconds(2);
constexpr double share_of_looks = 0.005;

/// The median gap between readings that differ, whatever lies in some of them; 0 where the clock hardly advances.
Nanoseconds step_of(const Clock& clock) {
  constexpr int most_readings = 100'000;
  std::array<std::int64_t, 65> gaps{};
  std::size_t found = 0;
  Instant last = clock.now();
  for (int reading = 0; found < gaps.size() && reading < most_readings; ++reading) {
    const Instant now = clock.now();
    if (now != last) gaps[found++] = now.ns - last.ns;
    last = now;
  }
  if (found < gaps.size()) return {};
  const auto middle = gaps.begin() + gaps.size() / 2;
  std::nth_element(gaps.begin(), middle, gaps.end());
  return {static_cast<double>(*middle)};
}

std::string what_took(const Interruptions& all) {
  constexpr double few = 0.1;
  const double to_threads = all.to_threads / std::max(all.lost, Nanoseconds{1});
  if (to_threads < few) return "which no counter of the kernel shows";
  return to_threads > 1 - few ? "by other threads of this system"
                              : percent(to_threads) + " of it by other threads of this system";
}

}  // namespace

Interruptions& Interruptions::operator+=(const Interruptions& more) {
  count += more.count;
  lost += more.lost;
  window += more.window;
  to_threads += more.to_threads;
  return *this;
}

std::string Interruptions::meaning() const {
  return "threads at work were interrupted for " +
         rounded(lost / static_cast<double>(std::max<std::int64_t>(count, 1))) + " every " + rounded(distance()) +
         ", " + percent(share()) + " of the time, " + what_took(*this) + ": batches are kept within " +
         rounded(undisturbed()) + " where one repetition takes less, and values of what takes longer contain it" +
         (is_heavy() ? "; what members do together is short-term" : "");
}

Interruptions watch_interruptions(const Clock& clock, Nanoseconds window,
                                  const std::function<std::int64_t()>& switched_out) {
  const Nanoseconds step = step_of(clock);
  if (step <= Nanoseconds{}) return {};
  const Nanoseconds threshold = std::max(shortest_interruption, steps_of_interruption * step);
  Interruptions found;
  std::int64_t switches = switched_out();
  const Instant first = clock.now();
  Instant last = first;
  while (found.window < window) {
    const Instant now = clock.now();
    found.window = now - first;
    const Nanoseconds gap = now - last;
    last = now;
    if (gap <= threshold) continue;
    ++found.count;
    found.lost += gap - step;
    if (const std::int64_t more = switched_out(); more != switches) {
      found.to_threads += gap - step;
      switches = more;
    }
    last = clock.now();
  }
  return found;
}

Interruptions interruptions_of(const std::vector<int>& cpus) noexcept {
  Interruptions found;
  const auto watch = [&] {
    const std::size_t looks = std::min(cpus.size(), most_looked_at);
    for (std::size_t i = 0; i < looks; ++i) try {
        bind_self({cpus[i * cpus.size() / looks]});
        found += watch_interruptions(MonotonicClock(), look_length, [] { return read_guards(true).involuntary; });
      } catch (const std::exception&) {
        // Not this one.
      }
  };
  try {
    std::thread(watch).join();  // bindings of threads end with them
  } catch (const std::exception&) {
    // No thread to be had: nothing is known.
  }
  return found;
}

const Interruptions& InterruptionWatch::latest() {
  const Instant begin = clock_->now();
  if (due_ && begin < *due_) return latest_;
  latest_ = look_();
  const Instant end = clock_->now();
  due_ = end + std::max(look_again_after, (end - begin) / share_of_looks);
  return latest_;
}

}  // namespace assay
