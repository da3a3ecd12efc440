// SPDX-License-Identifier: Apache-2.0
// The four-lock ring performed by one side alone: lock and unlock without contention, and without a chain.
#pragma once
#include <array>

#include "lock/lock.hpp"
#include "lock/ring.hpp"

namespace assay {

/// One repetition is one cycle of the main side: four unlocks and four locks of four locks, of which those that the
/// client would hold are free (de Supinski and May, 1999: no contention). The processor overlaps operations on
/// different locks, so that a pair costs less than one of the same lock.
template <class L>
class LockRingAlone final : public Measurement {
  static constexpr int pairs = four_lock_ring().round_trips;

 public:
  static constexpr bool takes = true;
  static Traits traits() { return {.vehicles = local_vehicles(), .events_per_rep = pairs}; }

  explicit LockRingAlone(Setup& setup) {
    for (auto& lock : locks_) lock = &setup.share<typename L::Object>(setup);
  }
  void enter(Member&) override {
    for (auto* lock : locks_) try_out<L>(*lock);
    for_held([](auto& lock) { L::lock(lock); });
  }
  void leave(Member&) override {
    for_held([](auto& lock) { L::unlock(lock); });
  }
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] {
      perform_cycle<four_lock_ring, true>([this](RingStep step) {
        auto& lock = *locks_[static_cast<std::size_t>(step.lock)];
        if (step.act == RingStep::Act::lock)
          L::lock(lock);
        else
          L::unlock(lock);
      });
    });
  }

 private:
  template <class Act>
  void for_held(Act act) {
    for (std::size_t i = 0; i < locks_.size(); ++i)
      if (four_lock_ring().main_holds[i]) act(*locks_[i]);
  }
  std::array<typename L::Object*, 4> locks_{};
};

}  // namespace assay
