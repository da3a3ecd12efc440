// SPDX-License-Identifier: Apache-2.0
// Barriers over all threads of all ranks: crossed back to back, reached late by one, and left.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "api/mpi.hpp"
#include "hybrid/phase_oracle.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// A counter that the last to arrive resets and a generation that the others poll, as `central` of sync/barrier; where
/// members outnumber CPUs they give theirs up between two polls.
class LocalBarrier {
 public:
  LocalBarrier(int threads, const MpiProgress& progress) : threads_(threads), progress_(progress), missing_{threads} {}

  void wait() {
    const std::uint32_t own = generation_.load(std::memory_order_relaxed);  // cannot grow before this arrival
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      missing_.store(threads_, std::memory_order_relaxed);
      generation_.store(own + 1, std::memory_order_release);
      return;
    }
    progress_.until([&] {
      relax();
      return generation_.load(std::memory_order_acquire) != own;
    });
  }

 private:
  int threads_;
  MpiProgress progress_;
  alignas(line_size) std::atomic<int> missing_;
  alignas(line_size) std::atomic<std::uint32_t> generation_{0};
};

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

/// The members are late in turn. The others say that they are about to wait: threads to the leader of their rank, which
/// sends the late one's rank. When all have, the late one lets `settle` pass, so that they are in the barrier, and
/// times its own call: the cost of releasing all others. No clock is compared. Each member claims what it saw when it
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

  /// By a leader: every thread here but the late one is about to wait, and, where the late one is here, everywhere.
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

/// Every member takes a stamp before and after each crossing, converted to the common clock after the batch. Of each
/// crossing the first and the last stamp of all members count: how far apart they come out, and how long after the last
/// arrival the last is out.
class HybridBarrierExit final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { spread, crossing };
  static constexpr std::int64_t most_reps = 256;

  explicit HybridBarrierExit(Setup& setup)
      : place_(mpi_place(setup)),
        seating_(place_),
        progress_(place_),
        barrier_(make_hybrid_barrier(setup.word("barrier"), place_)),
        local_(seating_.threads(), progress_),
        stamps_(static_cast<std::size_t>(seating_.threads())) {}

  void enter(Member& member) override {
    barrier_->enter(member);
    stamps_[slot(member)].assign(2 * most_reps, 0);
  }
  void leave(Member& member) override { barrier_->leave(member); }

  Claims run(Member& member, Reps reps) override {
    std::vector<std::int64_t>& own = stamps_[slot(member)];
    barrier_->wait(member);
    for (std::size_t i = 0; i < static_cast<std::size_t>(reps.count); ++i) {
      own[2 * i] = clock_.start();
      barrier_->wait(member);
      own[2 * i + 1] = clock_.stop();
    }
    local_.wait();
    if (!seating_.leads(member)) return {};
    const Claims claims = claims_of(reps);
    return member.rank() == 0 ? claims : Claims();
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::size_t slot(const Member& member) const { return at(seating_.thread_of(member)); }

  /// By the leaders together. Only largest numbers are asked for: of what is to be smallest, the negative.
  Claims claims_of(Reps reps) const {
    const auto common = [&](std::int64_t stamp) { return place_.time->of(Instant{stamp}).ns; };
    constexpr std::size_t kinds = 3;  // last in, last out, first out
    std::vector<std::int64_t> here(kinds * at(reps.count), std::numeric_limits<std::int64_t>::min());
    for (const std::vector<std::int64_t>& stamps : stamps_)
      for (std::size_t i = 0; i < at(reps.count); ++i) {
        here[kinds * i] = std::max(here[kinds * i], common(stamps[2 * i]));
        here[kinds * i + 1] = std::max(here[kinds * i + 1], common(stamps[2 * i + 1]));
        here[kinds * i + 2] = std::max(here[kinds * i + 2], -common(stamps[2 * i + 1]));
      }
    std::vector<std::int64_t> all(here.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(here.data(), all.data(), static_cast<int>(here.size()), MPI_INT64_T, MPI_MAX, place_.communicator,
                   &request);
    progress_.wait(request);
    Nanoseconds apart{};
    Nanoseconds taken{};
    for (std::size_t i = 0; i < at(reps.count); ++i) {
      // Two readings of one kind: their cost is in both.
      apart += clock_.between(-all[kinds * i + 2], all[kinds * i + 1]) + clock_.read_cost();
      taken += clock_.between(all[kinds * i], all[kinds * i + 1]);
    }
    return Claims(apart).set(crossing, taken);
  }

  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  std::unique_ptr<HybridBarrier> barrier_;
  LocalBarrier local_;
  Stopwatch clock_;                                // CLOCK_MONOTONIC, whatever the members' time source
  std::vector<std::vector<std::int64_t>> stamps_;  ///< by thread: before and after each crossing
};

}  // namespace assay
