// SPDX-License-Identifier: Apache-2.0
// Collective operations, back to back and entered late by one rank, and whether all ranks on one node read one clock.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "api/mpi.hpp"
#include "mpi/operation.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Stamps of different ranks may be compared as they are where these are on one node and no exchange refuted that they
/// read one clock: an answer is stamped after its question and before its receipt. For measurements that compare stamps
/// at one level of a factor only; those that always do say so in their traits, and have api/common_time.hpp.
class NodeClock {
 public:
  /// By the first member of each rank, from enter(). Throws Unsupported (N11), and then on all ranks.
  static void agree(const MpiPlace& place, const Stopwatch& watch, const MpiProgress& progress) {
    if (!Seating(place).one_node())
      throw Unsupported("compares time stamps of ranks on different nodes, which have no common clock here", "N11");
    std::int64_t widest = 0;
    for (int rank = 1; rank < place.ranks(); ++rank) {
      if (place.rank == 0) widest = std::max(widest, question(rank, place.communicator, watch, progress));
      if (place.rank == rank) answer(place.communicator, watch, progress);
    }
    const double bound = progress.from_root(static_cast<double>(widest), 0, place.communicator);
    if (bound >= static_cast<double>(refuted))
      throw Unsupported("compares time stamps of different ranks, and these read different clocks", "N11");
  }

 private:
  static constexpr int tag = 1;
  static constexpr int exchanges = 100;
  static constexpr std::int64_t refuted = std::int64_t{1} << 52;  // still exact as a double

  /// In ticks: the largest offset that the exchanges leave possible; `refuted` where they leave none.
  static std::int64_t question(int rank, MPI_Comm communicator, const Stopwatch& watch, const MpiProgress& progress) {
    std::int64_t ahead = std::numeric_limits<std::int64_t>::max();   // of the other clock, at most
    std::int64_t behind = std::numeric_limits<std::int64_t>::max();  // at most
    for (int i = 0; i < exchanges; ++i) {
      std::int64_t theirs = 0;
      const std::int64_t asked = watch.start();
      progress.tell(rank, tag, communicator);
      progress.receive(&theirs, sizeof theirs, rank, tag, communicator);
      const std::int64_t heard = watch.stop();
      ahead = std::min(ahead, theirs - asked);
      behind = std::min(behind, heard - theirs);
    }
    return std::min(ahead, behind) < 0 ? refuted : std::min(std::max(ahead, behind), refuted);
  }
  static void answer(MPI_Comm communicator, const Stopwatch& watch, const MpiProgress& progress) {
    for (int i = 0; i < exchanges; ++i) {
      progress.hear(0, tag, communicator);
      const std::int64_t now = watch.start();
      progress.send(&now, sizeof now, 0, tag, communicator);
    }
  }
};

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
