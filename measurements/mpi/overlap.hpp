// SPDX-License-Identifier: Apache-2.0
// How much work fits between the start of a non-blocking collective operation and its end.
#pragma once
#include <mpi.h>

#include <algorithm>

#include "api/mpi.hpp"
#include "mpi/operation.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"
#include "work/work.hpp"

namespace assay {

/// In each batch three loops: the operation started and waited for at once (pure); arithmetic alone, as long as pure
/// took on the slowest rank times `share`; and the operation with the arithmetic between start and wait (total).
/// What was hidden of the shorter of the two is (pure + work - total) / min(pure, work): 1 where all of it, 0 where
/// nothing, below where they hindered each other. The definition of IMB-NBC, which cuts it to 0..1; that of OSU,
/// 1 - (total - work) / pure, is the same where work is as long as pure.
class MpiOverlap final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { total, overlap, pure, work };

  explicit MpiOverlap(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        operation_(place_, setup.word("operation"), setup.level<std::int64_t>("size")),
        share_(setup.level<double>("share")),
        tests_(setup.level<int>("tests")) {
    require_ranks(place_);
    if (!(share_ > 0)) throw Unsupported("no work between start and wait; give 'share' levels above 0");
    if (tests_ < 0) throw Unsupported("a negative number of tests; give 'tests' levels from 0 on");
  }

  void enter(Member& member) override {
    steps_per_ns_ = static_cast<double>(compute_steps(probe_ns, member)) / probe_ns;
  }

  Claims run(Member& member, Reps reps) override {
    operation_.fill();
    MPI_Request request = MPI_REQUEST_NULL;
    const auto alone = [&] {
      operation_.start(request);
      progress_.wait(request);
    };
    alone();
    const Nanoseconds without = member.timed(reps, alone);
    const double wanted =
        progress_.largest(without.count, place_.communicator) / static_cast<double>(reps.count) * share_;
    const Compute slice{std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted * steps_per_ns_ / (tests_ + 1)))};
    const Nanoseconds worked = member.timed(reps, [&] {
      for (int i = 0; i <= tests_; ++i) slice();
    });
    progress_.barrier(place_.communicator);
    const Nanoseconds both = member.timed(reps, [&] {
      operation_.start(request);
      slice();
      for (int i = 0, done = 0; i < tests_; ++i) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        slice();
      }
      progress_.wait(request);
    });
    operation_.check();
    return claims_of(both, without, worked);
  }

 private:
  static constexpr std::int64_t probe_ns = 10'000;

  /// Claims of all ranks agree on the rank that took longest, so that the share is of times that belong together.
  Claims claims_of(Nanoseconds both, Nanoseconds without, Nanoseconds worked) const {
    const double t = progress_.largest(both.count, place_.communicator);
    const double p = progress_.largest(without.count, place_.communicator);
    const double w = progress_.largest(worked.count, place_.communicator);
    Claims claims;
    claims.set(total, t).set(pure, p).set(work, w);
    if (std::min(p, w) > 0) claims.set(overlap, (p + w - t) / std::min(p, w));
    return claims;
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  Operation operation_;
  double share_;
  int tests_;
  double steps_per_ns_ = 1;
};

}  // namespace assay
