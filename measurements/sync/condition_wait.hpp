// SPDX-License-Identifier: Apache-2.0
// Waiting for a condition that is signalled all the time.
#pragma once
#include <sys/resource.h>
#include <atomic>
#include <cstdint>

#include "lock/mutex.hpp"
#include "sync/condition.hpp"

namespace assay {

/// pthread_cond_signal, or broadcast, while no thread waits: the paper's condition signal (de Supinski and May, 1999).
/// Says nothing about a signal that wakes a waiter.
class ConditionSignal final : public Measurement {
 public:
  explicit ConditionSignal(Setup& setup)
      : condition_(setup.share<Condition>(setup)), to_all_(setup.word("call") == "broadcast") {}
  Claims run(Member& member, Reps reps) override {
    pthread_cond_t& condition = condition_.native;
    if (to_all_) return member.timed(reps, [&] { pthread_cond_broadcast(&condition); });
    return member.timed(reps, [&] { pthread_cond_signal(&condition); });
  }

 private:
  Condition& condition_;
  bool to_all_;
};

/// Member 0 signals without pause and without the mutex until asked to stop; member 1 waits `reps` times and times it:
/// the paper's condition wait (de Supinski and May, 1999). Across CPUs a signal always comes between the release of the
/// mutex and the sleep, so that this is the cost of a wait that does not wait; on one CPU it is the scheduler's choice.
/// `switches` shows which.
class ConditionWait final : public Measurement {
  struct alignas(line_size) Signals {
    std::atomic<std::int64_t> sent{0};
  };
  struct alignas(line_size) Stop {
    std::atomic<std::uint32_t> batches{0};
  };

 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t time = 0;
  static constexpr std::size_t switches = 1;
  static constexpr std::size_t signals = 2;

  explicit ConditionWait(Setup& setup)
      : mutex_(setup.share<Mutex<MutexKind::normal>>(setup)),
        condition_(setup.share<Condition>(setup)),
        signals_(setup.share<Signals>()),
        stop_(setup.share<Stop>()) {
    if (setup.cpu_sharing() != CpuSharing::none && setup.wakes_without_preemption())
      throw Unsupported("the signaller never yields a shared CPU to the waiter under this policy", "N1");
  }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() != 0) return wait(member, reps);
    signal();
    return {};
  }

 private:
  // Counted on a line of its own, which the waiter reads outside the timed region.
  void signal() {
    ++batches_;
    for (std::int64_t sent = signals_.sent; stop_.batches.load(std::memory_order_relaxed) != batches_;) {
      pthread_cond_signal(&condition_.native);
      signals_.sent.store(++sent, std::memory_order_relaxed);
    }
  }
  Claims wait(Member& member, Reps reps) {
    const auto wait_once = [&] { pthread_cond_wait(&condition_.native, mutex_.native()); };
    pthread_mutex_lock(mutex_.native());
    wait_once();  // the signaller is there
    const std::int64_t switches_before = voluntary_switches();
    const std::int64_t sent_before = signals_.sent.load(std::memory_order_relaxed);
    const Nanoseconds taken = member.timed(reps, wait_once);
    const std::int64_t sent = signals_.sent.load(std::memory_order_relaxed) - sent_before;
    const std::int64_t switched = voluntary_switches() - switches_before;
    pthread_mutex_unlock(mutex_.native());
    stop_.batches.fetch_add(1, std::memory_order_relaxed);
    return Claims(Nanoseconds{})
        .set(time, taken)
        .set(switches, static_cast<double>(switched))
        .set(signals, static_cast<double>(sent));
  }
  static std::int64_t voluntary_switches() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  }

  Mutex<MutexKind::normal>& mutex_;
  Condition& condition_;
  Signals& signals_;
  Stop& stop_;
  std::uint32_t batches_ = 0;  // used by member 0 only
};

}  // namespace assay
