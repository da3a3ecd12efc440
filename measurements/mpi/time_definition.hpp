// SPDX-License-Identifier: Apache-2.0
// Whose time a collective operation's time is.
#pragma once
#include <mpi.h>

#include <map>
#include <string>

#include "api/mpi.hpp"
#include "mpi/node_clock.hpp"
#include "mpi/progress.hpp"

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
          "from the first that began to the last that ended, on different nodes, needs an agreed start: "
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

}  // namespace assay
