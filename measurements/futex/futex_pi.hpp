// SPDX-License-Identifier: Apache-2.0
// Futexes with priority inheritance: the kernel's own lock and unlock, alone and handed over.
#pragma once
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "channel/channel.hpp"
#include "futex/futex_calls.hpp"
#include "logp/polling.hpp"
#include "logp/proof.hpp"

namespace assay {

/// A word that is owned through the kernel only: every lock and every unlock is a call, as in glibc's mutex where it is
/// contended.
class PiFutex {
  struct alignas(line_size) Place {
    FutexCalls::Word word{0};
  };

 public:
  /// Throws Unsupported where the kernel has none.
  explicit PiFutex(Setup& setup) : futex_(setup), place_(setup.share<Place>()) {
    if (lock() != 0) throw Unsupported("the kernel has no futexes with priority inheritance (FUTEX_LOCK_PI)");
    unlock();
  }
  long lock() { return futex_.lock_pi(place_.word); }
  long unlock() { return futex_.unlock_pi(place_.word); }
  /// Whether the kernel has queued one who waits.
  bool is_wanted() const { return (place_.word.load(std::memory_order_relaxed) & FUTEX_WAITERS) != 0; }

 private:
  FutexCalls futex_;
  Place& place_;
};

/// One lock and one unlock by the only user.
class FutexPiPair final : public Measurement {
 public:
  explicit FutexPiPair(Setup& setup) : futex_(setup) {}
  Claims run(Member& member, Reps reps) override {
    long failed = 0;
    const Nanoseconds taken = member.timed(reps, [&] { failed |= futex_.lock() | futex_.unlock(); });
    if (failed != 0) throw std::logic_error("a futex with priority inheritance was not locked, or not unlocked");
    return taken;
  }

 private:
  PiFutex futex_;
};

/// Member 0 owns the futex and unlocks it when member 1 waits for it in the kernel, which makes member 1 the owner.
/// While the owner runs, the kernel lets the first in the queue poll, in the state of a sleeper: where it is to sleep,
/// the owner sleeps for a moment, and the proof is the system call that member 1 is in, off its CPU. A repetition
/// without proof does not count.
class FutexPiHandover final : public Measurement {
  struct Stage {
    ThreadName heir;
    std::atomic<bool> named{false};
    alignas(line_size) std::atomic<std::uint32_t> held{0};      // repetitions that member 0 has locked it for
    std::int64_t got_at = 0;                                    // written before the next
    alignas(line_size) std::atomic<std::uint32_t> returned{0};  // repetitions that member 1 has unlocked it in
  };

 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { handover, call, proved };

  explicit FutexPiHandover(Setup& setup)
      : futex_(setup),
        stage_(setup.share<Stage>()),
        polling_(setup),
        waiter_sleeps_(setup.word("waiter") == "sleeps"),
        call_is_alone_(setup.cpu_sharing() == CpuSharing::none || setup.wakes_without_preemption()) {}

  void enter(Member& member) override {
    if (member.rank() == 1) {
      stage_.heir = ThreadName::of_self();
      stage_.named.store(true, std::memory_order_release);
    } else {
      polling_.until([this] { return stage_.named.load(std::memory_order_acquire); });
      proof_.emplace(waiter_sleeps_ ? ProofKind::syscall : ProofKind::state, stage_.heir);
    }
  }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) return give(member.stopwatch(), reps);
    for (std::int64_t i = 0; i < reps.count; ++i) take(member.stopwatch());
    return {};
  }

 private:
  static constexpr Nanoseconds patience = milliseconds(20);

  Claims give(const Stopwatch& watch, Reps reps) {
    Nanoseconds handed, called;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      const std::uint32_t number = ++given_;
      require(futex_.lock());
      stage_.held.store(number, std::memory_order_release);
      const bool is_waited_for = await_heir();
      const std::int64_t from = watch.start();
      const long error = futex_.unlock();
      const std::int64_t to = watch.stop();
      require(error);
      polling_.until([&] { return stage_.returned.load(std::memory_order_acquire) == number; });
      if (!is_waited_for) continue;
      ++counted;
      called += watch.between(from, to);
      handed += watch.between(from, stage_.got_at);
    }
    return claims(handed, called, counted, reps);
  }
  Claims claims(Nanoseconds handed, Nanoseconds called, std::int64_t counted, Reps reps) const {
    const auto all = static_cast<double>(reps.count);
    Claims made;
    made.set(proved, static_cast<double>(counted) / all);
    if (counted == 0) return made;
    const double scale = all / static_cast<double>(counted);
    made.set(handover, handed * scale);
    if (call_is_alone_) made.set(call, called * scale);
    return made;
  }
  void take(const Stopwatch& watch) {
    const std::uint32_t number = ++taken_;
    polling_.until([&] { return stage_.held.load(std::memory_order_acquire) == number; });
    const long error = futex_.lock();
    stage_.got_at = watch.stop();
    require(error);
    require(futex_.unlock());
    stage_.returned.store(number, std::memory_order_release);
  }
  bool await_heir() const {
    const Stopwatch clock;
    const std::int64_t since = clock.start();
    for (int looks = 0; clock.between(since, clock.stop()) < patience; ++looks) {
      if (futex_.is_wanted() && proof_->holds(in_any_futex())) return true;
      if (waiter_sleeps_)
        step_aside();
      else
        polling_.pause(looks);
    }
    return false;
  }
  static void step_aside() {
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 20'000};
    ::nanosleep(&moment, nullptr);
  }
  static void require(long error) { accept(error == 0 ? 0 : errno, "a futex with priority inheritance"); }

  PiFutex futex_;
  Stage& stage_;
  Polling polling_;
  bool waiter_sleeps_;
  bool call_is_alone_;
  std::optional<SleepProof> proof_;             // of member 0
  std::uint32_t given_ = 0;                     // by member 0
  alignas(line_size) std::uint32_t taken_ = 0;  // by member 1
};

}  // namespace assay
