// SPDX-License-Identifier: Apache-2.0
// From the call that wakes a thread until that thread runs, under load, with its tail.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "futex/futex_calls.hpp"
#include "logp/polling.hpp"
#include "sync/barriers.hpp"
#include "work/work.hpp"

namespace assay {

/// The quantile of sorted values by the nearest rank. NaN where so few are beyond it (fewer than ten) that it would be
/// one of the extremes and not a quantile.
inline double tail_quantile(const std::vector<std::int64_t>& sorted, double p) {
  constexpr double least_beyond = 10;
  const auto size = static_cast<double>(sorted.size());
  if (size * (1 - p) < least_beyond) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(sorted[static_cast<std::size_t>(p * (size - 1))]);
}

/// Member 0 wakes every other member that waits, and sleeps when none does; a woken member takes the time since the
/// stamp before its wake-up, works, and waits again: the pattern of schbench (Mason, 2016), with one thread that sends.
/// Members that share CPUs, by their number or their binding, are the load. A batch is one window. Wake-ups of members
/// that had not yet gone to sleep are not counted.
class WakeupLatency final : public Measurement {
  static constexpr std::size_t most_wakeups = std::size_t{1} << 16U;
  struct alignas(line_size) Worker {
    FutexCalls::Word called{1};  // 0: waits for a call
    std::int64_t called_at = 0;  // written before it is called
    alignas(line_size) std::atomic<std::size_t> wakeups{0};
    std::int64_t calls = 0;
    std::array<std::int64_t, most_wakeups> latencies;
  };
  struct alignas(line_size) Caller {
    FutexCalls::Word requests{0};  // how often a worker began to wait
    std::atomic<bool> is_over{false};
  };

 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { p50, p99, p999, longest, rate, slept };

  /// Throws Unsupported for a window without length.
  explicit WakeupLatency(Setup& setup)
      : futex_(setup),
        caller_(setup.share<Caller>()),
        meeting_(setup.share<PthreadBarrierObject>(setup)),
        work_(setup),
        length_{setup.level<double>("window")} {
    if (length_ <= Nanoseconds{}) throw Unsupported("a window is longer than 0");
    for (int rank = 1; rank < setup.members(); ++rank) workers_.push_back(&setup.share<Worker>());
  }
  void enter(Member& member) override { work_.enter(member); }

  Claims run(Member& member, Reps) override {
    if (member.rank() == 0) return call(member.stopwatch());
    work_.on(member, [&](auto work) { serve(*workers_[static_cast<std::size_t>(member.rank() - 1)], member, work); });
    return {};
  }

 private:
  Claims call(const Stopwatch& watch) {
    meeting_.wait();
    caller_.is_over = false;
    meeting_.wait();
    const std::int64_t from = watch.start();
    while (!is_over(watch, from)) {
      const std::uint32_t requests = caller_.requests.load();
      if (call_waiting(watch) == 0) futex_.wait(caller_.requests, requests);
    }
    const Nanoseconds lasted = watch.between(from, watch.stop());
    caller_.is_over = true;
    for (Worker* worker : workers_) wake(*worker);
    meeting_.wait();
    return claims(watch, lasted);
  }
  bool is_over(const Stopwatch& watch, std::int64_t from) const {
    return watch.between(from, watch.start()) >= length_ ||
           std::ranges::any_of(workers_, [](const Worker* worker) { return worker->wakeups == most_wakeups; });
  }
  int call_waiting(const Stopwatch& watch) {
    int called = 0;
    for (Worker* worker : workers_) {
      if (worker->called.load(std::memory_order_acquire) != 0) continue;
      worker->called_at = watch.start();
      wake(*worker);
      ++called;
    }
    return called;
  }
  void wake(Worker& worker) {
    worker.called.store(1);
    futex_.wake_all(worker.called);
  }

  template <class Doing>
  void serve(Worker& own, const Member& member, Doing work) {
    meeting_.wait();  // member 0 has read what was counted last
    own.calls = 0;
    own.wakeups = 0;
    meeting_.wait();
    for (;;) {
      const bool was_asleep = wait_for_call(own);
      const std::int64_t now = member.stopwatch().stop();
      if (caller_.is_over) break;
      ++own.calls;
      if (was_asleep && own.wakeups < most_wakeups) {
        own.latencies[own.wakeups] = now - own.called_at;
        ++own.wakeups;
      }
      work();
    }
    meeting_.wait();
  }
  // Whether it slept, and was woken.
  bool wait_for_call(Worker& own) {
    own.called.store(0);
    caller_.requests.fetch_add(1);
    futex_.wake_all(caller_.requests);
    // A last call that came before the 0 is overwritten by it, but comes after the end.
    bool was_asleep = false;
    while (own.called.load() == 0 && !caller_.is_over) was_asleep = futex_.wait(own.called, 0) == 0;
    return was_asleep;
  }

  Claims claims(const Stopwatch& watch, Nanoseconds lasted) const {
    std::vector<std::int64_t> all;
    std::int64_t calls = 0;
    for (const Worker* worker : workers_) {
      all.insert(all.end(), worker->latencies.begin(),
                 worker->latencies.begin() + static_cast<std::ptrdiff_t>(worker->wakeups.load()));
      calls += worker->calls;
    }
    std::ranges::sort(all);
    Claims claimed;
    set_quantile(claimed, p50, watch, all, 0.5);
    set_quantile(claimed, p99, watch, all, 0.99);
    set_quantile(claimed, p999, watch, all, 0.999);
    if (!all.empty()) claimed.set(longest, watch.between(0, all.back()));
    if (calls > 0) claimed.set(slept, static_cast<double>(all.size()) / static_cast<double>(calls));
    return claimed.set(rate, static_cast<double>(calls) / lasted.count * 1e9);
  }
  static void set_quantile(Claims& claims, Index index, const Stopwatch& watch, const std::vector<std::int64_t>& all,
                           double p) {
    const double ticks = tail_quantile(all, p);
    if (ticks == ticks) claims.set(index, watch.between(0, static_cast<std::int64_t>(ticks)));
  }

  FutexCalls futex_;
  Caller& caller_;
  PthreadBarrierObject& meeting_;
  Work work_;
  Nanoseconds length_;
  std::vector<Worker*> workers_;
};

}  // namespace assay
