// SPDX-License-Identifier: Apache-2.0
// Collective operations that one rank enters late.
#pragma once
#include <mpi.h>

#include "api/mpi.hpp"
#include "mpi/operation.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Before each call all ranks meet in a barrier; then the late rank lets `delay` pass. Its own cost when the
/// others wait already is one result, the cost to the slowest of the others the other. After SKaMPI's delayed-rank
/// collectives.
class MpiDelayed final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { late, others, beyond };

  explicit MpiDelayed(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        operation_(place_, setup.word("operation"), setup.level<std::int64_t>("size")),
        delay_{setup.level<double>("delay")},
        late_(setup.level<int>("late-rank")) {
    require_ranks(place_);
    require_that_waits_give_way(place_);
    if (delay_.count < 0) throw Unsupported("a delay below 0");
    if (late_ < 0 || late_ >= place_.ranks())
      throw Unsupported("there is no rank " + std::to_string(late_) + " among " + std::to_string(place_.ranks()),
                        "N11");
  }

  Claims run(Member& member, Reps reps) override {
    operation_.fill();
    const Stopwatch& watch = member.stopwatch();
    const bool is_late = place_.rank == late_;
    Nanoseconds sum{};
    Nanoseconds delayed{};
    for (std::int64_t i = 0; i < reps.count; ++i) {
      progress_.barrier(place_.communicator);
      const std::int64_t arrived = watch.start();
      if (is_late) progress_.until([&] { return watch.between(arrived, watch.stop()) >= delay_; });
      const std::int64_t from = watch.start();
      operation_.call();
      sum += watch.between(from, watch.stop());
      delayed += watch.between(arrived, from);
    }
    operation_.check();
    return claims_of(is_late, sum, delayed);
  }

 private:
  Claims claims_of(bool is_late, Nanoseconds sum, Nanoseconds delayed) const {
    const double own = progress_.from_root(sum.count, late_, place_.communicator);
    const double waited = progress_.from_root(delayed.count, late_, place_.communicator);
    const double longest = progress_.largest(is_late ? 0 : sum.count, place_.communicator);
    return Claims().set(late, own).set(others, longest).set(beyond, longest - waited);
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  Operation operation_;
  Nanoseconds delay_;
  int late_;
};

}  // namespace assay
