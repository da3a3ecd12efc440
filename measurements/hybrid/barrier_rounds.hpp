// SPDX-License-Identifier: Apache-2.0
// A barrier over all threads of all ranks, crossed back to back.
#pragma once
#include <memory>
#include <optional>

#include "api/mpi.hpp"
#include "hybrid/barriers.hpp"
#include "hybrid/phase_oracle.hpp"

namespace assay {

/// One repetition is one crossing. With `checked` the oracle looks on.
class HybridBarrierRounds final : public Measurement {
 public:
  explicit HybridBarrierRounds(Setup& setup) : barrier_(make_hybrid_barrier(setup.word("barrier"), mpi_place(setup))) {
    if (setup.word("checked") == "yes") oracle_.emplace(mpi_place(setup));
  }

  void enter(Member& member) override {
    barrier_->enter(member);
    if (oracle_) oracle_->enter(member);
  }
  void leave(Member& member) override {
    if (oracle_) oracle_->leave(member);
    barrier_->leave(member);
  }

  Claims run(Member& member, Reps reps) override {
    barrier_->wait(member);
    if (!oracle_) return member.timed(reps, [&] { barrier_->wait(member); });
    const Nanoseconds taken = member.timed(reps, [&] {
      oracle_->before(member);
      barrier_->wait(member);
      oracle_->after(member);
    });
    require_no_violation(oracle_->violations(member));
    return taken;
  }

 private:
  std::unique_ptr<HybridBarrier> barrier_;
  std::optional<HybridOracle> oracle_;
};

}  // namespace assay
