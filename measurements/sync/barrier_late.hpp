// SPDX-License-Identifier: Apache-2.0
// A barrier that one member reaches long after the others: the cost of releasing them, and when they are out.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "logp/polling.hpp"
#include "logp/proof.hpp"
#include "sync/barriers.hpp"
#include "sync/stamps.hpp"

namespace assay {

/// What a member that waits shows to the late one, on a line of its own.
struct alignas(line_size) Waiter {
  ThreadName name;
  std::atomic<bool> named{false};
  std::atomic<std::uint32_t> arrived{0};  ///< crossings it is about to wait in, or past
  std::atomic<std::uint32_t> polls{0};
  std::atomic<std::uint32_t> left{0};  ///< crossings it has made
};

/// The members are late in turn. The late one waits until all others are proved to sleep in the barrier, or are seen
/// polling, then times its own call; the others take a stamp when they are out. A crossing without proof within the
/// patience is made and does not count. Each member claims what it saw when it was late, so that claims add up.
template <class B>
class BarrierLate final : public Measurement {
 public:
  static Traits traits() {
    Traits traits = B::traits();
    traits.reps.most = Reps{256};
    return traits;
  }
  /// Indexes of the declared quantities.
  enum Index : std::size_t { release, first, last, spread, proved };

  explicit BarrierLate(Setup& setup)
      : barrier_(setup), stamps_(setup), polling_(setup), kind_(proof_kind(setup.word("proof"))) {
    if (setup.cpu_sharing() != CpuSharing::none && !setup.wakes_without_preemption())
      throw Unsupported(
          "a release that wakes a member on the releaser's CPU contains that member's run, unless the scheduling "
          "policy does not preempt: bind the members to different CPUs, or use policy = fifo",
          "N3");
    if (!SleepingBarrier<B> && setup.word("proof") != "syscall")
      throw Unsupported("factor 'proof' does not apply to a barrier that polls: its polls are counted");
    for (int rank = 0; rank < setup.members(); ++rank) waiters_.push_back(&setup.share<Waiter>());
    own_.resize(waiters_.size());
  }

  void enter(Member& member) override {
    Waiter& self = *waiters_[rank_of(member)];
    self.name = ThreadName::of_self();
    self.named.store(true, std::memory_order_release);
    if constexpr (SleepingBarrier<B>)
      for (const Waiter* other : waiters_) {
        polling_.until([&] { return other->named.load(std::memory_order_acquire); });
        own_[rank_of(member)].proofs.push_back(
            std::make_unique<SleepProof>(other == &self ? ProofKind::none : kind_, other->name));
      }
  }

  Claims run(Member& member, Reps reps) override {
    Sums sums;
    Sums ignored;
    cross(member, ignored);  // all are there
    for (std::int64_t i = 0; i < reps.count; ++i) cross(member, sums);
    return claims_of(sums, reps);
  }

 private:
  static constexpr Nanoseconds patience = milliseconds(20);
  struct alignas(line_size) Own {
    std::vector<std::unique_ptr<SleepProof>> proofs;  // by rank
    std::uint32_t crossings = 0;
  };
  struct Sums {
    Nanoseconds release, first, last;
    std::int64_t late = 0;
    std::int64_t counted = 0;
    std::int64_t proved = 0;
  };
  static std::size_t rank_of(const Member& member) { return static_cast<std::size_t>(member.rank()); }

  void cross(Member& member, Sums& sums) {
    const std::uint32_t crossing = ++own_[rank_of(member)].crossings;
    if (rank_of(member) == crossing % waiters_.size())
      release_others(member, sums);
    else
      wait_for_late(member);
  }

  void wait_for_late(Member& member) {
    Waiter& self = *waiters_[rank_of(member)];
    const std::uint32_t crossing = own_[rank_of(member)].crossings;
    self.arrived.store(crossing, std::memory_order_release);
    barrier_.wait(member.rank(),
                  [&] { self.polls.store(self.polls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); });
    stamps_.set(member, member.stopwatch().stop());
    self.left.store(crossing, std::memory_order_release);
  }

  void release_others(Member& member, Sums& sums) {
    const Stopwatch& watch = member.stopwatch();
    const bool all_wait = others_wait(member);
    const std::int64_t from = watch.start();
    barrier_.wait(member.rank(), [] {});
    const std::int64_t to = watch.stop();
    const std::uint32_t crossing = own_[rank_of(member)].crossings;
    for_others(member, [&](std::size_t rank) {
      polling_.until([&] { return waiters_[rank]->left.load(std::memory_order_acquire) == crossing; });
      return true;
    });
    ++sums.late;
    sums.proved += all_wait && kind_ != ProofKind::none;
    if (!all_wait) return;
    ++sums.counted;
    sums.release += watch.between(from, to);
    sums.first += watch.between(from, stamps_.earliest(member.rank()));
    sums.last += watch.between(from, stamps_.latest(member.rank()));
  }

  // False when the patience ran out.
  bool others_wait(Member& member) {
    const Stopwatch clock;
    const std::int64_t since = clock.start();
    const std::uint32_t crossing = own_[rank_of(member)].crossings;
    return for_others(member, [&](std::size_t rank) {
      const Waiter& other = *waiters_[rank];
      polling_.until([&] { return other.arrived.load(std::memory_order_acquire) == crossing; });
      const std::uint32_t polls = other.polls.load(std::memory_order_relaxed);
      for (int looks = 0; !is_waiting(member, rank, polls); ++looks) {
        if (clock.between(since, clock.stop()) > patience) return false;
        polling_.pause(looks);
      }
      return true;
    });
  }
  bool is_waiting(const Member& member, std::size_t rank, std::uint32_t polls) {
    if constexpr (SleepingBarrier<B>)
      return kind_ == ProofKind::none || own_[rank_of(member)].proofs[rank]->holds(barrier_.sleeping_place());
    else
      return waiters_[rank]->polls.load(std::memory_order_relaxed) != polls;
  }
  // True when `act` was true for all.
  template <class Act>
  bool for_others(const Member& member, Act act) {
    bool all = true;
    for (std::size_t rank = 0; rank < waiters_.size(); ++rank)
      if (rank != rank_of(member)) all = act(rank) && all;
    return all;
  }

  // A member that was never late adds nothing; one whose crossings did not count has nothing to claim.
  static Claims claims_of(const Sums& sums, Reps reps) {
    Claims claims;
    claims.set(proved, static_cast<double>(sums.proved) / static_cast<double>(reps.count));
    if (sums.counted == 0 && sums.late != 0) return claims;
    const double scale = sums.late == 0 ? 0 : static_cast<double>(sums.late) / static_cast<double>(sums.counted);
    return claims.set(release, sums.release * scale)
        .set(first, sums.first * scale)
        .set(last, sums.last * scale)
        .set(spread, (sums.last - sums.first) * scale);
  }

  B barrier_;
  MemberStamps stamps_;
  Polling polling_;
  ProofKind kind_;
  std::vector<Waiter*> waiters_;
  std::vector<Own> own_;
};

}  // namespace assay
