// SPDX-License-Identifier: Apache-2.0
// A lock without contention.
#pragma once
#include "lock/placed.hpp"

namespace assay {

/// Lock and unlock of one lock by its only user. It has been through one clean pair before it is timed.
template <class L>
class LockPair final : public Measurement {
 public:
  static constexpr bool takes = true;
  static Traits traits() { return {.vehicles = local_vehicles()}; }

  explicit LockPair(Setup& setup) : lock_(setup.share<typename L::Object>(setup), 0) {}
  void enter(Member&) override {
    lock_.enter();
    try_out<L>(lock_);
  }
  Claims run(Member& member, Reps reps) override {
    return member.timed(reps, [this] { one(); });
  }
  /// One pair.
  void one() {
    lock_.lock();
    lock_.unlock();
  }

 private:
  LockOf<L> lock_;
};

}  // namespace assay
