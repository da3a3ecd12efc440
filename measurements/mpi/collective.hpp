// SPDX-License-Identifier: Apache-2.0
// Collective operations back to back.
#pragma once
#include <mpi.h>
#include <map>
#include <string>

#include "api/mpi.hpp"
#include "mpi/node_clock.hpp"
#include "mpi/operation.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Three definitions of the time of a batch that each rank began and ended by its own stamps: the rank that took
/// longest; the root; from the first that began to the last that ended. An agreed start is when all began; else that
/// one needs a common clock, which ranks on one node have.
class TimeDefinition {
 public:
  TimeDefinition(const MpiPlace& place, const std::string& word) : place_(place), kind_(kinds().at(word)) {}

  /// By each rank from enter(). Throws as NodeClock::agree.
  void agree(const Stopwatch& watch, const MpiProgress& progress) const {
    if (kind_ == Kind::window && Seating(place_).one_node()) NodeClock::agree(place_, watch, progress);
  }
  /// What this rank claims after a batch that took it `own` from the agreed start.
  Nanoseconds claim(Nanoseconds own, const MpiProgress& progress) const {
    return kind_ == Kind::root ? Nanoseconds{progress.from_root(own.count, 0, place_.communicator)} : own;
  }
  /// The same after a batch that started otherwise, between two stamps of this rank. Under Combine::slowest the claims
  /// of all become the time as defined. Throws Unsupported (N11), on all ranks, where these have no common clock.
  Nanoseconds claim(std::int64_t from, std::int64_t to, const Stopwatch& watch, const MpiProgress& progress) const {
    if (kind_ != Kind::window) return claim(watch.between(from, to), progress);
    if (!Seating(place_).one_node())
      throw Unsupported(
          "from the first that began to the last that ended, on different nodes, needs a synchronized start: "
          "set start = window",
          "N11");
    return watch.between(progress.earliest(from, place_.communicator), progress.latest(to, place_.communicator));
  }

 private:
  enum class Kind : std::uint8_t { slowest, root, window };
  static const std::map<std::string, Kind>& kinds() {
    static const std::map<std::string, Kind> all{
        {"slowest", Kind::slowest}, {"root", Kind::root}, {"window", Kind::window}};
    return all;
  }

  const MpiPlace& place_;
  Kind kind_;
};

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
