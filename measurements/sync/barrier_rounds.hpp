// SPDX-License-Identifier: Apache-2.0
// Barriers crossed one after the other by all members, and the oracle that distinguishes a barrier from something else.
#pragma once
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sync/barriers.hpp"
#include "work/work.hpp"

namespace assay {

/// Every member writes the number of the crossing it is about to make and reads all others after it: each must be as
/// far, or one further, which is as far as a member gets without this one.
class PhaseOracle {
  struct alignas(line_size) Phase {
    std::atomic<std::uint32_t> number{0};
  };

 public:
  explicit PhaseOracle(Setup& setup) : own_(static_cast<std::size_t>(setup.members())) {
    for (int rank = 0; rank < setup.members(); ++rank) phases_.push_back(&setup.share<Phase>());
  }
  void before(const Member& member) {
    const auto self = static_cast<std::size_t>(member.rank());
    phases_[self]->number.store(++own_[self].number, std::memory_order_relaxed);
  }
  /// Throws std::logic_error when any member is not where the barrier should have it.
  void after(const Member& member) const {
    const std::uint32_t here = own_[static_cast<std::size_t>(member.rank())].number;
    for (std::size_t rank = 0; rank < phases_.size(); ++rank)
      if (const std::uint32_t ahead = phases_[rank]->number.load(std::memory_order_relaxed) - here; ahead > 1)
        throw std::logic_error("member " + std::to_string(rank) + " was not at the barrier that released another");
  }

 private:
  struct alignas(line_size) Own {
    std::uint32_t number = 0;
  };
  std::vector<Phase*> phases_;
  std::vector<Own> own_;
};

/// One repetition is one crossing, after the member's work where there is any; the work alone is timed in the same
/// batch, hot. With `checked` the oracle looks on.
template <class B>
class BarrierRounds final : public Measurement {
 public:
  static Traits traits() { return B::traits(); }
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, residual, alone };

  explicit BarrierRounds(Setup& setup)
      : barrier_(setup), work_(setup), oracle_(setup), checked_(setup.word("checked") == "yes") {}
  void enter(Member& member) override { work_.enter(member); }

  Claims run(Member& member, Reps reps) override {
    return work_.on(member, [&](auto work) { return cross(member, reps, work); });
  }

 private:
  template <class Doing>
  Claims cross(Member& member, Reps reps, Doing work) {
    const auto round = [&, rank = member.rank()] {
      work();
      barrier_.wait(rank, [] {});
    };
    round();
    if (checked_) return member.timed(reps, [&] { check(member, round); });
    const Nanoseconds taken = member.timed(reps, round);
    if constexpr (!Doing::exists) return taken;
    const Nanoseconds hot = member.timed(reps, work);
    return Claims(taken).set(residual, taken - hot).set(alone, hot);
  }
  template <class Round>
  void check(Member& member, Round round) {
    oracle_.before(member);
    round();
    oracle_.after(member);
  }

  B barrier_;
  Work work_;
  PhaseOracle oracle_;
  bool checked_;
};

}  // namespace assay
