// SPDX-License-Identifier: Apache-2.0
// Whose time a collective operation's time is.
#pragma once
#include <mpi.h>

#include <map>
#include <string>

#include "api/mpi.hpp"
#include "mpi/common_clock.hpp"
#include "mpi/progress.hpp"

namespace assay {

/// Three definitions of the time of a batch that each rank began and ended by its own stamps: the rank that took
/// longest; the root; from the first that began to the last that ended, which needs a common clock.
class TimeDefinition {
 public:
  TimeDefinition(const MpiPlace& place, const std::string& word) : place_(place), kind_(kinds().at(word)) {}

  /// By each rank from enter(). Throws as CommonClock::agree.
  void agree(const Stopwatch& watch, const Progress& progress) {
    if (kind_ == Kind::window) clock_.agree(place_, watch, progress);
  }
  /// What this rank claims, after a batch that took it `own`, from its own stamp or from the agreed start; under
  /// Combine::slowest the claims of all become the time as defined.
  Nanoseconds claim(Nanoseconds own, std::int64_t from, std::int64_t to, const Stopwatch& watch,
                    const Progress& progress) const {
    if (kind_ == Kind::slowest) return own;
    if (kind_ == Kind::root) return {progress.from_root(own.count, 0, place_.communicator)};
    return watch.between(progress.earliest(clock_.common(from), place_.communicator),
                         progress.latest(clock_.common(to), place_.communicator));
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
  CommonClock clock_;
};

}  // namespace assay
