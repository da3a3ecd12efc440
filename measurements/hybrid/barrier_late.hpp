// SPDX-License-Identifier: Apache-2.0
// A barrier over all threads of all ranks that one member reaches after all others.
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "api/mpi.hpp"
#include "hybrid/barriers.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// The members are late in turn. The others say that they are about to wait: threads to the leader of their rank, which
/// tells the late one's rank. When all have, the late one lets `settle` pass, so that they are in the barrier, and
/// times its own call: what it pays to release everybody. No clock is compared. Each member claims what it saw when it
/// was late, so that claims add up.
class HybridBarrierLate final : public Measurement {
 public:
  explicit HybridBarrierLate(Setup& setup)
      : place_(mpi_place(setup)),
        seating_(place_),
        progress_(place_),
        barrier_(make_hybrid_barrier(setup.word("barrier"), place_)),
        settle_{setup.level<double>("settle")},
        crossings_(place_.seats.size()) {}

  void enter(Member& member) override { barrier_->enter(member); }
  void leave(Member& member) override { barrier_->leave(member); }

  Claims run(Member& member, Reps reps) override {
    cross(member);
    Nanoseconds release{};
    for (std::int64_t i = 0; i < reps.count; ++i) release += cross(member);
    return release;
  }

 private:
  static constexpr int tag = 1;
  struct alignas(line_size) Crossings {
    std::uint32_t number = 0;
  };

  /// The time of the own call where this member was late, else 0.
  Nanoseconds cross(const Member& member) {
    const std::uint32_t number = ++crossings_[static_cast<std::size_t>(member.rank())].number;
    const int late = static_cast<int>(number % static_cast<std::uint32_t>(seating_.members()));
    const bool is_late = member.rank() == late;
    if (seating_.leads(member))
      hear_all(late, number);
    else if (!is_late)
      waiting_.fetch_add(1, std::memory_order_acq_rel);
    if (!is_late) {
      barrier_->wait(member);
      return {};
    }
    progress_.until([&] { return clear_.load(std::memory_order_acquire) == number; });
    const Stopwatch& watch = member.stopwatch();
    const std::int64_t since = watch.start();
    progress_.until([&] { return watch.between(since, watch.stop()) >= settle_; });
    const std::int64_t from = watch.start();
    barrier_->wait(member);
    return watch.between(from, watch.stop());
  }

  /// By a leader: everybody here but the late one is about to wait, and, where the late one is here, everywhere.
  void hear_all(int late, std::uint32_t number) {
    const int late_rank = seating_.rank_of(late);
    const bool is_here = late_rank == place_.rank;
    const bool late_is_other = is_here && late != seating_.leader_of(place_.rank);
    const int others = seating_.threads() - 1 - (late_is_other ? 1 : 0);
    progress_.until([&] { return waiting_.load(std::memory_order_acquire) == others; });
    waiting_.store(0, std::memory_order_relaxed);
    if (!is_here) {
      progress_.tell(late_rank, tag, place_.communicator);
      return;
    }
    for (int rank = 0; rank < place_.ranks(); ++rank)
      if (rank != place_.rank) progress_.hear(rank, tag, place_.communicator);
    clear_.store(number, std::memory_order_release);
  }

  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  std::unique_ptr<HybridBarrier> barrier_;
  Nanoseconds settle_;
  std::vector<Crossings> crossings_;  ///< by member; each uses its own
  alignas(line_size) std::atomic<int> waiting_{0};
  alignas(line_size) std::atomic<std::uint32_t> clear_{0};
};

}  // namespace assay
