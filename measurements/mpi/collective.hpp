// SPDX-License-Identifier: Apache-2.0
// Collective operations back to back.
#pragma once
#include <mpi.h>

#include <string>

#include "api/mpi.hpp"
#include "mpi/operation.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"
#include "mpi/time_definition.hpp"

namespace assay {

/// All ranks call one operation `reps` times. Back to back, a call that does not synchronize lets ranks run ahead of
/// each other, so that what is had is the rate at which the slowest rank is served; in windows all start one call at an
/// agreed time, and what is had is the time until the last is out. Results are checked after every batch.
class MpiCollective final : public Measurement {
 public:
  explicit MpiCollective(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        operation_(place_, setup.word("operation"), setup.level<std::int64_t>("size")),
        definition_(place_, setup.word("definition")),
        blocking_(setup.word("form") == "blocking") {
    require_ranks(place_);
    if (blocking_) require_that_waits_give_way(place_);
  }

  void enter(Member& member) override {
    definition_.agree(member.stopwatch(), progress_);
    operation_.fill();
  }

  Claims run(Member& member, Reps reps) override {
    const Stopwatch& watch = member.stopwatch();
    const std::int64_t from = watch.start();
    if (blocking_)
      for (std::int64_t i = 0; i < reps.count; ++i) operation_.call();
    else
      for (std::int64_t i = 0; i < reps.count; ++i) start_and_wait();
    const std::int64_t to = watch.stop();
    const auto start = place_.time->agreed_start();
    const Nanoseconds own = start ? place_.time->now() - *start : Nanoseconds{};
    operation_.check();
    operation_.fill();  // for the next batch: an agreed start is not to wait for it
    return start ? definition_.claim(own, progress_) : definition_.claim(from, to, watch, progress_);
  }

 private:
  void start_and_wait() {
    MPI_Request request = MPI_REQUEST_NULL;
    operation_.start(request);
    progress_.wait(request);
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  Operation operation_;
  TimeDefinition definition_;
  bool blocking_;
};

}  // namespace assay
