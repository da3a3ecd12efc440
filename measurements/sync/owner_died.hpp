// SPDX-License-Identifier: Apache-2.0
// A robust mutex whose owner ends while it holds it.
#pragma once
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "lock/mutex.hpp"
#include "logp/polling.hpp"
#include "logp/proof.hpp"

namespace assay {

/// For each repetition member 1 starts a thread, which inherits its binding, locks the mutex, waits until member 0 is
/// seen to sleep in it, takes a stamp and ends. Member 0 is informed that the owner died, makes the mutex consistent
/// and unlocks it. A death that was not waited for does not count.
class OwnerDied final : public Measurement {
  struct Stage {
    ThreadName heir;
    std::atomic<bool> named{false};
    alignas(line_size) std::atomic<std::uint32_t> held{0};  // deaths prepared
    std::int64_t died_at = 0;                               // written before the mutex is let go
    bool waited_for = false;
    alignas(line_size) std::atomic<std::uint32_t> wanted{0};     // deaths that member 0 is about to wait for
    alignas(line_size) std::atomic<std::uint32_t> recovered{0};  // deaths that it has recovered from
  };

 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { handover, recovery, proved };

  explicit OwnerDied(Setup& setup)
      : mutex_(setup.share<Mutex<MutexKind::robust>>(setup)), stage_(setup.share<Stage>()), polling_(setup) {}

  void enter(Member& member) override {
    if (member.rank() == 0) {
      stage_.heir = ThreadName::of_self();
      stage_.named.store(true, std::memory_order_release);
    } else {
      polling_.until([this] { return stage_.named.load(std::memory_order_acquire); });
      proof_.emplace(ProofKind::state, stage_.heir);
    }
  }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) return inherit(member, reps);
    for (std::int64_t i = 0; i < reps.count; ++i) die(member.stopwatch());
    return {};
  }

 private:
  static constexpr Nanoseconds patience = milliseconds(20);

  Claims inherit(Member& member, Reps reps) {
    const Stopwatch& watch = member.stopwatch();
    Nanoseconds handed, recovered;
    std::int64_t counted = 0;
    for (std::int64_t i = 0; i < reps.count; ++i) {
      const std::uint32_t death = ++inherited_;
      polling_.until([&] { return stage_.held.load(std::memory_order_acquire) == death; });
      stage_.wanted.store(death, std::memory_order_release);
      const int error = pthread_mutex_lock(mutex_.native());
      const std::int64_t got = watch.stop();
      if (error != EOWNERDEAD) throw std::logic_error("a robust mutex did not report that its owner died");
      const bool counts = stage_.waited_for;
      const std::int64_t died_at = stage_.died_at;
      const Nanoseconds repair = member.timed(Reps{1}, [this] {
        pthread_mutex_consistent(mutex_.native());
        pthread_mutex_unlock(mutex_.native());
      });
      stage_.recovered.store(death, std::memory_order_release);
      if (!counts) continue;
      ++counted;
      handed += watch.between(died_at, got);
      recovered += repair;
    }
    const auto all = static_cast<double>(reps.count);
    Claims claims;
    claims.set(proved, static_cast<double>(counted) / all);
    if (counted == 0) return claims;
    const double scale = all / static_cast<double>(counted);
    return claims.set(handover, handed * scale).set(recovery, recovered * scale);
  }

  // What the thread that dies is given.
  struct Owner {
    OwnerDied& self;
    const Stopwatch& watch;
    std::uint32_t death;
  };
  void die(const Stopwatch& watch) {
    Owner owner{*this, watch, ++died_};
    pthread_t thread;
    accept(pthread_create(&thread, nullptr, &OwnerDied::own, &owner), "the owner's thread cannot be started");
    pthread_join(thread, nullptr);
    // Else the next owner would inherit.
    polling_.until([&] { return stage_.recovered.load(std::memory_order_acquire) == owner.death; });
  }
  static void* own(void* argument) {
    const Owner& owner = *static_cast<Owner*>(argument);
    owner.self.hold(owner.watch, owner.death);
    return nullptr;
  }
  void hold(const Stopwatch& watch, std::uint32_t death) {
    pthread_mutex_lock(mutex_.native());
    stage_.held.store(death, std::memory_order_release);
    polling_.until([&] { return stage_.wanted.load(std::memory_order_acquire) == death; });
    stage_.waited_for = await_heir();
    stage_.died_at = watch.start();
  }
  bool await_heir() const {
    const Stopwatch clock;
    const std::int64_t since = clock.start();
    for (int looks = 0; clock.between(since, clock.stop()) < patience; ++looks) {
      if (proof_->holds({})) return true;
      polling_.pause(looks);
    }
    return false;
  }

  Mutex<MutexKind::robust>& mutex_;
  Stage& stage_;
  Polling polling_;
  std::uint32_t inherited_ = 0;                         // deaths, by member 0
  alignas(line_size) std::optional<SleepProof> proof_;  // of member 1
  std::uint32_t died_ = 0;                              // deaths, by member 1
};

}  // namespace assay
