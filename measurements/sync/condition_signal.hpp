// SPDX-License-Identifier: Apache-2.0
// A signal that nobody hears.
#pragma once
#include "sync/condition.hpp"

namespace assay {

/// pthread_cond_signal, or broadcast, while no thread waits: the paper's condition signal (de Supinski and May, 1999).
/// Says nothing about a signal that wakes somebody.
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

}  // namespace assay
