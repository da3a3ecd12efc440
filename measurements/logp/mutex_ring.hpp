// SPDX-License-Identifier: Apache-2.0
// Round trip of held mutexes: de Supinski and May's ring over pthread mutexes.
#pragma once
#include <pthread.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>

#include "api/measurement.hpp"
#include "channel/lock_ring.hpp"

namespace assay {

/// The ring's mutexes in shared memory, each on a line of its own. A refused operation (a wrong owner under the
/// error-checking type) throws where `checked`, and is not looked at otherwise.
template <bool checked>
class RingMutexes {
 public:
  RingMutexes(int type, int scope) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setpshared(&attributes, scope);
    for (Line& line : lines_) pthread_mutex_init(&line.mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  RingMutexes(const RingMutexes&) = delete;
  RingMutexes& operator=(const RingMutexes&) = delete;
  ~RingMutexes() {
    for (Line& line : lines_) pthread_mutex_destroy(&line.mutex);
  }
  void lock(int i) { accept(pthread_mutex_lock(&lines_[static_cast<std::size_t>(i)].mutex), "lock"); }
  void unlock(int i) { accept(pthread_mutex_unlock(&lines_[static_cast<std::size_t>(i)].mutex), "unlock"); }

 private:
  struct alignas(line_size) Line {
    pthread_mutex_t mutex;
  };
  static void accept(int error, const char* what) {
    if constexpr (checked) {
      if (error != 0)
        throw std::runtime_error(std::string("pthread_mutex_") + what + " returned " + std::to_string(error));
    }
  }
  std::array<Line, 4> lines_;
};

/// Exact order check: the partner's phase after each lock must be the program's, not merely grow.
class PhaseWitness {
 public:
  /// `cycle_phases`: unlocks per cycle. Both counters live in shared memory.
  PhaseWitness(std::atomic<std::int64_t>& own, const std::atomic<std::int64_t>& partner, int cycle_phases)
      : own_(own), partner_(partner), cycle_phases_(cycle_phases) {}
  void released() { own_.fetch_add(1, std::memory_order_relaxed); }
  bool obtained(int expected) {
    const bool exact = partner_.load(std::memory_order_relaxed) == cycles_ * cycle_phases_ + expected;
    violations_ += !exact;
    return exact;
  }
  void end_cycle() { ++cycles_; }
  std::int64_t violations() const { return violations_; }

 private:
  std::atomic<std::int64_t>& own_;
  const std::atomic<std::int64_t>& partner_;
  std::int64_t cycle_phases_;
  std::int64_t cycles_ = 0;
  std::int64_t violations_ = 0;
};

/// One repetition is one cycle of a ring: `ring().round_trips` round trips. With `checked`, error-checking mutexes and
/// phase witnesses, and a violation throws.
template <auto ring, bool checked>
class MutexRing final : public Measurement {
  struct alignas(line_size) Phase {
    std::atomic<std::int64_t> released{0};
  };

 public:
  explicit MutexRing(Setup& setup)
      : locks_(setup.share<RingMutexes<checked>>(
            checked ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_NORMAL,
            setup.vehicle() == "thread" ? PTHREAD_PROCESS_PRIVATE : PTHREAD_PROCESS_SHARED)),
        phases_{&setup.share<Phase>(), &setup.share<Phase>()},
        witnesses_{PhaseWitness(phases_[0]->released, phases_[1]->released, ring().round_trips),
                   PhaseWitness(phases_[1]->released, phases_[0]->released, ring().round_trips)} {}

  void enter(Member& member) override {
    for_held(member, [&](int i) { locks_.lock(i); });
  }
  void leave(Member& member) override {
    for_held(member, [&](int i) { locks_.unlock(i); });
  }

  Claims run(Member& member, Reps reps) override {
    if (member.rank() == 0) {
      cycle<true>(member);
      const Nanoseconds time = member.timed(reps, [&] { cycle<true>(member); });
      return time;
    }
    for (std::int64_t i = 0; i <= reps.count; ++i) cycle<false>(member);
    return {};
  }

 private:
  template <bool is_main>
  void cycle(Member& member) {
    if constexpr (checked) {
      PhaseWitness& witness = witnesses_[static_cast<std::size_t>(member.rank())];
      perform_cycle<ring, is_main>(locks_, witness);
      witness.end_cycle();
      if (witness.violations() > 0) throw std::logic_error("the ring's order was violated");
    } else {
      NoWitness witness;
      perform_cycle<ring, is_main>(locks_, witness);
    }
  }
  template <class Operation>
  void for_held(const Member& member, Operation operation) {
    for (int i = 0; i < ring().locks; ++i)
      if (ring().main_holds[static_cast<std::size_t>(i)] == (member.rank() == 0)) operation(i);
  }

  RingMutexes<checked>& locks_;
  std::array<Phase*, 2> phases_;
  std::array<PhaseWitness, 2> witnesses_;
};

}  // namespace assay
