// SPDX-License-Identifier: Apache-2.0
// One futex call that concerns many sleepers: waking them all, or letting them all sleep elsewhere.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "futex/futex_calls.hpp"
#include "logp/polling.hpp"
#include "sync/barriers.hpp"
#include "sync/stamps.hpp"

namespace assay {

/// All members but the first sleep on one word; member 0 makes sure that the kernel has all of them in its queue, and
/// makes the call. The kernel's own count must say that it concerned all.
class FutexSleepers {
  struct alignas(line_size) Place {
    FutexCalls::Word word{0};
  };

 public:
  explicit FutexSleepers(Setup& setup)
      : futex_(setup),
        bed_(setup.share<Place>()),
        other_(setup.share<Place>()),
        meeting_(setup.share<PthreadBarrierObject>(setup)),
        polling_(setup),
        sleepers_(setup.members() - 1) {
    if (futex_.sleepers(bed_.word) != 0)
      throw Unsupported("the kernel does not say how many sleep on a futex (FUTEX_CMP_REQUEUE)");
  }

  /// Calls `act(value)` when all sleep, with the value that the word has by then, under which no thread would sleep.
  template <class Act>
  auto when_all_sleep(Act act) {
    for (int looks = 0; futex_.sleepers(bed_.word) != sleepers_; ++looks) polling_.pause(looks);
    const std::uint32_t value = bed_.word.load(std::memory_order_relaxed) + 1;
    bed_.word.store(value, std::memory_order_release);
    return act(value);
  }
  long wake() { return futex_.wake_all(bed_.word); }
  long requeue(std::uint32_t value) { return futex_.requeue_all(bed_.word, other_.word, value); }
  long wake_requeued() { return futex_.wake_all(other_.word); }
  /// Throws std::logic_error for a call that concerned another number.
  void check(long concerned) const {
    if (concerned != sleepers_)
      throw std::logic_error("a futex call concerned " + std::to_string(concerned) + " sleepers of " +
                             std::to_string(sleepers_));
  }

  /// Sleeps until woken.
  void sleep() {
    const std::uint32_t seen = bed_.word.load(std::memory_order_acquire);
    while (bed_.word.load(std::memory_order_acquire) == seen) futex_.wait(bed_.word, seen);
  }
  /// Returns when all members are here. None reads the word for its next sleep before.
  void meet() { meeting_.wait(); }

 private:
  FutexCalls futex_;
  Place& bed_;
  Place& other_;
  PthreadBarrierObject& meeting_;
  Polling polling_;
  int sleepers_;
};

/// FUTEX_WAKE of all.
class FutexWake final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { last, first, call };

  explicit FutexWake(Setup& setup)
      : sleepers_(setup),
        stamps_(setup),
        call_is_alone_(setup.cpu_sharing() == CpuSharing::none || setup.wakes_without_preemption()) {}

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) return wake(member.stopwatch(), reps);
    for (std::int64_t i = 0; i < reps.count; ++i) {
      sleepers_.sleep();
      stamps_.set(member, member.stopwatch().stop());
      sleepers_.meet();
    }
    return {};
  }

 private:
  Claims wake(const Stopwatch& watch, Reps reps) {
    Nanoseconds calls, firsts, lasts;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      long woken = 0;
      const auto [from, to] = sleepers_.when_all_sleep([&](std::uint32_t) {
        const std::int64_t start = watch.start();
        woken = sleepers_.wake();
        return std::pair(start, watch.stop());
      });
      sleepers_.meet();
      sleepers_.check(woken);
      calls += watch.between(from, to);
      firsts += watch.between(from, stamps_.earliest(0));
      lasts += watch.between(from, stamps_.latest(0));
    }
    Claims claims(lasts);
    claims.set(first, firsts);
    // Elsewhere it contains the run of those that preempt the caller.
    if (call_is_alone_) claims.set(call, calls);
    return claims;
  }

  FutexSleepers sleepers_;
  MemberStamps stamps_;
  bool call_is_alone_;
};

/// FUTEX_CMP_REQUEUE of all, which wakes none.
class FutexRequeue final : public Measurement {
 public:
  explicit FutexRequeue(Setup& setup) : sleepers_(setup) {}

  Claims run(Member& member, Reps reps) override {
    Nanoseconds calls;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      if (member.rank() == 0)
        calls += requeue(member.stopwatch());
      else
        sleepers_.sleep();
      sleepers_.meet();
    }
    return member.rank() == 0 ? Claims(calls) : Claims();
  }

 private:
  Nanoseconds requeue(const Stopwatch& watch) {
    long moved = 0;
    const Nanoseconds taken = sleepers_.when_all_sleep([&](std::uint32_t value) {
      const std::int64_t from = watch.start();
      moved = sleepers_.requeue(value);
      return watch.between(from, watch.stop());
    });
    sleepers_.check(moved);
    sleepers_.check(sleepers_.wake_requeued());
    return taken;
  }

  FutexSleepers sleepers_;
};

}  // namespace assay
