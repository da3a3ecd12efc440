// SPDX-License-Identifier: Apache-2.0
// When the members come out of a barrier over all threads of all ranks, by a common clock.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "api/mpi.hpp"
#include "hybrid/barriers.hpp"
#include "hybrid/local_barrier.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

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
