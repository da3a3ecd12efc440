// SPDX-License-Identifier: Apache-2.0
// Barriers over all threads of all ranks.
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "api/mpi.hpp"
#include "hybrid/local_barrier.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// A barrier of all members. `enter` and `leave` are called by every member, untimed.
class HybridBarrier {
 public:
  HybridBarrier() = default;
  HybridBarrier(const HybridBarrier&) = delete;
  HybridBarrier& operator=(const HybridBarrier&) = delete;
  virtual ~HybridBarrier() = default;
  virtual void enter(const Member&) {}
  virtual void leave(const Member&) {}
  virtual void wait(const Member& member) = 0;
};

/// The threads of each rank meet, their leaders meet in MPI_Barrier, and the threads meet again. Enough for the level
/// `funneled`.
class LeaderBarrier final : public HybridBarrier {
 public:
  explicit LeaderBarrier(const MpiPlace& place)
      : place_(place),
        seating_(place),
        progress_(place),
        in_(seating_.threads(), progress_),
        out_(seating_.threads(), progress_) {
    if (seating_.most_threads() > 1) require_level(place, MPI_THREAD_FUNNELED);
  }
  void wait(const Member& member) override {
    in_.wait();
    if (seating_.leads(member)) progress_.barrier(place_.communicator);
    out_.wait();
  }

 private:
  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  LocalBarrier in_;
  LocalBarrier out_;
};

/// The others count themselves in; the leader waits for the count, meets the other leaders in MPI_Barrier, and raises a
/// flag. Half the local steps of LeaderBarrier, at the same level.
class CounterBarrier final : public HybridBarrier {
 public:
  explicit CounterBarrier(const MpiPlace& place) : place_(place), seating_(place), progress_(place) {
    if (seating_.most_threads() > 1) require_level(place, MPI_THREAD_FUNNELED);
  }
  void wait(const Member& member) override {
    const std::uint32_t crossing = released_.load(std::memory_order_relaxed) + 1;  // cannot grow before this arrival
    if (!seating_.leads(member)) {
      arrived_.fetch_add(1, std::memory_order_acq_rel);
      progress_.until([&] {
        relax();
        return released_.load(std::memory_order_acquire) == crossing;
      });
      return;
    }
    const auto others = static_cast<std::uint32_t>(seating_.threads() - 1);
    progress_.until([&] { return arrived_.load(std::memory_order_acquire) == others; });
    arrived_.store(0, std::memory_order_relaxed);
    progress_.barrier(place_.communicator);
    released_.store(crossing, std::memory_order_release);
  }

 private:
  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  alignas(line_size) std::atomic<std::uint32_t> arrived_{0};
  alignas(line_size) std::atomic<std::uint32_t> released_{0};
};

/// The threads at the same place of all ranks meet in an MPI_Barrier of their own communicator, and then the threads of
/// each rank. Needs the level `multiple`, and as many threads on every rank.
class DuplicatedBarrier final : public HybridBarrier {
 public:
  explicit DuplicatedBarrier(const MpiPlace& place)
      : place_(place), seating_(place), progress_(place), local_(seating_.threads(), progress_) {
    if (seating_.most_threads() > 1) require_level(place, MPI_THREAD_MULTIPLE);
  }
  void enter(const Member& member) override {
    if (seating_.leads(member)) communicators_.make(place_.communicator, seating_.threads());
  }
  void leave(const Member& member) override {
    if (seating_.leads(member)) communicators_.free();
  }
  void wait(const Member& member) override {
    progress_.barrier(communicators_[seating_.thread_of(member)]);
    local_.wait();
  }

 private:
  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  LocalBarrier local_;
  Communicators communicators_;
};

/// By its word: leader, counter, duplicated.
inline std::unique_ptr<HybridBarrier> make_hybrid_barrier(const std::string& word, const MpiPlace& place) {
  if (word == "leader") return std::make_unique<LeaderBarrier>(place);
  if (word == "counter") return std::make_unique<CounterBarrier>(place);
  return std::make_unique<DuplicatedBarrier>(place);
}

}  // namespace assay
